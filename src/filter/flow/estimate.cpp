// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>

#include "engine/backend.hpp"
#include "filter/check.hpp"
#include "filter/flow/check.hpp"
#include "filter/flow/multigrid_cycle.hpp"
#include "filter/flow/source.hpp"
#include "filter/smooth/design.hpp"
#include "meander/statistics.hpp"

namespace meander {
namespace {

/// Weights and parameters of calls that are under way.
constexpr std::int64_t small_things = 4096;

/// What writing a component of V0 needs beside input and output.
std::int64_t source_bytes(const Description& input, const FlowOptions& options,
                          const Device& device) {
  if (options.sigma) {
    SmoothOptions smoothing{.sigma = *options.sigma, .precision = options.precision};
    smoothing.order[0] = 1;
    return estimate_bytes(input, smoothing, device) - padded_bytes(input);
  }
  const PixelType readable = readable_type(input.type);
  const std::int64_t copy = readable == input.type ? 0 : bytes_of(input, readable, 1);
  constexpr std::int64_t taps = 3;
  const std::int64_t longest = std::max({input.shape.x, input.shape.y, input.shape.z});
  const auto number = static_cast<std::int64_t>(size_of(flow_arithmetic(input.type, options)));
  return copy + device.backend().lines_held() * number * (longest + taps + engine::scan_overhead);
}

/// What a sum over all components takes, and other small things.
std::int64_t reduction_bytes(const Description& field) {
  return estimate_statistics_bytes(field) - padded_bytes(field) + small_things;
}

std::int64_t coarser_bytes(const Description& input, PixelType type, int channels) {
  std::int64_t bytes = 0;
  const auto levels = flow_levels(input.shape, relative_sides(input), 1, {});
  for (std::size_t i = 1; i < levels.size(); ++i) {
    bytes += padded_bytes({.shape = levels[i].shape, .channels = channels, .type = type});
  }
  return bytes;
}

/// A cycle gains some two digits, and the first residual is seen after one.
double likely_cycles(const FlowOptions& options) {
  const double cycles = 1 + std::ceil(-std::log10(options.tolerance) / 2);
  return std::min(cycles, static_cast<double>(options.max_cycles));
}

}  // namespace

std::int64_t estimate_bytes(const Description& input, const FlowOptions& options,
                            const Device& device, const FlowExtras& extras) {
  const int components = input.shape.rank();
  const bool is_field = input.channels == components;
  check_flow(input, is_field, options, device);
  if (extras.mask) check_mask_goes_with(options);
  const PixelType arithmetic = flow_arithmetic(input.type, options);
  const std::int64_t field = bytes_of(input, arithmetic, components);
  const std::int64_t one = bytes_of(input, arithmetic, 1);
  const std::int64_t given =
      padded_bytes(input) + (extras.mask ? one : 0) + (extras.start ? field : 0);
  const std::int64_t source = is_field ? 0 : source_bytes(input, options, device);
  const std::int64_t reduction =
      reduction_bytes({.shape = input.shape, .channels = components, .type = arithmetic});
  if (options.solver == FlowSolver::multigrid) {
    const int channels = Multigrid::channels_needed(extras.mask);
    return given + bytes_of(input, arithmetic, components + channels) +
           coarser_bytes(input, arithmetic, channels) + std::max(source, field) + reduction;
  }
  const std::int64_t stored = bytes_of(input, flow_storage(arithmetic, options), components);
  const bool is_packed = options.storage != FlowStorage::f32;
  const std::int64_t stepping = is_packed ? std::max(2 * stored, field) : 2 * stored;
  return given + stored + std::max(source + 2 * one, stepping) + reduction;
}

Work estimate_work(const Description& input, const FlowOptions& options, const FlowExtras& extras) {
  const int components = input.shape.rank();
  const PixelType arithmetic = flow_arithmetic(input.type, options);
  const auto field = static_cast<double>(bytes_of(input, arithmetic, components));
  const double numbers = static_cast<double>(input.numbers()) / input.channels * components;
  Work work;
  work.upload_bytes = static_cast<double>(padded_bytes(input)) +
                      (extras.mask ? field / components : 0) + (extras.start ? field : 0);
  work.download_bytes = field;
  work.needs_float64 = arithmetic == PixelType::f64;
  // Derivatives of a Gaussian pass along every axis.
  const double passes = options.sigma ? components : 1;
  work[WorkKind::lines] = {.units = numbers * passes, .launches = components * passes};
  if (options.solver != FlowSolver::multigrid) {
    const Shape& shape = input.shape;
    const auto steps =
        static_cast<double>(options.iterations.value_or(std::max({shape.x, shape.y, shape.z})));
    work[WorkKind::steps] = {.units = numbers * steps, .launches = steps};
    return work;
  }
  const double cycles = likely_cycles(options);
  const auto grids =
      static_cast<double>(flow_levels(input.shape, relative_sides(input), 1, {}).size());
  const double visits = grids * (grids + 1) / 2;  // of a cycle F
  work[WorkKind::cycles] = {.units = numbers * cycles, .launches = visits * components * cycles};
  return work;
}

}  // namespace meander
