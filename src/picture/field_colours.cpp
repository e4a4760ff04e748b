// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>
#include <numbers>

#include "meander/picture.hpp"
#include "picture/wheel.hpp"

namespace meander {
namespace pictures {
namespace {

constexpr std::int64_t least_side_with_wheel = 96;
constexpr std::int64_t radii_in_side = 12;  ///< Of the wheel in the shorter side.
constexpr Colour rim{255, 255, 255};

/// How much of one primary colour a hue has, in sixths of a turn away from that colour's own hue:
/// all of it up to one sixth, none from two.
double part_of_primary(double hue, double own) {
  double apart = std::fmod(std::abs(hue - own), 6.0);
  apart = std::min(apart, 6 - apart);
  return std::clamp(2 - apart, 0.0, 1.0);
}

/// `relative` is the length over the longest.
Colour colour_of(double u, double v, double relative, Brightness brightness) {
  if (!(relative > 0)) return {0, 0, 0};
  const double hue = std::atan2(v, u) * 3 / std::numbers::pi;
  const double value = 255 * (brightness == Brightness::full ? 1 : strength(relative, 1));
  return {value * part_of_primary(hue, 0), value * part_of_primary(hue, 2),
          value * part_of_primary(hue, 4)};
}

}  // namespace

Image colour_picture(const VectorPlane& plane, Brightness brightness, const Control& control) {
  const Control stop{.stop = control.stop, .progress = {}};
  Image picture = black_picture(plane.width(), plane.height());
  if (!(plane.longest > 0)) return picture;
  for (std::int64_t y = 0; y < plane.height(); ++y) {
    stop.step(0);
    for (std::int64_t x = 0; x < plane.width(); ++x) {
      const auto [u, v] = plane.at(x, y);
      blend(picture, x, y, colour_of(u, v, std::hypot(u, v) / plane.longest, brightness), 1);
    }
  }
  return picture;
}

void add_wheel(Image& picture, Brightness brightness) {
  const Shape& shape = picture.shape();
  const std::int64_t side = std::min(shape.x, shape.y);
  if (side < least_side_with_wheel) return;
  const std::int64_t radius = side / radii_in_side;
  const std::int64_t reach = radius + 2;  // with the rim
  const std::int64_t margin = radius / 4;
  const std::int64_t centre_x = shape.x - 1 - margin - reach;
  const std::int64_t centre_y = margin + reach;
  for (std::int64_t dy = -reach; dy <= reach; ++dy) {
    for (std::int64_t dx = -reach; dx <= reach; ++dx) {
      const auto u = static_cast<double>(dx), v = static_cast<double>(dy);
      const double from_centre = std::hypot(u, v), edge = static_cast<double>(radius);
      const Colour inside = colour_of(u, v, std::min(from_centre / edge, 1.0), brightness);
      const std::int64_t x = centre_x + dx, y = centre_y + dy;
      blend(picture, x, y, rim, std::clamp(edge + 2 - from_centre, 0.0, 1.0));
      blend(picture, x, y, inside, std::clamp(edge + 0.5 - from_centre, 0.0, 1.0));
    }
  }
}

}  // namespace pictures

Image field_colours(const Field& field, const Control& control) {
  using namespace pictures;
  control.step(0);
  const VectorPlane plane = plane_of(field, control);
  control.step(0.3);
  Image picture = colour_picture(plane, Brightness::by_length, control);
  add_wheel(picture, Brightness::by_length);
  control.step(1);
  return picture;
}

}  // namespace meander
