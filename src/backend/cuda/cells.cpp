// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cuda/backend.hpp"

#include <algorithm>
#include <utility>

#include "backend/steps/step_numbers_of.hpp"
#include "core/message.hpp"

namespace meander::cuda {
namespace {

StepNumbers numbers_of(const engine::Iteration& work, std::int64_t step) {
  StepNumbers all{.border = static_cast<int>(work.neighbours.border.kind),
                  .corner = work.neighbours.corner,
                  .beyond = work.neighbours.border.value};
  std::copy(work.neighbours.axis.begin(), work.neighbours.axis.end(), all.axis);
  std::copy_n(work.of_step(step), engine::facts_of(work.rule).parameters, all.parameters);
  return all;
}
static_assert(StepNumbers::most_parameters == engine::most_parameters);
static_assert(wants_differences == engine::RuleFacts::wants_differences);

/// Of a block, on every device.
constexpr int most_threads = 1024;

}  // namespace

void CudaBackend::iterate(const engine::Iteration& work, const engine::View& state,
                          const engine::View& scratch, const engine::View& fields) {
  const Layout views[] = {layout_of(state), layout_of(scratch)};
  const Layout third = layout_or_none(fields);
  const int type = static_cast<int>(state.type), rule = static_cast<int>(work.rule);
  if (work.steps > 0 && !takes_plain_steps_) {
    FusedPass pass{.in = views[0],
                   .fields = third,
                   .out = views[1],
                   .numbers = steps::step_numbers_of(work, 0, 1)};
    const FusedKernel fused = fused_kernel(type, rule, pass, room_);
    if (fused.launch != nullptr) return run_passes(work, pass, fused);
  }
  steps_a_pass_ = 1;
  queue_->run("iterate", work.steps, [&](cudaStream_t stream) {
    cudaError_t code = cudaSuccess;
    for (std::int64_t step = 0; step < work.steps && code == cudaSuccess; ++step) {
      if (work.stop.stop_requested()) break;
      code = launch_step(stream, type, rule, views[step % 2], third, views[1 - step % 2],
                         numbers_of(work, step), plain_steps_.width, plain_steps_.height,
                         plain_steps_.is_alone);
    }
    return code;
  });
}

void CudaBackend::relax(const engine::Iteration& work, const engine::View& state,
                        const engine::View& fields, bool from_zero) {
  const int type = static_cast<int>(state.type), rule = static_cast<int>(work.rule);
  queue_->run("relax", 2 * work.steps + (from_zero ? 1 : 0), [&](cudaStream_t stream) {
    cudaError_t code = from_zero ? launch_clear(stream, type, layout_of(state)) : cudaSuccess;
    for (std::int64_t half = 0; half < 2 * work.steps && code == cudaSuccess; ++half) {
      if (work.stop.stop_requested()) break;
      code = launch_half_sweep(stream, type, rule, layout_of(state), layout_or_none(fields),
                               static_cast<int>(half % 2), numbers_of(work, half / 2));
    }
    return code;
  });
}

void CudaBackend::apply(const engine::Iteration& work, const engine::View& in,
                        const engine::View& fields, const engine::View& out) {
  queue_->run("apply", 1, [&](cudaStream_t stream) {
    return launch_apply(stream, static_cast<int>(in.type), static_cast<int>(work.rule),
                        layout_of(in), layout_or_none(fields), layout_of(out), numbers_of(work, 0));
  });
}

void CudaBackend::transfer(const engine::View& coarse, const engine::View& fine,
                           const engine::View& weight, engine::Prolongation how) {
  queue_->run("transfer", 1, [&](cudaStream_t stream) {
    return launch_transfer(stream, static_cast<int>(fine.type), layout_of(coarse), layout_of(fine),
                           layout_or_none(weight), how == engine::Prolongation::add);
  });
}

/// A step moves its numbers once, or takes as long as a launch; a quarter of the memory's speed
/// is reached by any rule on any grid.
std::int64_t CudaBackend::steps_at_a_time(const engine::Iteration& work,
                                          const engine::View& state) const {
  constexpr double seconds = 0.06, launch = 4e-6;
  const int numbers = 2 * state.channels + engine::facts_of(work.rule).fields;
  const double bytes = static_cast<double>(state.shape.x * state.shape.y * state.shape.z) *
                       static_cast<double>(size_of(state.type)) * numbers;
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(seconds / std::max(launch, 4 * bytes / bytes_per_second_)));
}

std::string CudaBackend::iteration_notes() const {
  const std::int64_t steps = steps_a_pass_;
  return steps == 1 ? "one launch a step"
                    : message("up to ", steps, " steps a launch, on tiles that overlap");
}

bool CudaBackend::take_plain_steps(const engine::PlainSteps* how) {
  if (how != nullptr && how->width * how->height > most_threads) return false;
  takes_plain_steps_ = how != nullptr;
  plain_steps_ = how != nullptr ? *how : engine::PlainSteps{};
  return true;
}

void CudaBackend::run_passes(const engine::Iteration& work, FusedPass pass,
                             const FusedKernel& fused) {
  const steps::Passes passes(work.steps, fused.most_steps);
  steps_a_pass_ = fused.most_steps;
  queue_->run("iterate", passes.count, [&](cudaStream_t stream) {
    cudaError_t code = cudaSuccess;
    for (std::int64_t i = 0; i < passes.count && code == cudaSuccess; ++i) {
      if (work.stop.stop_requested()) break;
      const std::int64_t first = passes.before(i);
      pass.numbers = steps::step_numbers_of(work, first, passes.before(i + 1) - first);
      pass.is_first = i == 0;
      code = fused.launch(stream, pass, room_);
      std::swap(pass.in, pass.out);
    }
    return code;
  });
}

}  // namespace meander::cuda
