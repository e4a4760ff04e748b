// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cuda/backend.hpp"

#include "backend/lines/scan_numbers_of.hpp"

namespace meander::cuda {

void CudaBackend::scan(const engine::View& in, const engine::View& out, engine::Axis axis,
                       const engine::Recurrence& recurrence) {
  queue_->run("scan", 1, [&](cudaStream_t stream) {
    return launch_scan(stream, line_layout(in, axis), line_layout(out, axis),
                       axis == engine::Axis::x, engine::length_along(in, axis),
                       engine::line_count(in, axis), lines::scan_numbers_of(recurrence), room_);
  });
}

int CudaBackend::state_numbers(const engine::Recurrence& recurrence) const {
  return lines::kept_states * recurrence.states;
}

void CudaBackend::scan_part(const engine::View& in, const engine::View& out,
                            const engine::View& state, engine::Axis axis,
                            engine::Direction direction, const engine::Recurrence& recurrence,
                            const engine::LinePart& part) {
  queue_->run("scan", 1, [&](cudaStream_t stream) {
    return launch_scan_part(stream, line_layout(in, axis), line_layout(out, axis),
                            line_layout(state, axis), direction == engine::Direction::forward,
                            part.begin, part.length, engine::length_along(in, axis),
                            engine::line_count(in, axis), lines::scan_numbers_of(recurrence));
  });
}

void CudaBackend::scan_state(const engine::View& edge, const engine::View& state, engine::Axis axis,
                             engine::StateMap map, const engine::Recurrence& recurrence) {
  queue_->run("scan", 1, [&](cudaStream_t stream) {
    return launch_scan_state(stream, line_layout(edge, axis), line_layout(state, axis),
                             static_cast<ScanMap>(map), engine::line_count(edge, axis),
                             lines::scan_numbers_of(recurrence));
  });
}

void CudaBackend::fir(const engine::View& in, const engine::View& out, engine::Axis axis,
                      std::span<const double> weights, const BorderRule& border) {
  const auto taps = static_cast<std::int64_t>(weights.size());
  queue_->run("fir", (taps + most_taps - 1) / most_taps, [&](cudaStream_t stream) {
    return launch_fir(stream, line_layout(in, axis), line_layout(out, axis),
                      axis == engine::Axis::x, engine::length_along(in, axis),
                      engine::line_count(in, axis), weights.data(), taps,
                      static_cast<int>(border.kind), border.value);
  });
}

void CudaBackend::prefix(const engine::View& in, const engine::View& out, engine::Axis axis,
                         engine::Prefix kind) {
  queue_->run("prefix sums", 1, [&](cudaStream_t stream) {
    return launch_prefix(stream, line_layout(in, axis), line_layout(out, axis),
                         axis == engine::Axis::x, engine::length_along(in, axis),
                         engine::line_count(in, axis), kind == engine::Prefix::inclusive);
  });
}

}  // namespace meander::cuda
