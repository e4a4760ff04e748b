// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "core/image_state.hpp"
#include "core/message.hpp"
#include "filter/flow/check.hpp"
#include "filter/flow/multigrid_cycle.hpp"
#include "filter/flow/solve.hpp"
#include "filter/step_pace.hpp"

namespace meander {
namespace {

using engine::Pointwise;
using engine::Wanted;

constexpr std::int64_t steps_of_a_cycle = 64;
constexpr std::int64_t most_at_a_time = 256;
constexpr double snorm_scale = 32767;

engine::Neighbours neighbours_of(const Description& input, const FlowOptions& options) {
  const auto levels =
      flow_levels(input.shape, relative_sides(input), 1, {.kind = flow_border(options)});
  return levels[0].neighbours;
}

/// The published scheme on the stencil engine, all components at once.
class SteppedFlow {
 public:
  SteppedFlow(const FlowSource& source, const FlowOptions& options, const FlowInputs& inputs,
              const Control& control)
      : source_(source),
        options_(options),
        inputs_(inputs),
        control_(control),
        device_(source.device()),
        backend_(device_.backend()),
        storage_(flow_storage(source.arithmetic(), options)),
        pace_(backend_),
        work_{.rule = source.components() == 3 ? engine::Rule::vector_flow_volume
                                               : engine::Rule::vector_flow_plane,
              .neighbours = neighbours_of(source.input(), options),
              .stop = control.stop},
        gradient_(device_.allocate(source.field_of(storage_, source.components()))) {}

  FlowResult run();

 private:
  bool is_packed() const { return storage_ != source_.arithmetic(); }
  /// From numbers to what is stored.
  double packing() const { return storage_ == PixelType::i16 ? snorm_scale : 1; }

  void load();
  void check_stability() const;
  void start();
  void step_all(std::int64_t count);
  std::vector<double> step_lengths(std::int64_t left) const;
  void advance(std::vector<double>::const_iterator lengths, std::int64_t count);
  void measure_residual();
  Image unpacked();

  const FlowSource& source_;
  const FlowOptions& options_;
  const FlowInputs& inputs_;
  const Control& control_;
  const Device device_;
  engine::Backend& backend_;
  const PixelType storage_;
  StepPace pace_;
  engine::Iteration work_;
  Image gradient_, state_, scratch_;
  double largest_held_ = 0, source_squares_ = 0;
  FlowFigures figures_;
};

/// 16-bit fields are filled through one component of numbers.
void SteppedFlow::load() {
  const Description one = source_.field_of(source_.arithmetic(), 1);
  const Image held = device_.allocate(one), number = device_.allocate(one);
  const engine::View& squares = held.state().view;
  for (int i = 0; i < source_.components(); ++i) {
    const Image component = is_packed() ? number : gradient_.channel(i);
    const engine::View& view = component.state().view;
    source_.write(i, component, control_);
    control_.step(0);
    backend_.pointwise(i == 0 ? Pointwise::product : Pointwise::add_square, i == 0 ? view : squares,
                       view, {}, squares);
    if (!is_packed()) continue;
    check_numbers(component, "gradient", largest_held(options_));
    backend_.convert(view, gradient_.channel(i).state().view, {.scale = packing()});
  }
  std::vector<engine::MemoryPtr> reductions{backend_.reduce(squares, 0, Wanted::range)};
  for (int i = 0; i < source_.components() && !is_packed(); ++i) {
    const engine::View& product = number.state().view;
    backend_.pointwise(Pointwise::product, squares, gradient_.channel(i).state().view, {}, product);
    reductions.push_back(backend_.reduce(product, 0, Wanted::squares));
  }
  std::vector<engine::Sums> sums(reductions.size());
  backend_.fetch(reductions, sums.data());
  largest_held_ = sums[0].max;
  figures_.max_v0 = std::sqrt(largest_held_);
  for (std::size_t i = 1; i < sums.size(); ++i) source_squares_ += sums[i].sum_of_squares;
}

void SteppedFlow::check_stability() const {
  if (options_.solver == FlowSolver::fed || options_.mu <= figures_.mu_limit) return;
  if (figures_.mu_limit <= 0) {
    throw InvalidArgument(
        message("the gradient reaches ", figures_.max_v0,
                ", expected less than the root of 2 with solver explicit, beyond "
                "which no mu is stable: solvers multigrid and fed have no limit"));
  }
  throw InvalidArgument(message("mu is ", options_.mu, ", expected at most ", figures_.mu_limit,
                                " with solver explicit, the limit of stability for this image: "
                                "solvers multigrid and fed have none"),
                        {.option = "mu"});
}

void SteppedFlow::start() {
  const Description whole = source_.field_of(storage_, source_.components());
  state_ = device_.allocate(whole);
  scratch_ = device_.allocate(whole);
  const bool is_given = !inputs_.start.components().empty();
  backend_.convert(is_given ? inputs_.start.components().state().view : gradient_.state().view,
                   state_.state().view, {.scale = is_given ? packing() : 1});
}

/// Of a cycle of fed, or of as many steps as are wanted.
std::vector<double> SteppedFlow::step_lengths(std::int64_t left) const {
  if (options_.solver == FlowSolver::explicit_steps) {
    return std::vector<double>(static_cast<std::size_t>(std::min(left, most_at_a_time)), 1.0);
  }
  const double largest = 2 * options_.mu * work_.neighbours.weight() + largest_held_;
  return fed_steps(std::min(left, steps_of_a_cycle), largest > 0 ? 2 / largest : 1);
}

void SteppedFlow::advance(std::vector<double>::const_iterator lengths, std::int64_t count) {
  const double mu = options_.mu, weight = work_.neighbours.weight();
  work_.steps = count;
  work_.parameters.clear();
  for (std::int64_t i = 0; i < count; ++i) {
    const double dt = *lengths++;
    work_.parameters.insert(work_.parameters.end(), {dt * mu, 1 - dt * mu * weight, dt});
    figures_.time += dt;
  }
  pace_.run(work_, state_.state().view, scratch_.state().view, gradient_.state().view);
  if (count % 2 != 0) std::swap(state_, scratch_);
  figures_.iterations += count;
}

void SteppedFlow::step_all(std::int64_t count) {
  while (figures_.iterations < count) {
    const std::vector<double> lengths = step_lengths(count - figures_.iterations);
    for (auto next = lengths.begin(); next != lengths.end();) {
      const std::int64_t steps =
          std::min(pace_.most(work_, state_.state().view), lengths.end() - next);
      advance(next, steps);
      next += steps;
      control_.step(static_cast<double>(figures_.iterations) / static_cast<double>(count));
    }
  }
}

/// A single step of length 1 leaves the state, and adds the residual to it.
void SteppedFlow::measure_residual() {
  figures_.relative_residual = std::numeric_limits<double>::quiet_NaN();
  if (is_packed()) return;
  const double mu = options_.mu;
  work_.steps = 1;
  work_.parameters = {mu, 1 - mu * work_.neighbours.weight(), 1};
  const engine::View &state = state_.state().view, &next = scratch_.state().view;
  backend_.iterate(work_, state, next, gradient_.state().view);
  backend_.pointwise(Pointwise::difference, next, state, {}, next);
  const double squares = finite_squares(backend_.reduced(next, Wanted::squares));
  figures_.relative_residual = source_squares_ > 0 ? std::sqrt(squares / source_squares_) : 0;
  figures_.converged = figures_.relative_residual <= options_.tolerance;
}

Image SteppedFlow::unpacked() {
  if (!is_packed()) return state_;
  gradient_ = scratch_ = Image();
  const Image field = device_.allocate(source_.field_of(source_.arithmetic(), state_.channels()));
  backend_.convert(state_.state().view, field.state().view, {.scale = 1 / packing()});
  return field;
}

FlowResult SteppedFlow::run() {
  load();
  const bool is_explicit = options_.solver == FlowSolver::explicit_steps;
  figures_.mu_limit = is_explicit ? flow_mu_limit(source_.input(), figures_.max_v0)
                                  : std::numeric_limits<double>::infinity();
  figures_.correction = std::numeric_limits<double>::quiet_NaN();
  check_stability();
  start();
  step_all(flow_iterations(source_.input().shape, options_));
  figures_.method = figures_.iterations > 0 ? backend_.iteration_notes() : "no steps";
  measure_residual();
  control_.step(1);
  return {Field(unpacked()), figures_};
}

}  // namespace

/// Leja's order of the inverse lengths: each as far from those before as can be, by the product of
/// the distances.
std::vector<double> fed_steps(std::int64_t count, double limit) {
  std::vector<double> left, ordered;
  for (std::int64_t i = 0; i < count; ++i) {
    const double angle =
        std::numbers::pi * static_cast<double>(2 * i + 1) / static_cast<double>(4 * count + 2);
    left.push_back(2 * std::cos(angle) * std::cos(angle));
  }
  std::vector<double> distances(left.size(), 0);
  while (!left.empty()) {
    const auto farthest =
        ordered.empty() ? left.begin()  // the shortest step
                        : left.begin() + (std::ranges::max_element(distances) - distances.begin());
    const double chosen = *farthest;
    ordered.push_back(limit / chosen);
    distances.erase(distances.begin() + (farthest - left.begin()));
    left.erase(farthest);
    for (std::size_t i = 0; i < left.size(); ++i) {
      distances[i] += std::log(std::abs(left[i] - chosen));
    }
  }
  return ordered;
}

FlowResult flow_by_steps(const FlowSource& source, const FlowOptions& options,
                         const FlowInputs& inputs, const Control& control) {
  return SteppedFlow(source, options, inputs, control).run();
}

}  // namespace meander
