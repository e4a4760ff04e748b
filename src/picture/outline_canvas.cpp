// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/message.hpp"
#include "meander/error.hpp"
#include "meander/picture.hpp"
#include "picture/plane.hpp"
#include "picture/reduce.hpp"

namespace meander {
namespace {

constexpr std::int64_t side_of_small = 512;
constexpr double part_beyond_limits = 0.005;

/// By how much an image is made smaller, then larger.
struct Factors {
  std::int64_t reduction = 1, enlargement = 1;
};

Factors factors_of(const Shape& image, std::int64_t longest_side) {
  const std::int64_t longer = std::max(image.x, image.y);
  return {.reduction = pictures::divided_up(longer, longest_side),
          .enlargement = std::max<std::int64_t>(1, std::min(side_of_small, longest_side) / longer)};
}

/// The values that one pixel in 200 lies below and above; the least and largest where those are the
/// same, so that few bright pixels on a plain ground are seen.
std::array<double, 2> robust_limits(const Image& means) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(means.shape().x * means.shape().y));
  for (std::int64_t y = 0; y < means.shape().y; ++y) {
    const auto* row = means.row<float>(y);
    std::copy_if(row, row + means.shape().x, std::back_inserter(values),
                 [](float value) { return std::isfinite(value); });
  }
  if (values.empty()) return {0, 0};
  const auto beyond =
      static_cast<std::ptrdiff_t>(part_beyond_limits * static_cast<double>(values.size()));
  const auto low = values.begin() + beyond, high = values.end() - 1 - beyond;
  std::nth_element(values.begin(), low, values.end());
  const double least = *low;
  std::nth_element(values.begin(), high, values.end());
  const double largest = *high;
  if (least < largest) return {least, largest};
  const auto [first, last] = std::minmax_element(values.begin(), values.end());
  return {*first, *last};
}

void check(const Image& image, std::int64_t longest_side) {
  if (longest_side < 1) {
    throw InvalidArgument(
        message("an overlay of ", longest_side, " pixels along a side, expected at least 1"));
  }
  if (image.channels() == 1 && image.shape().z == 1) return;
  throw InvalidArgument(message("outlines on an image of ", to_string(image.shape()), " with ",
                                image.channels(), " channels, expected 2 axes and one channel"));
}

}  // namespace

OutlineCanvas::OutlineCanvas(const Image& image, std::int64_t longest_side) {
  check(image, longest_side);
  const Factors factors = factors_of(image.shape(), longest_side);
  const Image means = pictures::means_of_boxes(image, factors.reduction);
  ground_ =
      pictures::enlarged(pictures::grey_picture(means, robust_limits(means)), factors.enlargement);
  scale_ = static_cast<double>(factors.enlargement) / static_cast<double>(factors.reduction);
}

std::int64_t OutlineCanvas::bytes_to_make(const Shape& image, std::int64_t longest_side) {
  const Factors factors = factors_of(image, longest_side);
  Description part{.shape = pictures::reduced_shape(image, factors.reduction)};
  const std::int64_t means = padded_bytes(part);
  part.type = PixelType::u8;
  const std::int64_t grey = padded_bytes(part);
  part.channels = 3;
  const std::int64_t small = padded_bytes(part);
  part.shape = {part.shape.x * factors.enlargement, part.shape.y * factors.enlargement, 1};
  const std::int64_t large = factors.enlargement > 1 ? padded_bytes(part) : 0;
  // While it is made; while two pictures are drawn from it, one of them still being written.
  return std::max(means + grey + small + large, 3 * padded_bytes(part));
}

}  // namespace meander
