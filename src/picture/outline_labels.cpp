// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "picture/outline_labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "meander/outline_text.hpp"
#include "picture/font.hpp"
#include "picture/plane.hpp"

namespace meander::pictures {
namespace {

constexpr int largest_scale = 2;
constexpr int digit_height = 7;  // digits have nothing below the line of writing
constexpr double rim_strength = 0.75;
constexpr Colour ink{255, 255, 255};
constexpr Colour rim{0, 0, 0};

std::int64_t width_of(const PlacedNumber& number) {
  const auto count = static_cast<std::int64_t>(number.digits.size());
  return number.scale * (count * (glyph_width + 1) - 1);
}

std::int64_t height_of(const PlacedNumber& number) { return number.scale * digit_height; }

struct Extent {
  double width = 0, height = 0;  ///< In pixels of the image.
};

Extent extent_of(const Polygon& ring) {
  const auto by_x = [](const GridPoint& a, const GridPoint& b) { return a.x < b.x; };
  const auto by_y = [](const GridPoint& a, const GridPoint& b) { return a.y < b.y; };
  const auto [left, right] = std::minmax_element(ring.vertices.begin(), ring.vertices.end(), by_x);
  const auto [top, bottom] = std::minmax_element(ring.vertices.begin(), ring.vertices.end(), by_y);
  const auto pixels = [](std::int64_t grid) {
    return static_cast<double>(grid) / grid_steps_per_pixel;
  };
  return {pixels(right->x - left->x), pixels(bottom->y - top->y)};
}

/// Where a row meets the edges of a ring, x in pixels.
void add_crossings(const Polygon& ring, double y, std::vector<double>& crossings) {
  const auto place = [](const GridPoint& p) {
    return Point{static_cast<double>(p.x) / grid_steps_per_pixel,
                 static_cast<double>(p.y) / grid_steps_per_pixel};
  };
  for (std::size_t i = 0; i < ring.vertices.size(); ++i) {
    const Point a = place(ring.vertices[i]);
    const Point b = place(ring.vertices[(i + 1) % ring.vertices.size()]);
    if ((a.y <= y) == (b.y <= y)) continue;
    crossings.push_back(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x));
  }
}

/// The middle of an object, or of its longest piece on the row of that.
Point middle_of(const Region& region) {
  const ObjectMeasure found = measure_shape(region, {});
  std::vector<double> crossings;
  add_crossings(region.outer, found.y, crossings);
  for (const Polygon& hole : region.holes) add_crossings(hole, found.y, crossings);
  std::sort(crossings.begin(), crossings.end());
  double x = found.x, longest = 0;
  for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
    const double from = crossings[i], to = crossings[i + 1];
    if (from <= found.x && found.x <= to) return {found.x, found.y};
    if (to - from <= longest) continue;
    longest = to - from;
    x = (from + to) / 2;
  }
  return {x, found.y};
}

/// With a rim of a pixel around it.
bool fits(const PlacedNumber& number, const Extent& room) {
  return static_cast<double>(width_of(number) + 2) <= room.width &&
         static_cast<double>(height_of(number) + 2) <= room.height;
}

/// Every pixel of ink, as a square that reaches `beyond` on all sides.
template <class F>
void for_each_ink(const PlacedNumber& number, std::int64_t beyond, F&& f) {
  for (std::size_t i = 0; i < number.digits.size(); ++i) {
    for (int y = 0; y < digit_height; ++y) {
      for (int x = 0; x < glyph_width; ++x) {
        if (!has_ink(number.digits[i], x, y)) continue;
        const auto column = static_cast<std::int64_t>(i) * (glyph_width + 1) + x;
        f(Box{.left = number.left + number.scale * column - beyond,
              .top = number.top + number.scale * std::int64_t{y} - beyond,
              .width = number.scale + 2 * beyond,
              .height = number.scale + 2 * beyond});
      }
    }
  }
}

/// Pixels of a picture that are to be covered, each once.
class Stencil {
 public:
  explicit Stencil(const Shape& shape)
      : shape_(shape), is_covered_(static_cast<std::size_t>(shape.x * shape.y)) {}

  void add(const Box& box) {
    for (std::int64_t y = std::max<std::int64_t>(box.top, 0);
         y < std::min(box.top + box.height, shape_.y); ++y) {
      for (std::int64_t x = std::max<std::int64_t>(box.left, 0);
           x < std::min(box.left + box.width, shape_.x); ++x) {
        is_covered_[static_cast<std::size_t>(y * shape_.x + x)] = true;
      }
    }
  }
  void lay_over(Image& picture, const Colour& colour, double strength) const {
    for (std::int64_t y = 0; y < shape_.y; ++y) {
      for (std::int64_t x = 0; x < shape_.x; ++x) {
        if (!is_covered_[static_cast<std::size_t>(y * shape_.x + x)]) continue;
        blend(picture, x, y, colour, strength);
      }
    }
  }

 private:
  Shape shape_;
  std::vector<bool> is_covered_;
};

}  // namespace

std::optional<PlacedNumber> place_number(const LabelledRegion& object, double scale,
                                         const Shape& picture) {
  const Polygon& outer = object.region.outer;
  if (outer.vertices.size() < 3) return {};
  const Extent extent = extent_of(outer);
  const Extent room{extent.width * scale, extent.height * scale};
  PlacedNumber number{.digits = std::to_string(object.label), .scale = largest_scale};
  while (number.scale > 0 && !fits(number, room)) --number.scale;
  if (number.scale == 0) return {};
  const Point middle = middle_of(object.region);
  const auto first = [&](double place, std::int64_t size, std::int64_t limit) {
    const double begin = (place + 0.5) * scale - static_cast<double>(size) / 2;
    const auto last = static_cast<double>(std::max<std::int64_t>(limit - size - 1, 0));
    return static_cast<std::int64_t>(std::lround(std::clamp(begin, std::min(1.0, last), last)));
  };
  number.left = first(middle.x, width_of(number), picture.x);
  number.top = first(middle.y, height_of(number), picture.y);
  return number;
}

void draw_numbers(std::span<const PlacedNumber> numbers, Image& picture) {
  Stencil rims(picture.shape()), digits(picture.shape());
  for (const PlacedNumber& number : numbers) {
    for_each_ink(number, 1, [&](const Box& box) { rims.add(box); });
    for_each_ink(number, 0, [&](const Box& box) { digits.add(box); });
  }
  rims.lay_over(picture, rim, rim_strength);
  digits.lay_over(picture, ink, 1);
}

}  // namespace meander::pictures
