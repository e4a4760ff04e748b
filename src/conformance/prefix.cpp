// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>

#include "conformance/line_samples.hpp"
#include "engine/view_lines.hpp"

namespace meander::conformance {
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
