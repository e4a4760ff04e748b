// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "picture/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/message.hpp"
#include "core/parallel_for.hpp"
#include "meander/error.hpp"
#include "meander/picture.hpp"

namespace meander {
namespace pictures {
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

Image reduced_by(const Image& picture, std::int64_t factor, const Control& stop) {
  Description description = picture.description();
  Shape& shape = description.shape;
  shape = reduced_shape(shape, factor);
  Image small = Image::allocate(description);
  for (int c = 0; c < description.channels; ++c) {
    const Image channel = picture.channel(c);
    for (std::int64_t y = 0; y < shape.y; ++y) {
      stop.step(0);
      auto* row = small.mutable_row<std::uint8_t>(y, 0, c);
      for (std::int64_t x = 0; x < shape.x; ++x) row[x] = mean_of_box(channel, factor, x, y);
    }
  }
  return small;
}

/// Means over one row of boxes; NaN for a box without any finite value.
template <class T>
void mean_boxes(const Image& image, std::int64_t factor, std::int64_t y, float* means,
                std::int64_t count) {
  std::vector<double> sums(static_cast<std::size_t>(count), 0);
  std::vector<std::int64_t> numbers(sums.size(), 0);
  const std::int64_t bottom = std::min(image.shape().y, (y + 1) * factor);
  for (std::int64_t v = y * factor; v < bottom; ++v) {
    const T* row = image.row<T>(v);
    for (std::int64_t x = 0; x < count; ++x) {
      const std::int64_t right = std::min(image.shape().x, (x + 1) * factor);
      double sum = 0;
      std::int64_t number = 0;
      for (std::int64_t u = x * factor; u < right; ++u) {
        const double value = to_double(row[u]);
        const bool is_finite = std::isfinite(value);
        sum += is_finite ? value : 0;
        number += is_finite ? 1 : 0;
      }
      sums[static_cast<std::size_t>(x)] += sum;
      numbers[static_cast<std::size_t>(x)] += number;
    }
  }
  std::transform(sums.begin(), sums.end(), numbers.begin(), means,
                 [](double sum, std::int64_t number) {
                   return number > 0 ? static_cast<float>(sum / static_cast<double>(number))
                                     : std::numeric_limits<float>::quiet_NaN();
                 });
}

}  // namespace

Shape reduced_shape(const Shape& image, std::int64_t factor) {
  return {divided_up(image.x, factor), divided_up(image.y, factor), 1};
}

Image means_of_boxes(const Image& image, std::int64_t factor, const Control& control) {
  control.step(0);
  const StopScope scope(control.stop);
  Image means = Image::allocate({.shape = reduced_shape(image.shape(), factor)});
  visit(image.type(), [&]<class T>(std::type_identity<T>) {
    parallel_for(means.shape().y, [&](std::int64_t y) {
      mean_boxes<T>(image, factor, y, means.mutable_row<float>(y), means.shape().x);
    });
  });
  control.step(1);
  return means;
}

Image reduced(const Image& picture, std::int64_t longest_side, const Control& control) {
  const std::int64_t factor =
      divided_up(std::max(picture.shape().x, picture.shape().y), longest_side);
  return factor == 1 ? picture
                     : reduced_by(picture, factor, {.stop = control.stop, .progress = {}});
}

}  // namespace pictures

Image reduced_image(const Image& image, std::int64_t longest_side, const Control& control) {
  if (longest_side < 1 || image.channels() != 1 || image.shape().z != 1) {
    throw InvalidArgument(message("an image of ", to_string(image.shape()), " with ",
                                  image.channels(), " channels to reduce to ", longest_side,
                                  ", expected 2 axes, one channel and at least 1 pixel"));
  }
  const std::int64_t longer = std::max(image.shape().x, image.shape().y);
  return pictures::means_of_boxes(image, pictures::divided_up(longer, longest_side), control);
}

}  // namespace meander
