// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>

#include "conformance/line_samples.hpp"
#include "engine/view_lines.hpp"

namespace meander::conformance {
namespace {

using engine::Axis;
using engine::Backend;
using engine::View;

/// 2·radius + 1 numbers of both signs whose magnitudes add up to about 1.
std::vector<double> sample_weights(std::int64_t radius) {
  std::vector<double> weights;
  for (std::int64_t k = 0; k <= 2 * radius; ++k) {
    const double share = 2.0 / static_cast<double>(2 * radius + 2);
    const double portion = 0.25 + static_cast<double>(k * 5 % 7) / 8;
    weights.push_back((k % 3 == 1 ? -share : share) * portion / 2);
  }
  return weights;
}

/// N products and sums round at most N + 1 times, each 2^-24 of the range (float64: 2^-53, and
/// `reference` rounds as well).
double unit_of(std::int64_t radius, PixelType out, const Image& host) {
  const double rounding = out == PixelType::f32 ? 0x1p-24 : 2 * 0x1p-53;
  return static_cast<double>(2 * radius + 2) * rounding * range_of(host);
}

void compare_fir(const Device& device, const TypePair& types, const Image& host, Axis axis,
                 std::int64_t radius, Border border, Deviation& found) {
  const std::vector<double> weights = sample_weights(radius);
  const auto run = [&](Backend& backend, const View& in, const View& out) {
    backend.fir(in, out, axis, weights, {.kind = border, .value = border_constant});
  };
  const Device reference = Device::open("reference");
  const Image blank = blank_for(host, types.out);
  const double unit = unit_of(radius, types.out, host);
  const Image expected = outcome_on(reference, host, blank, run);
  raise(found, largest_difference(expected, outcome_on(device, host, blank, run)) / unit);
  if (types.in != types.out || !device.backend().uses_host_memory()) return;
  const Image there = outcome_in_place_on(reference, host, run);
  raise(found, largest_difference(there, outcome_in_place_on(device, host, run)) / unit);
}

}  // namespace

/// Radii from none to more than most lines are long; borders take turns.
std::vector<Deviation> check_fir(const Device& device) {
  std::vector<Deviation> all;
  int turn = 0;
  for (const TypePair& types : line_types(device)) {
    Deviation found{.engine = "fir",
                    .check = std::string(name_of(types.in)) + " to " +
                             std::string(name_of(types.out)) + ", units of rounding",
                    .tolerance = 1};
    for (const Description& description : line_descriptions(types.in)) {
      const Image host = line_image(description);
      for (const Axis axis : all_axes) {
        for (const std::int64_t radius : {0, 1, 4, 17}) {
          compare_fir(device, types, host, axis, radius, all_borders[turn++ % 5], found);
        }
      }
    }
    all.push_back(found);
  }
  return all;
}

namespace {

using engine::Axis;
using engine::Backend;
using engine::Prefix;
using engine::View;

/// n sums of at most n·range each round by 2^-53, on both sides.
double unit_of(const Image& host) {
  const Shape& shape = host.shape();
  const auto length = static_cast<double>(std::max({shape.x, shape.y, shape.z}));
  return 2 * length * length * range_of(host) * 0x1p-53;
}

void compare_prefix(const Device& device, const Image& host, Axis axis, Prefix kind,
                    Deviation& found) {
  const auto run = [&](Backend& backend, const View& in, const View& out) {
    backend.prefix(in, out, axis, kind);
  };
  const Image blank = blank_for(host, PixelType::f64);
  const Image expected = outcome_on(Device::open("reference"), host, blank, run);
  const Image result = outcome_on(device, host, blank, run);
  if (is_integer(host.type())) raise(found, different_words(inside(expected), inside(result)));
  raise(found, largest_difference(expected, result) / unit_of(host));
}

}  // namespace

Deviation check_prefix(const Device& device, PixelType type) {
  const bool exact = is_integer(type);
  Deviation found{
      .engine = "prefix",
      .check = std::string(name_of(type)) + (exact ? ", different sums" : ", units of rounding")};
  found.tolerance = exact ? 0 : 1;
  for (const Description& description : line_descriptions(type)) {
    const Image host = line_image(description);
    for (const Axis axis : all_axes) {
      for (const Prefix kind : {Prefix::inclusive, Prefix::exclusive}) {
        compare_prefix(device, host, axis, kind, found);
      }
    }
  }
  return found;
}

}  // namespace meander::conformance
