// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "picture/outline_labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "meander/measure.hpp"
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

/// In pixels of the picture.
struct Extent {
  double left = 0, top = 0, right = 0, bottom = 0;
};

/// Of a place on the image, whose pixels have their middles at whole numbers as the picture's have.
double on_picture(double place, double scale) { return (place + 0.5) * scale - 0.5; }

Extent extent_of(const Polygon& ring, double scale) {
  const auto by_x = [](const GridPoint& a, const GridPoint& b) { return a.x < b.x; };
  const auto by_y = [](const GridPoint& a, const GridPoint& b) { return a.y < b.y; };
  const auto [left, right] = std::minmax_element(ring.vertices.begin(), ring.vertices.end(), by_x);
  const auto [top, bottom] = std::minmax_element(ring.vertices.begin(), ring.vertices.end(), by_y);
  const auto pixels = [&](std::int64_t grid) {
    return on_picture(static_cast<double>(grid) / grid_steps_per_pixel, scale);
  };
  return {pixels(left->x), pixels(top->y), pixels(right->x), pixels(bottom->y)};
}

/// Where a row meets the edges of a ring, x in pixels.
void add_crossings(const Polygon& ring, double y, std::vector<double>& crossings) {
  for (std::size_t i = 0; i < ring.vertices.size(); ++i) {
    const Point a = in_pixels(ring.vertices[i]);
    const Point b = in_pixels(ring.vertices[(i + 1) % ring.vertices.size()]);
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
  void lay_over(Image& picture, const Colour& colour, double strength,
                const Control& control) const {
    for (std::int64_t y = 0; y < shape_.y; ++y) {
      control.step(0);
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

/// What a picture shows where: objects, by their index, or numbers.
class TakenRoom {
 public:
  TakenRoom(std::span<const LabelledRegion> objects, double scale, const Shape& picture,
            const Control& control)
      : taken_(Image::allocate({.shape = picture, .type = PixelType::u16})) {
    const auto on_grid = [&](std::int64_t grid) {
      const double place = on_picture(static_cast<double>(grid) / grid_steps_per_pixel, scale);
      return std::llround(place * grid_steps_per_pixel);
    };
    std::vector<LabelledRegion> regions(objects.begin(), objects.end());
    for (std::size_t i = 0; i < regions.size(); ++i) {
      regions[i].label = mark_of(i);
      Region& region = regions[i].region;
      for (GridPoint& p : region.outer.vertices) p = {on_grid(p.x), on_grid(p.y)};
      for (Polygon& hole : region.holes) {
        for (GridPoint& p : hole.vertices) p = {on_grid(p.x), on_grid(p.y)};
      }
    }
    fill_labels(regions, taken_, 0, control);
  }

  void add(const PlacedNumber& number) {
    for_each_row(number, [](std::uint16_t* begin, std::uint16_t* end) {
      std::fill(begin, end, number_mark);
      return true;
    });
  }
  /// Whether it lies within the picture and on nothing.
  bool is_free(const PlacedNumber& number) { return lies_on(number, 0); }
  /// Whether it lies within the object, and on no other number.
  bool is_inside(const PlacedNumber& number, std::size_t object) {
    return lies_on(number, mark_of(object));
  }

 private:
  static constexpr std::uint16_t number_mark = 65535;
  static std::uint16_t mark_of(std::size_t object) {
    return static_cast<std::uint16_t>(1 + object % (number_mark - 1));
  }

  bool lies_on(const PlacedNumber& number, std::uint16_t mark) {
    const Shape& shape = taken_.shape();
    if (number.left < 1 || number.top < 1 || number.left + width_of(number) >= shape.x ||
        number.top + height_of(number) >= shape.y) {
      return false;
    }
    return for_each_row(number, [&](const std::uint16_t* begin, const std::uint16_t* end) {
      return std::all_of(begin, end, [&](std::uint16_t value) { return value == mark; });
    });
  }

  /// Of a number and its rim; ends where `f` returns false, and returns whether none did.
  template <class F>
  bool for_each_row(const PlacedNumber& number, F&& f) {
    const Shape& shape = taken_.shape();
    const auto clamped = [](std::int64_t place, std::int64_t end) {
      return std::clamp<std::int64_t>(place, 0, end);
    };
    for (std::int64_t y = clamped(number.top - 1, shape.y);
         y < clamped(number.top + height_of(number) + 1, shape.y); ++y) {
      auto* row = taken_.mutable_row<std::uint16_t>(y);
      if (!f(row + clamped(number.left - 1, shape.x),
             row + clamped(number.left + width_of(number) + 1, shape.x))) {
        return false;
      }
    }
    return true;
  }

  Image taken_;
};

/// In the middle, as large as it fits.
std::optional<PlacedNumber> place_inside(const LabelledRegion& object, std::size_t index,
                                         double scale, const Shape& picture, TakenRoom& taken) {
  const Point middle = middle_of(object.region);
  const auto first = [&](double place, std::int64_t size, std::int64_t limit) {
    const double begin = (place + 0.5) * scale - static_cast<double>(size) / 2;
    const auto last = static_cast<double>(std::max<std::int64_t>(limit - size - 1, 0));
    return static_cast<std::int64_t>(std::lround(std::clamp(begin, std::min(1.0, last), last)));
  };
  PlacedNumber number{.digits = std::to_string(object.label), .scale = largest_scale};
  for (; number.scale > 0; --number.scale) {
    number.left = first(middle.x, width_of(number), picture.x);
    number.top = first(middle.y, height_of(number), picture.y);
    if (taken.is_inside(number, index)) return number;
  }
  return {};
}

/// At the right, the left, above or below, where there is room first.
std::optional<PlacedNumber> place_beside(const LabelledRegion& object, double scale,
                                         TakenRoom& taken) {
  constexpr double gap = 4;  // half a line and a rim, and a little ground between them
  const Extent extent = extent_of(object.region.outer, scale);
  PlacedNumber number{.digits = std::to_string(object.label)};
  const auto width = static_cast<double>(width_of(number));
  const auto height = static_cast<double>(height_of(number));
  const Point middle{(extent.left + extent.right - width) / 2,
                     (extent.top + extent.bottom - height) / 2};
  for (const Point& place :
       {Point{extent.right + gap, middle.y}, Point{extent.left - gap - width, middle.y},
        Point{middle.x, extent.top - gap - height}, Point{middle.x, extent.bottom + gap}}) {
    number.left = std::lround(place.x);
    number.top = std::lround(place.y);
    if (taken.is_free(number)) return number;
  }
  return {};
}

}  // namespace

std::vector<PlacedNumber> place_numbers(std::span<const LabelledRegion> objects, double scale,
                                        const Shape& picture, const Control& control) {
  const Control stop{.stop = control.stop, .progress = {}};
  TakenRoom taken(objects, scale, picture, stop);
  std::vector<PlacedNumber> numbers;
  const auto add = [&](std::optional<PlacedNumber> number) {
    if (!number) return false;
    taken.add(*number);
    numbers.push_back(std::move(*number));
    return true;
  };
  std::vector<const LabelledRegion*> small;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    control.step(static_cast<double>(i) / static_cast<double>(objects.size()));
    if (objects[i].region.outer.vertices.size() < 3) continue;
    if (!add(place_inside(objects[i], i, scale, picture, taken))) small.push_back(&objects[i]);
  }
  for (const LabelledRegion* object : small) {
    stop.step(0);
    add(place_beside(*object, scale, taken));
  }
  return numbers;
}

void draw_numbers(std::span<const PlacedNumber> numbers, Image& picture, const Control& control) {
  const Control stop{.stop = control.stop, .progress = {}};
  Stencil rims(picture.shape()), digits(picture.shape());
  for (const PlacedNumber& number : numbers) {
    for_each_ink(number, 1, [&](const Box& box) { rims.add(box); });
    for_each_ink(number, 0, [&](const Box& box) { digits.add(box); });
  }
  rims.lay_over(picture, rim, rim_strength, stop);
  digits.lay_over(picture, ink, 1, stop);
}

}  // namespace meander::pictures
