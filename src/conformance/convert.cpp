// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>

#include "conformance/samples.hpp"
#include "meander/convert.hpp"
#include "meander/statistics.hpp"

namespace meander::conformance {
namespace {

bool has_types(const Device& device, PixelType a, PixelType b) {
  return device.info().has_float64 || (a != PixelType::f64 && b != PixelType::f64);
}

/// The largest difference between the device and `reference`, over every target type; `unit_of`
/// scales it.
template <class UnitOf>
Deviation check(const Device& device, PixelType from, Deviation found,
                const std::optional<std::array<double, 2>>& window, UnitOf unit_of) {
  const Device reference = Device::open("reference");
  for (const Description& description : sample_descriptions(from)) {
    const Image host = inside(sample_image(description, true));
    const Image there = device.upload(host);
    for (const PixelType to : all_pixel_types) {
      if (!has_types(device, from, to)) continue;
      const ConvertOptions options{.type = to, .window = window};
      const Image expected = convert(reference.upload(host), options).download();
      const Image result = convert(there, options).download();
      found.deviation =
          std::max(found.deviation, largest_difference(expected, result) / unit_of(expected, to));
      ++found.cases;
    }
  }
  return found;
}

/// What two roundings in float32 instead of float64 may change: one level of an integer (the sum
/// may lie on the other side of a tie), one unit in the last place of f16, and 2 roundings of 2^-24
/// each, relative to the largest product or sum, in f32. The sums of the window below are at most 4
/// times the result's range, so 8·2^-24 of the range. f64 is computed in float64 by all.
double affine_unit(const Image& expected, PixelType to, PixelType from) {
  const Statistics range = statistics(expected);
  const double largest = range.finite > 0 ? std::max(std::abs(range.min), std::abs(range.max)) : 0;
  if (is_integer(to)) return 1;
  if (to == PixelType::f16) return std::max(largest * 0x1p-10, 0x1p-24);
  const bool wide = to == PixelType::f64 || from == PixelType::f64;
  return std::max(largest * (wide ? 0x1p-50 : 0x1p-21), 0x1p-149);
}

}  // namespace

Deviation check_identity(const Device& device, PixelType from) {
  return check(
      device, from,
      {.engine = "convert", .check = std::string(name_of(from)) + " to all types, difference"},
      std::nullopt, [](const Image&, PixelType) { return 1.0; });
}

Deviation check_affine(const Device& device, PixelType from) {
  return check(device, from,
               {.engine = "convert",
                .check = std::string(name_of(from)) + " through a window, units of rounding",
                .tolerance = 1},
               std::array{-100.25, 300.5}, [from](const Image& expected, PixelType to) {
                 return affine_unit(expected, to, from);
               });
}

}  // namespace meander::conformance
