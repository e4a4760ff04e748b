// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "picture/reduce.hpp"

#include <algorithm>

namespace meander::pictures {
namespace {

/// The rounded mean of the box of factor × factor pixels, or of what the channel has of it, that
/// pixel (x, y) of the reduced channel stands for.
std::uint8_t mean_of_box(const Image& channel, std::int64_t factor, std::int64_t x,
                         std::int64_t y) {
  const std::int64_t right = std::min(channel.shape().x, (x + 1) * factor);
  const std::int64_t bottom = std::min(channel.shape().y, (y + 1) * factor);
  const std::int64_t count = (right - x * factor) * (bottom - y * factor);
  std::int64_t sum = count / 2;
  for (std::int64_t v = y * factor; v < bottom; ++v) {
    const auto* row = channel.row<std::uint8_t>(v);
    for (std::int64_t u = x * factor; u < right; ++u) sum += row[u];
  }
  return static_cast<std::uint8_t>(sum / count);
}

Image reduced_by(const Image& picture, std::int64_t factor) {
  Description description = picture.description();
  Shape& shape = description.shape;
  shape = {divided_up(shape.x, factor), divided_up(shape.y, factor), 1};
  Image small = Image::allocate(description);
  for (int c = 0; c < description.channels; ++c) {
    const Image channel = picture.channel(c);
    for (std::int64_t y = 0; y < shape.y; ++y) {
      auto* row = small.mutable_row<std::uint8_t>(y, 0, c);
      for (std::int64_t x = 0; x < shape.x; ++x) row[x] = mean_of_box(channel, factor, x, y);
    }
  }
  return small;
}

}  // namespace

Image reduced(const Image& picture, std::int64_t longest_side) {
  const std::int64_t factor =
      divided_up(std::max(picture.shape().x, picture.shape().y), longest_side);
  return factor == 1 ? picture : reduced_by(picture, factor);
}

}  // namespace meander::pictures
