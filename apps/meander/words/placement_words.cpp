// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "words/placement_words.hpp"

#include <algorithm>
#include <cmath>

namespace meander::app {
namespace {

using Vector = Placement::Vector;

double length_of(const Vector& v) { return std::hypot(v[0], v[1], v[2]); }

/// How much of a step goes along an axis of the world.
double share(const Vector& step, std::size_t axis) {
  const double length = length_of(step);
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

bool is_anatomical(WorldAxes axes) {
  return axes == WorldAxes::ras || axes == WorldAxes::lps || axes == WorldAxes::las;
}

/// How many of a's unit one of b's is.
std::optional<double> unit_ratio(Unit a, Unit b) {
  if (a == b) return 1;
  if (a == Unit::pixel || b == Unit::pixel) return {};
  return metres_per(b) / metres_per(a);
}

Vector corner(const Placement& p, const Shape& shape, unsigned index) {
  const auto at = [&](std::int64_t extent, unsigned bit) {
    return (index & bit) != 0 ? extent - 1 : 0;
  };
  return p.moved_to(at(shape.x, 1), at(shape.y, 2), at(shape.z, 4)).origin;
}

bool is_near(double a, double b) { return std::abs(a - b) <= 1e-6 * std::abs(a); }

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

std::string orientation_of(const Placement& placement) {
  constexpr std::string_view names[] = {"x", "y", "z"};
  const auto followed = followed_axes(placement);
  std::string text;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t axis = followed[i];
    const bool against = placement.step[i][axis] < 0;
    if (is_anatomical(placement.axes)) {
      text += ends_of(placement.axes, axis)[against ? 1 : 0];
    } else {
      text += against ? "-" : "+";
      text += names[axis];
    }
  }
  return text;
}

std::optional<double> displacement(const Description& a, const Description& b) {
  const auto ratio = unit_ratio(a.spacing.unit, b.spacing.unit);
  if (!a.placement || !b.placement || !ratio) return {};
  const Placement other = b.placement->in_axes(a.placement->axes).scaled(*ratio);
  double farthest = 0, pixel = length_of(a.placement->step[0]);
  for (const Vector& step : a.placement->step) pixel = std::min(pixel, length_of(step));
  for (unsigned i = 0; i < 8; ++i) {
    const Vector here = corner(*a.placement, a.shape, i), there = corner(other, b.shape, i);
    farthest =
        std::max(farthest, std::hypot(here[0] - there[0], here[1] - there[1], here[2] - there[2]));
  }
  return farthest / pixel;
}

bool has_same_spacing(const Description& a, const Description& b) {
  const auto ratio = unit_ratio(a.spacing.unit, b.spacing.unit);
  return ratio && is_near(a.spacing.x, b.spacing.x * *ratio) &&
         is_near(a.spacing.y, b.spacing.y * *ratio) &&
         (a.shape.rank() < 3 || is_near(a.spacing.z, b.spacing.z * *ratio));
}

}  // namespace meander::app
