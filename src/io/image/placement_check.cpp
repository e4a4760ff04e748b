// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/image/placement_check.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace meander::io
