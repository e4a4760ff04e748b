// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/image.hpp"

namespace meander {
namespace {

bool is_anatomical(WorldAxes axes) {
  return axes == WorldAxes::ras || axes == WorldAxes::lps || axes == WorldAxes::las;
}

/// Whether the first and second axis point to the left and to the back.
std::array<bool, 2> against_ras(WorldAxes axes) {
  if (axes == WorldAxes::ras) return {false, false};
  return {true, axes != WorldAxes::las};
}

}  // namespace

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
