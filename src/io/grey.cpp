// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/grey.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "core/control_part.hpp"
#include "core/message.hpp"
#include "meander/grey.hpp"

namespace meander::io {
namespace {

/// One row of sums or of largest values.
template <class T>
void add_row(std::vector<double>& row, const T* numbers, double weight) {
  for (std::size_t x = 0; x < row.size(); ++x) row[x] += weight * to_double(numbers[x]);
}
template <class T>
void raise_row(std::vector<double>& row, const T* numbers) {
  for (std::size_t x = 0; x < row.size(); ++x) {
    const double number = to_double(numbers[x]);
    if (number > row[x] || std::isnan(number)) row[x] = number;  // what is NaN stays so
  }
}

/// What each channel counts; of `max` nothing is added.
std::vector<double> weights_of(int colours, Grey grey) {
  if (grey == Grey::luminance) return {0.2126, 0.7152, 0.0722};
  return std::vector<double>(static_cast<std::size_t>(colours), 1);
}

bool are_equal(const Image& a, const Image& b, const Control& control) {
  const auto bytes = static_cast<std::size_t>(a.shape().x) * size_of(a.type());
  const std::int64_t rows = a.shape().z * a.shape().y;
  std::int64_t done = 0;
  for (std::int64_t z = 0; z < a.shape().z; ++z) {
    for (std::int64_t y = 0; y < a.shape().y; ++y) {
      control.step(static_cast<double>(done++) / static_cast<double>(rows));
      if (std::memcmp(a.row_bytes(y, z), b.row_bytes(y, z), bytes) != 0) return false;
    }
  }
  return true;
}

}  // namespace

Image mixed(const Image& image, int colours, Grey grey) {
  Description description = image.description();
  description.channels = 1;
  Image out = Image::allocate(description);
  const std::vector<double> weights = weights_of(colours, grey);
  const double divisor = grey == Grey::mean ? colours : 1;
  std::vector<double> row(static_cast<std::size_t>(out.shape().x));
  visit(image.type(), [&]<class T>(std::type_identity<T>) {
    for (std::int64_t z = 0; z < out.shape().z; ++z) {
      for (std::int64_t y = 0; y < out.shape().y; ++y) {
        std::ranges::fill(row, grey == Grey::max ? -std::numeric_limits<double>::infinity() : 0);
        for (int c = 0; c < colours; ++c) {
          const T* const numbers = image.row<T>(y, z, c);
          if (grey == Grey::max) {
            raise_row(row, numbers);
          } else {
            add_row(row, numbers, weights[static_cast<std::size_t>(c)]);
          }
        }
        std::ranges::transform(row, out.mutable_row<T>(y, z),
                               [&](double sum) { return from_double<T>(sum / divisor); });
      }
    }
  });
  return out;
}

Description without_alpha(const Reader& reader) {
  Description description = reader.description();
  description.channels = std::min(description.channels, reader.whole_colours());
  return description;
}

Description as_grey(const Reader& reader) {
  Description description = reader.description();
  const bool may_be_grey = reader.whole_colours() == 1 || reader.whole_colours() == 3;
  if (may_be_grey) description.channels = 1;
  return description;
}

Image first_channels(const Image& image, int count) {
  if (image.channels() == count) return image;
  if (count < 1 || count > image.channels()) {
    throw InvalidArgument(message("the first ", count, " channels of an image with ",
                                  image.channels(), ", expected 1 to as many as it has"));
  }
  const auto owner = std::make_shared<Image>(image);
  Description description = image.description();
  description.channels = count;
  return Image::wrap(owner->mutable_row_bytes(0), description, image.pitch(), owner);
}

bool is_grey(const Image& image, const Control& control) {
  const Image first = image.channel(0);
  const bool is_so = are_equal(first, image.channel(1), part_of(control, 0, 0.5)) &&
                     are_equal(first, image.channel(2), part_of(control, 0.5, 1));
  control.step(1);
  return is_so;
}

Image grey_of(const Image& image, const std::string& path, std::string_view advice,
              const Control& control) {
  if (image.channels() >= 3 && !is_grey(image, control)) {
    throw InvalidArgument(
        message(path, ": an image with 3 channels that differ, expected 1 or a grey one", advice),
        {.path = path});
  }
  return first_channels(image, 1);
}

}  // namespace meander::io
