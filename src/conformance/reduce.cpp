// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>

#include "conformance/line_samples.hpp"
#include "meander/statistics.hpp"

namespace meander::conformance {
namespace {

/// Equal, or both NaN (no finite value).
double mismatch(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)) ? 0 : 1; }

double exact_part(const Statistics& a, const Statistics& b) {
  return std::max({mismatch(a.min, b.min), mismatch(a.max, b.max),
                   mismatch(static_cast<double>(a.finite), static_cast<double>(b.finite)),
                   mismatch(static_cast<double>(a.nonfinite), static_cast<double>(b.nonfinite))});
}

/// Never NaN, which would pass every comparison that follows.
double relative(double a, double b, double scale) {
  if (scale == 0 || !std::isfinite(a) || !std::isfinite(b)) return mismatch(a, b);
  return std::abs(a - b) / scale;
}

double sums_part(const Statistics& a, const Statistics& b) {
  return std::max({relative(a.sum, b.sum, a.norm1), relative(a.norm1, b.norm1, a.norm1),
                   relative(a.norm2, b.norm2, a.norm2),
                   relative(a.standard_deviation, b.standard_deviation, a.norm2)});
}

/// Integers are exact. A float64 sum of 4096 numbers in 8 lanes makes at most 512 + 3 roundings,
/// the tree over chunks a few more: 600·2^-53 of the sum of magnitudes. Without float64 pairs of
/// float32 carry at least 44 bits, so 600·2^-44.
double sums_tolerance(const Device& device, PixelType type) {
  if (is_integer(type)) return 0x1p-52;  // the squares of both sides were rooted and squared
  return 600 * (device.info().has_float64 ? 0x1p-53 : 0x1p-44);
}

/// What is asked of a reduction to squares alone.
engine::Sums squares_on(const Device& device, const Image& host) {
  const Image image = device.upload(host);
  return device.backend().reduced(view_of(image), engine::Wanted::squares);
}

void compare_squares(const Device& device, const Image& host, Deviation& exact, Deviation& sums) {
  const engine::Sums expected = squares_on(Device::open("reference"), host);
  const engine::Sums found = squares_on(device, host);
  raise(exact, expected.finite == found.finite && expected.nonfinite == found.nonfinite ? 0 : 1);
  raise(sums, relative(expected.sum_of_squares, found.sum_of_squares, expected.sum_of_squares));
}

}  // namespace

std::vector<Deviation> check_reduce(const Device& device, PixelType type) {
  const std::string name(name_of(type));
  Deviation exact{.engine = "reduce", .check = name + " min, max, counts, mismatches"};
  Deviation sums{.engine = "reduce", .check = name + " sums and norms, relative"};
  sums.tolerance = sums_tolerance(device, type);
  const Device reference = Device::open("reference");
  for (const Description& description : sample_descriptions(type)) {
    for (const bool with_nonfinite : {false, true}) {
      const Image host = inside(sample_image(description, with_nonfinite));
      const Statistics expected = statistics(reference.upload(host));
      const Statistics found = statistics(device.upload(host));
      raise(exact, exact_part(expected, found));
      raise(sums, sums_part(expected, found));
      if (type == PixelType::f32 || type == PixelType::f64) {
        compare_squares(device, host, exact, sums);
      }
    }
  }
  return {exact, sums};
}

}  // namespace meander::conformance
