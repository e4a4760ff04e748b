// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>

#include "core/control_part.hpp"
#include "core/message.hpp"
#include "meander/error.hpp"
#include "meander/picture.hpp"
#include "picture/plane.hpp"
#include "picture/reduce.hpp"

namespace meander {
namespace {

constexpr std::int64_t side_of_small = 512;

/// By how much an image is made smaller, then larger.
struct Factors {
  std::int64_t reduction = 1, enlargement = 1;
};

Factors factors_of(const Shape& image, std::int64_t longest_side) {
  const std::int64_t longer = std::max(image.x, image.y);
  return {.reduction = pictures::divided_up(longer, longest_side),
          .enlargement = std::max<std::int64_t>(1, std::min(side_of_small, longest_side) / longer)};
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

OutlineCanvas::OutlineCanvas(const Image& image, std::int64_t longest_side,
                             const ValueWindow& window, const Control& control) {
  check(image, longest_side);
  const Factors factors = factors_of(image.shape(), longest_side);
  const Image means = pictures::means_of_boxes(image, factors.reduction, part_of(control, 0, 0.5));
  const Control stop{.stop = control.stop, .progress = {}};
  const auto limits = window.ends ? *window.ends : find_window(means, stop).window;
  control.step(0.75);
  ground_ = pictures::enlarged(pictures::grey_picture(means, limits, stop), factors.enlargement);
  scale_ = static_cast<double>(factors.enlargement) / static_cast<double>(factors.reduction);
  control.step(1);
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
