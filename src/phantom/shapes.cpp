// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>

#include "phantom/noise/elementary.hpp"
#include "phantom/noise/noise.hpp"
#include "phantom/scene.hpp"

namespace meander::phantoms {
namespace {

double middle_of(std::int64_t length) { return static_cast<double>(length - 1) / 2; }

Polygon rectangle(double left, double top, double right, double bottom) {
  return {{on_grid(left, top), on_grid(right, top), on_grid(right, bottom), on_grid(left, bottom)}};
}

}  // namespace

double shorter_side(const Shape& shape) { return static_cast<double>(std::min(shape.x, shape.y)); }

bool in_middle_half(std::int64_t z, std::int64_t depth) {
  return z >= depth / 4 && z < depth - depth / 4;
}

std::vector<Region> whole_target(Polygon outline) {
  return {{std::move(outline), tenths_of_target}};
}

std::vector<Region> star(const Canvas& canvas, const Band& band, Layer) {
  if (!in_middle_half(band.z, canvas.shape.z)) return {};
  constexpr int points = 7;
  constexpr double turned = 0.018;  // of a full turn
  const double outer = 0.42 * shorter_side(canvas.shape);
  const double inner = 0.4 * outer;
  Polygon outline;
  for (int i = 0; i < 2 * points; ++i) {
    const auto [sine, cosine] = sine_cosine_of_turns(turned + i / (2.0 * points));
    const double radius = i % 2 == 0 ? outer : inner;
    outline.vertices.push_back(on_grid(middle_of(canvas.shape.x) + radius * cosine,
                                       middle_of(canvas.shape.y) + radius * sine));
  }
  return whole_target(std::move(outline));
}

std::vector<Region> ushape(const Canvas& canvas, const Band& band, Layer) {
  if (!in_middle_half(band.z, canvas.shape.z)) return {};
  // Clockwise as seen with y down, from the top left; a slot 0.2 wide and 0.5 deep.
  constexpr double corners[][2] = {{-.32, -.34}, {-.10, -.34}, {-.10, .16}, {.10, .16},
                                   {.10, -.34},  {.32, -.34},  {.32, .34},  {-.32, .34}};
  const double side = shorter_side(canvas.shape);
  Polygon outline;
  for (const auto& [x, y] : corners) {
    outline.vertices.push_back(
        on_grid(middle_of(canvas.shape.x) + side * x, middle_of(canvas.shape.y) + side * y));
  }
  return whole_target(std::move(outline));
}

std::vector<Region> impulse(const Canvas& canvas, const Band& band, Layer) {
  const Shape& shape = canvas.shape;
  if (band.z != shape.z / 2) return {};
  const std::int64_t column = shape.x / 2, row = shape.y / 2;
  const auto x = static_cast<double>(column), y = static_cast<double>(row);
  return whole_target(rectangle(x - 0.5, y - 0.5, x + 0.5, y + 0.5));
}

std::vector<Region> step(const Canvas& canvas, const Band&, Layer) {
  const auto right = static_cast<double>(canvas.shape.x) - 0.5;
  const auto bottom = static_cast<double>(canvas.shape.y) - 0.5;
  return whole_target(rectangle(middle_of(canvas.shape.x), -0.5, right, bottom));
}

std::vector<Region> constant(const Canvas&, const Band&, Layer) { return {}; }

namespace {

/// Half axes and centre where the image spans -1 … 1 with y up; turned counterclockwise about z.
struct Ellipsoid {
  int tenths;
  double a, b, c;
  double x, y, z;
  double degrees;
};

// Shepp and Logan (1974) with the contrasts of Toft (1996); depths as in the customary 3-D
// extension.
constexpr Ellipsoid head[] = {
    {10, .6900, .9200, .810, 0, 0, 0, 0},     {-8, .6624, .8740, .780, 0, -.0184, 0, 0},
    {-2, .1100, .3100, .220, .22, 0, 0, -18}, {-2, .1600, .4100, .280, -.22, 0, 0, 18},
    {1, .2100, .2500, .410, 0, .35, -.15, 0}, {1, .0460, .0460, .050, 0, .1, .25, 0},
    {1, .0460, .0460, .050, 0, -.1, .25, 0},  {1, .0460, .0230, .050, -.08, -.605, 0, 0},
    {1, .0230, .0230, .020, 0, -.606, 0, 0},  {1, .0230, .0460, .020, .06, -.605, 0, 0}};

/// What is left of the half axes a and b in slice z; a 2-D image shows every ellipse in full.
double scale_in_slice(const Ellipsoid& part, std::int64_t z, const Shape& shape) {
  if (shape.rank() == 2) return 1;
  const double height = (2 * static_cast<double>(z) + 1) / static_cast<double>(shape.z) - 1;
  const double distance = (height - part.z) / part.c;
  return std::sqrt(std::max(0.0, 1 - distance * distance));
}

/// Vertices on the ellipse, so many that the chords stay within 1/64 pixel of it.
Polygon outline_of(const Ellipsoid& part, double scale, const Shape& shape) {
  const double half_width = 0.5 * static_cast<double>(shape.x);
  const double half_height = 0.5 * static_cast<double>(shape.y);
  const double radius = std::max(part.a, part.b) * std::max(half_width, half_height);
  const int count = std::max(12, static_cast<int>(std::ceil(pi * std::sqrt(32 * radius))));
  const auto [sine, cosine] = sine_cosine_of_turns(part.degrees / 360);
  Polygon outline;
  for (int i = 0; i < count; ++i) {
    // Backwards: y turns over on its way to the image, and the area shall be positive there.
    const auto [up, right] = sine_cosine_of_turns(-static_cast<double>(i) / count);
    const double p = part.a * scale * right;
    const double q = part.b * scale * up;
    outline.vertices.push_back(on_grid(half_width * (1 + part.x + p * cosine - q * sine) - 0.5,
                                       half_height * (1 - (part.y + p * sine + q * cosine)) - 0.5));
  }
  return outline;
}

}  // namespace

std::vector<Region> shepp_logan(const Canvas& canvas, const Band& band, Layer layer) {
  std::vector<Region> regions;
  for (const Ellipsoid& part : head) {
    const double scale = scale_in_slice(part, band.z, canvas.shape);
    if (scale > 0) regions.push_back({outline_of(part, scale, canvas.shape), part.tenths});
    if (layer == Layer::truth) break;  // the first is the head as a whole
  }
  return regions;
}

}  // namespace meander::phantoms
