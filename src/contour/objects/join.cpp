// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>

#include "contour/objects/pinches.hpp"

namespace meander::contour {
namespace {

/// Pixels that are so far or less from both outlines lie between them.
constexpr std::int64_t reach = 3;
/// Parts that are smaller than this beside the largest are crumbs.
constexpr double least_part = 0.05;

/// A box of pixels with a margin, and polygons in it.
class Canvas {
 public:
  Canvas(const Polygon& a, const Polygon& b) {
    const Box first = box_around(a), second = box_around(b);
    left_ = pixel(std::min(first.low.x, second.low.x)) - reach - 2;
    top_ = pixel(std::min(first.low.y, second.low.y)) - reach - 2;
    width_ = pixel(std::max(first.high.x, second.high.x)) + reach + 3 - left_;
    height_ = pixel(std::max(first.high.y, second.high.y)) + reach + 3 - top_;
  }

  Image painted(const Polygon& polygon) const {
    const Polygon here = moved(polygon, -1);
    Image mask = Image::allocate({.shape = {width_, height_, 1}, .type = PixelType::u8});
    fill_mask(std::span(&here, 1), mask, 0);
    return mask;
  }
  /// Into the canvas, or back with a sign of 1.
  Polygon moved(Polygon polygon, int sign) const {
    for (GridPoint& p : polygon.vertices) {
      p = {p.x + sign * left_ * grid_steps_per_pixel, p.y + sign * top_ * grid_steps_per_pixel};
    }
    return polygon;
  }
  bool is_in(const Shape& image, std::int64_t x, std::int64_t y) const {
    return x + left_ >= 0 && y + top_ >= 0 && x + left_ < image.x && y + top_ < image.y;
  }
  std::int64_t width() const { return width_; }
  std::int64_t height() const { return height_; }

 private:
  static std::int64_t pixel(std::int64_t place) { return place / grid_steps_per_pixel; }
  std::int64_t left_ = 0, top_ = 0, width_ = 0, height_ = 0;
};

bool is_near(const Image& mask, std::int64_t x, std::int64_t y) {
  for (std::int64_t row = y - reach; row <= y + reach; ++row) {
    const std::uint8_t* pixels = mask.row<std::uint8_t>(row);
    for (std::int64_t column = x - reach; column <= x + reach; ++column) {
      if (pixels[column] > 0) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<Polygon> joined(const Polygon& a, const Polygon& b, const Shape& image) {
  const Canvas canvas(a, b);
  const Image first = canvas.painted(a), second = canvas.painted(b);
  Image both = Image::allocate(first.description());
  for (std::int64_t y = 0; y < canvas.height(); ++y) {
    std::uint8_t* out = both.mutable_row<std::uint8_t>(y);
    std::fill_n(out, canvas.width(), std::uint8_t{0});
    if (y < reach || y >= canvas.height() - reach) continue;
    for (std::int64_t x = reach; x < canvas.width() - reach; ++x) {
      const bool is_held = first.row<std::uint8_t>(y)[x] > 0 || second.row<std::uint8_t>(y)[x] > 0;
      const bool is_set =
          is_held || (canvas.is_in(image, x, y) && is_near(first, x, y) && is_near(second, x, y));
      out[x] = is_set ? 255 : 0;
    }
  }
  std::vector<Polygon> parts;
  for (Region& part : regions_of_mask(both))
    parts.push_back(canvas.moved(std::move(part.outer), 1));
  std::stable_sort(parts.begin(), parts.end(), [](const Polygon& p, const Polygon& q) {
    return p.signed_area() > q.signed_area();
  });
  std::erase_if(parts, [&](const Polygon& part) {
    return part.signed_area() < least_part * parts.front().signed_area();
  });
  return parts;
}

}  // namespace meander::contour
