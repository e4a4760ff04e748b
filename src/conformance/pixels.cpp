// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "conformance/line_samples.hpp"
#include "conformance/samples.hpp"
#include "meander/convert.hpp"
#include "meander/statistics.hpp"

namespace meander::conformance {

Deviation check_copy(const Device& device, PixelType type) {
  Deviation found{.engine = "copy",
                  .check = "upload, clone, download " + std::string(name_of(type))};
  for (const Description& description : sample_descriptions(type)) {
    const Image host = sample_image(description, true);
    for (const Image& source : {host, inside(host)}) {
      const Image back = device.upload(source).clone().download();
      found.deviation = std::max(found.deviation, largest_difference(source, back));
      // A view of an image on the device must arrive like the view of the host's.
      const Image view = inside(device.upload(source)).download();
      found.deviation = std::max(found.deviation, largest_difference(inside(source), view));
      found.cases += 2;
    }
  }
  return found;
}

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

namespace {

using engine::Pointwise;

/// In units of the last place, number by number; what lies below the smallest normal number of f32
/// may be flushed to 0.
double units_between(double expected, double found, double last_place) {
  if (expected == found || (std::isnan(expected) && std::isnan(found))) return 0;
  if (!std::isfinite(expected) || !std::isfinite(found)) {
    return std::numeric_limits<double>::infinity();
  }
  return std::abs(expected - found) / (std::abs(expected) * last_place + 0x1p-126);
}

double largest_units(const Image& expected, const Image& found) {
  double largest = 0;
  visit(expected.type(), [&]<class T>(std::type_identity<T>) {
    const double last_place = sizeof(T) == 4 ? 0x1p-23 : 0x1p-52;
    const engine::View& view = view_of(expected);
    for (std::int64_t row = 0; row < view.rows(); ++row) {
      const T* left = reinterpret_cast<const T*>(view.host_row(row));
      const T* right = reinterpret_cast<const T*>(view_of(found).host_row(row));
      for (std::int64_t x = 0; x < view.shape.x; ++x) {
        largest =
            std::max(largest, units_between(to_double(left[x]), to_double(right[x]), last_place));
      }
    }
  });
  return largest;
}

/// Three operands and a blank, with other numbers at each place.
using Operands = std::array<Image, 4>;

Operands sample_operands(const Description& description) {
  Description larger = description;
  larger.shape.y += 3;
  const Image image = sample_image(larger, true);
  const auto from_row = [&](std::int64_t y) { return image.rows(y, y + description.shape.y); };
  return {from_row(0), from_row(1), from_row(2), from_row(3)};
}

/// Changes every number of an image in host memory.
template <class Change>
void remake(const Image& image, Change change) {
  const engine::View& view = view_of(image);
  visit(view.type, [&]<class T>(std::type_identity<T>) {
    for (std::int64_t row = 0; row < view.rows(); ++row) {
      T* numbers = reinterpret_cast<T*>(view.host_row(row));
      for (std::int64_t x = 0; x < view.shape.x; ++x) {
        numbers[x] = from_double<T>(change(to_double(numbers[x])));
      }
    }
  });
}

/// Operands for what flows ask for: nothing that a device may take for 0 and then divide by or take
/// the root of; where squares are added, nothing negative, which could cancel; e^a from its lower
/// end to beyond 2^20.
Operands operands_of_flow(const Operands& host, Pointwise operation) {
  Operands all;
  std::transform(host.begin(), host.end(), all.begin(),
                 [](const Image& image) { return image.clone(); });
  for (const Image& image : all) {
    remake(image, [](double v) { return std::abs(v) < 0x1p-20 ? 0 : v; });
  }
  if (operation == Pointwise::add_square) remake(all[0], [](double v) { return std::abs(v); });
  if (operation == Pointwise::growth) remake(all[0], [](double v) { return v * 0x1p-13; });
  return all;
}

/// What lies in copy `target` of the images on the device after the operation wrote there.
Image outcome(const Device& device, const Operands& host, Pointwise operation, std::size_t target) {
  Operands there;
  for (std::size_t i = 0; i < host.size(); ++i) there[i] = device.upload(host[i]).clone();
  const bool has_third = operation == Pointwise::select;
  device.backend().pointwise(operation, view_of(inside(there[0])), view_of(inside(there[1])),
                             has_third ? view_of(inside(there[2])) : engine::View{},
                             view_of(inside(there[target])));
  return there[target].download();
}

}  // namespace

/// Sums and products are rounded once, so equal; OpenCL allows a root 3 and a quotient 2.5 units in
/// the last place, and the sum under a root rounds as well. A square that is added may round twice,
/// and e^a - 1 has 3 units of OpenCL's.
Deviation check_pointwise(const Device& device, PixelType type) {
  Deviation found{.engine = "pointwise",
                  .check = std::string(name_of(type)) + ", units of the last place"};
  found.tolerance = 4.5;
  const Device reference = Device::open("reference");
  const auto compare = [&](const Operands& host, Pointwise operation) {
    for (std::size_t target = 0; target < host.size(); ++target) {
      raise(found, largest_units(outcome(reference, host, operation, target),
                                 outcome(device, host, operation, target)));
    }
  };
  for (const Description& description : sample_descriptions(type)) {
    const Operands host = sample_operands(description);
    for (const Pointwise operation :
         {Pointwise::sum, Pointwise::norm, Pointwise::weight, Pointwise::weighted,
          Pointwise::quotient, Pointwise::select, Pointwise::difference}) {
      compare(host, operation);
    }
    for (const Pointwise operation : {Pointwise::product, Pointwise::add_square,
                                      Pointwise::direction, Pointwise::growth, Pointwise::root}) {
      compare(operands_of_flow(host, operation), operation);
    }
  }
  return found;
}

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
