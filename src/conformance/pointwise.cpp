// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/line_samples.hpp"

namespace meander::conformance {
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

/// Three operands with other numbers at each place, and a blank.
struct Operands {
  Image a, b, c, blank;
};

Operands operands_on(const Device& device, const Description& description) {
  const Image all = sample_image(
      {.shape = description.shape, .channels = 4 * description.channels, .type = description.type},
      true);
  const auto operand = [&](int index) {
    const Image copy = device.upload(sample_image(description, true)).clone();
    for (int c = 0; c < description.channels; ++c) {
      const Image from = device.upload(all).channel(index * description.channels + c);
      device.backend().convert(view_of(from), view_of(copy.channel(c)), {});
    }
    return copy;
  };
  return {operand(0), operand(1), operand(2), operand(3)};
}

/// `target` 0 writes into the blank, 1 to 3 into an operand.
Image outcome(const Device& device, const Description& description, Pointwise operation,
              int target) {
  const Operands from = operands_on(device, description);
  const Image& out = target == 0   ? from.blank
                     : target == 1 ? from.a
                     : target == 2 ? from.b
                                   : from.c;
  const bool has_third = operation == Pointwise::select;
  device.backend().pointwise(operation, view_of(inside(from.a)), view_of(inside(from.b)),
                             has_third ? view_of(inside(from.c)) : engine::View{},
                             view_of(inside(out)));
  return out.download();
}

}  // namespace

/// Sums and products are rounded once, so equal; OpenCL allows a root 3 and a quotient 2.5 units in
/// the last place, and the sum under a root rounds as well.
Deviation check_pointwise(const Device& device, PixelType type) {
  Deviation found{.engine = "pointwise",
                  .check = std::string(name_of(type)) + ", units of the last place"};
  found.tolerance = 4.5;
  const Device reference = Device::open("reference");
  for (const Description& description : sample_descriptions(type)) {
    for (const Pointwise operation :
         {Pointwise::sum, Pointwise::norm, Pointwise::weight, Pointwise::weighted,
          Pointwise::quotient, Pointwise::select}) {
      for (int target = 0; target < 4; ++target) {
        raise(found, largest_units(outcome(reference, description, operation, target),
                                   outcome(device, description, operation, target)));
      }
    }
  }
  return found;
}

}  // namespace meander::conformance
