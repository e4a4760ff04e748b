// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>

#include "meander/image.hpp"

namespace meander {
namespace {

using Vector = Placement::Vector;

bool is_anatomical(WorldAxes axes) {
  return axes == WorldAxes::ras || axes == WorldAxes::lps || axes == WorldAxes::las;
}

/// Whether the first and second axis point to the left and to the back.
std::array<bool, 2> against_ras(WorldAxes axes) {
  if (axes == WorldAxes::ras) return {false, false};
  return {true, axes != WorldAxes::las};
}

/// How much of a step goes along an axis of the world.
double share(const Vector& step, std::size_t axis) {
  const double length = std::hypot(step[0], step[1], step[2]);
  return length > 0 ? std::abs(step[axis]) / length : 0;
}

/// Each axis of the image gets the axis of the world that it follows most, none of them twice.
std::array<std::size_t, 3> followed_axes(const Placement& placement) {
  std::array<std::size_t, 3> order{0, 1, 2}, best = order;
  double most = -1;
  do {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += share(placement.step[i], order[i]);
    if (sum > most) best = order;
    most = std::max(most, sum);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

/// What the two ends of an axis of the world are called.
std::string_view ends_of(WorldAxes axes, std::size_t axis) {
  const bool to_left = axes == WorldAxes::lps || axes == WorldAxes::las;
  const bool to_back = axes == WorldAxes::lps;
  if (axis == 0) return to_left ? "LR" : "RL";
  if (axis == 1) return to_back ? "PA" : "AP";
  return "SI";
}

}  // namespace

std::string_view name_of(WorldAxes axes) {
  switch (axes) {
    case WorldAxes::ras:
      return "ras";
    case WorldAxes::lps:
      return "lps";
    case WorldAxes::las:
      return "las";
    case WorldAxes::scanner:
      return "scanner";
    case WorldAxes::right_handed:
      return "right-handed";
    case WorldAxes::left_handed:
      return "left-handed";
    case WorldAxes::unnamed:
      break;
  }
  return "unnamed";
}

std::string Placement::orientation() const {
  constexpr std::string_view names[] = {"x", "y", "z"};
  const auto followed = followed_axes(*this);
  std::string text;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t axis = followed[i];
    const bool against = step[i][axis] < 0;
    if (is_anatomical(axes)) {
      text += ends_of(axes, axis)[against ? 1 : 0];
    } else {
      text += against ? "-" : "+";
      text += names[axis];
    }
  }
  return text;
}

Placement Placement::moved_to(std::int64_t x, std::int64_t y, std::int64_t z) const {
  Placement moved = *this;
  const double pixels[] = {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < 3; ++i) moved.origin[i] += pixels[axis] * step[axis][i];
  }
  return moved;
}

Placement Placement::in_axes(WorldAxes wanted) const {
  Placement turned = *this;
  turned.axes = wanted;
  const auto now = against_ras(axes), then = against_ras(wanted);
  for (std::size_t i = 0; i < 2; ++i) {
    if (!is_anatomical(wanted) || now[i] == then[i]) continue;
    turned.origin[i] = -turned.origin[i];
    for (Vector& vector : turned.step) vector[i] = -vector[i];
  }
  return turned;
}

Placement Placement::scaled(double factor) const {
  Placement result = *this;
  for (double& value : result.origin) value *= factor;
  for (Vector& vector : result.step) {
    for (double& value : vector) value *= factor;
  }
  return result;
}

}  // namespace meander
