// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/edge_map.hpp"

#include <algorithm>

#include "core/image_state.hpp"
#include "core/message.hpp"
#include "meander/convert.hpp"
#include "meander/statistics.hpp"

namespace meander::contour {
namespace {

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

}  // namespace

double median_of(const Image& image) {
  const engine::View rows = some_rows(image.state().view);
  const Image sample = Image::allocate({.shape = rows.shape, .type = rows.type});
  image.state().backend->read(rows, sample.state().view);
  std::vector<float> values;
  for (std::int64_t y = 0; y < rows.shape.y; ++y) {
    const float* row = sample.row<float>(y);
    values.insert(values.end(), row, row + rows.shape.x);
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

EdgeMap edge_map(const Image& image, const EdgeOptions& options, const Control& control) {
  const Image magnitude =
      smooth(image, {.sigma = options.sigma, .output = SmoothOutput::magnitude}, control);
  const Statistics found = statistics(magnitude);
  if (found.nonfinite > 0) {
    throw InvalidArgument("the image has values that are not finite, expected numbers everywhere");
  }
  EdgeMap map{.noise_floor = options.noise_floor * median_of(magnitude), .largest = found.max};
  // Without an edge above the floor any window from the largest on makes all of it 0.
  const bool has_edges = map.largest > map.noise_floor;
  const double low = has_edges ? map.noise_floor : map.largest;
  const double high = has_edges ? map.largest : 2 * map.largest + 1;
  map.edges = convert(magnitude, {.type = PixelType::u16, .window = {{low, high}}});
  return map;
}

}  // namespace meander::contour
