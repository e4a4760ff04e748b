// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "picture/plane.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "meander/convert.hpp"
#include "meander/statistics.hpp"

namespace meander::pictures {
namespace {

Image middle_slice(const Image& image, const Control& stop) {
  const std::int64_t middle = image.shape().z / 2;
  return image.slices(middle, middle + 1).download(stop);
}

Control stop_of(const Control& control) { return {.stop = control.stop, .progress = {}}; }

/// With the longest vector found anew.
VectorPlane measured(Image components, const Control& stop) {
  VectorPlane plane{.components = std::move(components)};
  for (std::int64_t y = 0; y < plane.height(); ++y) {
    stop.step(0);
    for (std::int64_t x = 0; x < plane.width(); ++x) {
      const auto [u, v] = plane.at(x, y);
      plane.longest = std::max(plane.longest, std::hypot(u, v));
    }
  }
  return plane;
}

std::uint8_t as_byte(double value) { return static_cast<std::uint8_t>(std::lround(value)); }

}  // namespace

std::array<double, 2> VectorPlane::at(std::int64_t x, std::int64_t y) const {
  const double u = components.row<float>(y, 0, 0)[x];
  const double v = components.row<float>(y, 0, 1)[x];
  return std::isfinite(u) && std::isfinite(v) ? std::array{u, v} : std::array{0.0, 0.0};
}

VectorPlane plane_of(const Field& field, const Control& control) {
  const Control stop = stop_of(control);
  const Image slice = middle_slice(field.components(), stop);
  return measured(convert(slice, {.type = PixelType::f32}, stop).download(stop), stop);
}

VectorPlane part_of(const VectorPlane& plane, const Box& box) {
  return measured(part_of(plane.components, box), {});
}

std::array<std::int64_t, 2> longest_vector(const VectorPlane& plane) {
  std::array<std::int64_t, 2> place{plane.width() / 2, plane.height() / 2};
  double longest = 0;
  for (std::int64_t y = 0; y < plane.height(); ++y) {
    for (std::int64_t x = 0; x < plane.width(); ++x) {
      const auto [u, v] = plane.at(x, y);
      if (std::hypot(u, v) <= longest) continue;
      longest = std::hypot(u, v);
      place = {x, y};
    }
  }
  return place;
}

double strength(double length, double longest) {
  return longest > 0 ? std::sqrt(length / longest) : 0;
}

Image black_picture(std::int64_t width, std::int64_t height) {
  Image picture =
      Image::allocate({.shape = {width, height, 1}, .channels = 3, .type = PixelType::u8});
  for (int c = 0; c < 3; ++c) {
    for (std::int64_t y = 0; y < height; ++y) {
      std::fill_n(picture.mutable_row<std::uint8_t>(y, 0, c), width, std::uint8_t{0});
    }
  }
  return picture;
}

Image grey_picture(const Image& image, const Control& control) {
  const Control stop = stop_of(control);
  const Image slice = middle_slice(image, stop);
  const Statistics range = statistics(slice, stop);
  return grey_picture(slice, {range.min, range.max}, stop);
}

Image grey_picture(const Image& slice, const std::array<double, 2>& limits,
                   const Control& control) {
  const Control stop = stop_of(control);
  stop.step(0);
  Image picture = black_picture(slice.shape().x, slice.shape().y);
  if (!(limits[0] < limits[1])) return picture;
  const Image grey = convert(slice, {.type = PixelType::u8, .window = limits}, stop).download();
  for (int c = 0; c < 3; ++c) {
    for (std::int64_t y = 0; y < slice.shape().y; ++y) {
      stop.step(0);
      std::copy_n(grey.row<std::uint8_t>(y), slice.shape().x,
                  picture.mutable_row<std::uint8_t>(y, 0, c));
    }
  }
  return picture;
}

Image length_picture(const VectorPlane& plane, const Control& control) {
  const Control stop = stop_of(control);
  Image picture = black_picture(plane.width(), plane.height());
  for (std::int64_t y = 0; y < plane.height(); ++y) {
    stop.step(0);
    for (std::int64_t x = 0; x < plane.width(); ++x) {
      const auto [u, v] = plane.at(x, y);
      const double grey = 255 * strength(std::hypot(u, v), plane.longest);
      blend(picture, x, y, {grey, grey, grey}, 1);
    }
  }
  return picture;
}

Image part_of(const Image& picture, const Box& box) {
  Description description = picture.description();
  description.shape = {box.width, box.height, 1};
  const auto size = static_cast<std::int64_t>(size_of(description.type));
  Image part = Image::allocate(description);
  for (int c = 0; c < description.channels; ++c) {
    for (std::int64_t y = 0; y < box.height; ++y) {
      std::memcpy(part.mutable_row_bytes(y, 0, c),
                  picture.row_bytes(box.top + y, 0, c) + box.left * size,
                  static_cast<std::size_t>(box.width * size));
    }
  }
  return part;
}

Image enlarged(const Image& picture, std::int64_t factor) {
  if (factor == 1) return picture;
  const Shape& shape = picture.shape();
  Image large = black_picture(shape.x * factor, shape.y * factor);
  for (int c = 0; c < 3; ++c) {
    for (std::int64_t y = 0; y < large.shape().y; ++y) {
      const auto* from = picture.row<std::uint8_t>(y / factor, 0, c);
      auto* to = large.mutable_row<std::uint8_t>(y, 0, c);
      for (std::int64_t x = 0; x < large.shape().x; ++x) to[x] = from[x / factor];
    }
  }
  return large;
}

void blend(Image& picture, std::int64_t x, std::int64_t y, const Colour& colour, double coverage) {
  for (int c = 0; c < 3; ++c) {
    std::uint8_t& pixel = picture.mutable_row<std::uint8_t>(y, 0, c)[x];
    pixel = as_byte(pixel + (colour[static_cast<std::size_t>(c)] - pixel) * coverage);
  }
}

}  // namespace meander::pictures
