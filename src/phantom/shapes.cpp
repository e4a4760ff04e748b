// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/shapes.hpp"

#include <algorithm>
#include <cmath>

#include "phantom/noise/elementary.hpp"
#include "phantom/noise/noise.hpp"

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

}  // namespace meander::phantoms
