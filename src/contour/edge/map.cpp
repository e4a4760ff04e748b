// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/edge/map.hpp"

#include <algorithm>
#include <numbers>
#include <utility>

#include "core/control_part.hpp"
#include "core/image_state.hpp"
#include "core/message.hpp"
#include "core/quantile.hpp"
#include "meander/convert.hpp"
#include "meander/statistics.hpp"

namespace meander::contour {
namespace {

constexpr double stands_out = 8;
constexpr std::int64_t enough_pixels = std::int64_t{1} << 18;

/// Every k-th row of the image, as one that shares its pixels.
engine::View some_rows(engine::View view) {
  const std::int64_t stride =
      std::max<std::int64_t>(1, view.shape.x * view.shape.y / enough_pixels);
  view.offset += view.pitch.row * (std::min(stride, view.shape.y) / 2);
  view.shape.y = std::max<std::int64_t>(1, view.shape.y / stride);
  view.pitch.row *= stride;
  return view;
}

struct Gradient {
  Image magnitude;
  Scale sigma;
  double median = 0, largest = 0;
};

Gradient gradient_of(const Image& image, const Scale& sigma, const Control& control) {
  Image magnitude = smooth(image, gradient_options(sigma), {}, control);
  if (magnitude.type() != PixelType::f32) magnitude = convert(magnitude, {.type = PixelType::f32});
  Gradient gradient{.magnitude = magnitude, .sigma = sigma};
  const Statistics found = statistics(gradient.magnitude);
  if (found.nonfinite > 0) {
    throw InvalidArgument("the image has values that are not finite, expected numbers everywhere");
  }
  gradient.median = median_of(gradient.magnitude);
  gradient.largest = found.max;
  return gradient;
}

}  // namespace

SmoothOptions gradient_options(const Scale& sigma) {
  return {.sigma = sigma, .border = {Border::reflect}, .output = SmoothOutput::magnitude};
}

double median_of(const Image& image) {
  const engine::View rows = some_rows(image.state().view);
  const Image sample = Image::allocate({.shape = rows.shape, .type = rows.type});
  image.state().backend->read(rows, sample.state().view);
  std::vector<float> values;
  for (std::int64_t y = 0; y < rows.shape.y; ++y) {
    const float* row = sample.row<float>(y);
    values.insert(values.end(), row, row + rows.shape.x);
  }
  return value_of_rank(values, values.size() / 2);
}

EdgeMap edge_map(const Image& image, const EdgeOptions& options, const Control& control) {
  // How many scales will be tried is not known: each takes half of what is left.
  double done = options.sigma ? 1 : 0.5;
  Gradient gradient =
      gradient_of(image, options.sigma.value_or(smallest_sigma), part_of(control, 0, done));
  for (double sigma = smallest_sigma; !options.sigma && sigma < largest_sigma;) {
    if (gradient.largest >= stands_out * gradient.median) break;
    sigma *= std::numbers::sqrt2;
    gradient = {};  // not two at a time
    const double begin = std::exchange(done, (1 + done) / 2);
    gradient = gradient_of(image, std::min(sigma, largest_sigma), part_of(control, begin, done));
  }
  EdgeMap map{.sigma = gradient.sigma,
              .noise_floor = options.noise_floor * gradient.median,
              .largest = gradient.largest};
  // Without an edge above the floor any window from the largest on makes all of it 0.
  const bool has_edges = map.largest > map.noise_floor;
  const double low = has_edges ? map.noise_floor : map.largest;
  const double high = has_edges ? map.largest : 2 * map.largest + 1;
  map.edges = convert(gradient.magnitude, {.type = PixelType::u16, .window = {{low, high}}});
  return map;
}

double part_on_edges(const Image& edges, const Curve& curve) {
  const engine::View& view = edges.state().view;
  const Image line = Image::allocate({.shape = {view.shape.x, 1, 1}, .type = PixelType::u16});
  std::vector<GridPoint> points = curve.points;
  std::sort(points.begin(), points.end(),
            [](const GridPoint& a, const GridPoint& b) { return a.y < b.y; });
  const auto pixel = [](std::int64_t at, std::int64_t count) {
    const std::int64_t half = grid_steps_per_pixel / 2;
    return std::clamp<std::int64_t>((at + half) >> 8, 0, count - 1);
  };
  std::int64_t row = -1, found = 0;
  for (const GridPoint& p : points) {
    const std::int64_t y = pixel(p.y, view.shape.y);
    if (y != row) {
      engine::View part = view;
      part.offset += y * view.pitch.row;
      part.shape.y = 1;
      edges.state().backend->read(part, line.state().view);
      row = y;
    }
    if (line.row<std::uint16_t>(0)[pixel(p.x, view.shape.x)] > 0) ++found;
  }
  return static_cast<double>(found) / static_cast<double>(points.size());
}

}  // namespace meander::contour
