// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/image/placement.hpp"

#include <algorithm>
#include <cmath>

#include "core/number_text.hpp"
#include "meander/options.hpp"

namespace meander::io {
namespace {

using Vector = Placement::Vector;

bool is_finite(const Vector& vector) {
  return std::ranges::all_of(vector, [](double value) { return std::isfinite(value); });
}

/// With length 1; not finite where that cannot be.
Vector direction(const Vector& step) {
  const double length = std::hypot(step[0], step[1], step[2]);
  return {step[0] / length, step[1] / length, step[2] / length};
}

double determinant(const Vector& a, const Vector& b, const Vector& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

}  // namespace

bool is_regular(const Placement& placement) {
  // Of unit vectors it is the volume they span. Headers of float32 round directions by 6e-8, so
  // what is flatter than this may as well be flat.
  constexpr double flattest = 1e-6;
  const auto& [x, y, z] = placement.step;
  const double volume = determinant(direction(x), direction(y), direction(z));
  return is_finite(placement.origin) && is_finite(x) && is_finite(y) && is_finite(z) &&
         std::abs(volume) > flattest;
}

namespace {

/// The numbers of a placement in the order of the text; false as soon as `visit` is.
template <class AnyPlacement, class F>
bool each_number(AnyPlacement& placement, F&& visit) {
  for (auto& value : placement.origin) {
    if (!visit(value)) return false;
  }
  for (auto& vector : placement.step) {
    for (auto& value : vector) {
      if (!visit(value)) return false;
    }
  }
  return true;
}

}  // namespace

std::string exact_text(const Placement& placement) {
  std::string text;
  each_number(placement, [&](double value) {
    text += OptionText<double>::format(value) + ",";
    return true;
  });
  return text + std::to_string(static_cast<int>(placement.axes)) + "," +
         std::to_string(static_cast<int>(placement.from));
}

std::optional<Placement> placement_in(std::string_view text) {
  const auto part = [&text] {
    const std::string_view front = text.substr(0, text.find(','));
    text.remove_prefix(std::min(front.size() + 1, text.size()));
    return front;
  };
  Placement placement;
  const bool complete = each_number(placement, [&](double& value) {
    const auto number = number_in<double>(part());
    if (number) value = *number;
    return number && std::isfinite(*number);
  });
  const auto axes = number_in<int>(part());
  const auto from = number_in<int>(part());
  const auto within = [](const std::optional<int>& number, auto last) {
    return number && *number >= 0 && *number <= static_cast<int>(last);
  };
  if (!complete || !within(axes, WorldAxes::left_handed) || !within(from, WorldOrigin::other) ||
      !text.empty()) {
    return std::nullopt;
  }
  placement.axes = static_cast<WorldAxes>(*axes);
  placement.from = static_cast<WorldOrigin>(*from);
  return placement;
}

}  // namespace meander::io
