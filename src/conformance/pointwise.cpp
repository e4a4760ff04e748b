// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <array>
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

}  // namespace meander::conformance
