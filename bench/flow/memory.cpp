// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/flow/flow.hpp"
#include "bench/flow/grids.hpp"
#include "bench/flow/paper.hpp"

namespace meander::bench {
namespace {

/// Peak of the pool while the flow of the image is computed, the image included.
double peak_of(const Image& image, const FlowOptions& options, const Control& control) {
  const std::int64_t beyond =
      device_peak_of(image.device(), [&] { flow(image, options, {}, control); });
  return static_cast<double>(beyond + padded_bytes(image.description()));
}

}  // namespace

std::vector<FlowMemory> flow_memory(const Shape& size, const Device& device,
                                    const Control& control) {
  const Image image =
      device.upload(flow_image(flow_kind(size), size, NoiseFamily::gaussian, control));
  const auto pixels = static_cast<double>(size.x * size.y * size.z);
  std::vector<FlowMemory> rows;
  const auto add = [&](FlowSolver solver, FlowStorage storage, std::optional<int> published) {
    // As much as any number of steps or cycles needs.
    FlowOptions options{.solver = solver, .max_cycles = 2, .storage = storage};
    if (solver == FlowSolver::explicit_steps) options.iterations = 2;
    const auto estimated =
        static_cast<double>(estimate_bytes(image.description(), options, device));
    rows.push_back({.solver = solver,
                    .storage = storage,
                    .estimated = estimated / pixels,
                    .measured = peak_of(image, options, {.stop = control.stop}) / pixels,
                    .published = published});
  };
  add(FlowSolver::explicit_steps, FlowStorage::f32, paper_flow_bytes(size.rank(), 32));
  add(FlowSolver::explicit_steps, FlowStorage::f16, paper_flow_bytes(size.rank(), 16));
  add(FlowSolver::explicit_steps, FlowStorage::snorm16, paper_flow_bytes(size.rank(), 16));
  add(FlowSolver::multigrid, FlowStorage::f32, std::nullopt);
  return rows;
}

}  // namespace meander::bench
