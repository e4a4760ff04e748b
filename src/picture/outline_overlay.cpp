// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/control_part.hpp"
#include "meander/error.hpp"
#include "meander/measure.hpp"
#include "meander/picture.hpp"
#include "picture/line.hpp"
#include "picture/outline_labels.hpp"
#include "picture/plane.hpp"

namespace meander {
namespace {

using namespace pictures;

constexpr double half_width = 1;
constexpr double half_width_of_starts = 0.5;
constexpr double dot_radius = 2.5;
constexpr double least_room_of_dots = 8;
/// In a crowd dots are in the way, and only some outlines would have them.
constexpr std::size_t most_with_dots = 8;
constexpr Colour line_colour{255, 64, 0};
constexpr Colour dot_colour{255, 236, 64};
constexpr Colour start_colour{72, 156, 255};

/// How much of each pixel of a picture is covered, 0 to 255. Parts that overlap count once.
class Coverage {
 public:
  explicit Coverage(const Shape& shape)
      : shape_(shape), values_(static_cast<std::size_t>(shape.x * shape.y)) {}

  /// A line with round ends; of no length, a dot.
  void add(Point from, Point to, double reach);
  void lay_over(Image& picture, const Colour& colour, const Control& control) const;

 private:
  void add_row(Point from, Point to, double reach, std::int64_t y);

  Shape shape_;
  std::vector<std::uint8_t> values_;
};

/// Whole numbers of [from, to] that are an index below `end`, as a first and one past the last.
std::array<std::int64_t, 2> indices(double from, double to, std::int64_t end) {
  const auto limit = static_cast<double>(end);
  return {static_cast<std::int64_t>(std::clamp(std::ceil(from), 0.0, limit)),
          static_cast<std::int64_t>(std::clamp(std::floor(to) + 1, 0.0, limit))};
}

void Coverage::add(Point from, Point to, double reach) {
  const auto [lowest, highest] = std::minmax(from.y, to.y);
  const auto [begin, end] = indices(lowest - reach - 1, highest + reach + 1, shape_.y);
  for (std::int64_t y = begin; y < end; ++y) add_row(from, to, reach, y);
}

/// Looks only at pixels beside the part of the line that is near this row.
void Coverage::add_row(Point from, Point to, double reach, std::int64_t y) {
  const double rise = to.y - from.y;
  const auto part_at = [&](double row) {
    return std::clamp(rise == 0 ? (row < from.y ? 0.0 : 1.0) : (row - from.y) / rise, 0.0, 1.0);
  };
  const double row = static_cast<double>(y), margin = reach + 1;
  const Point a = from + part_at(row - margin) * (to - from);
  const Point b = from + part_at(row + margin) * (to - from);
  const auto [left, right] = std::minmax(a.x, b.x);
  const auto [begin, end] = indices(left - margin, right + margin, shape_.x);
  std::uint8_t* values = values_.data() + y * shape_.x;
  for (std::int64_t x = begin; x < end; ++x) {
    const double away = distance_to_line({static_cast<double>(x), row}, from, to);
    const auto covered = static_cast<std::uint8_t>(std::lround(255 * coverage(reach, away)));
    values[x] = std::max(values[x], covered);
  }
}

void Coverage::lay_over(Image& picture, const Colour& colour, const Control& control) const {
  for (std::int64_t y = 0; y < shape_.y; ++y) {
    control.step(0);
    for (std::int64_t x = 0; x < shape_.x; ++x) {
      const std::uint8_t covered = values_[static_cast<std::size_t>(y * shape_.x + x)];
      if (covered > 0) blend(picture, x, y, colour, covered / 255.0);
    }
  }
}

/// Draws curves whose points are moved onto a picture; may be stopped at each line and row.
class CurveDrawing {
 public:
  CurveDrawing(const Shape& picture, double scale, const std::stop_token& stop)
      : coverage_(picture), scale_(scale), control_{.stop = stop, .progress = {}} {}

  void add_lines(const Curve& curve, double reach) {
    const auto& points = curve.points;
    for (std::size_t i = 1; i < points.size(); ++i) add_line(points[i - 1], points[i], reach);
    if (!curve.is_open && !points.empty()) add_line(points.back(), points.front(), reach);
  }
  bool has_room_for_dots(const Curve& curve) const {
    const double length = measure(curve, {}).perimeter * scale_;
    return length >= least_room_of_dots * static_cast<double>(curve.points.size());
  }
  void add_dots(const Curve& curve) {
    for (const GridPoint& point : curve.points) add_line(point, point, dot_radius);
  }
  void lay_over(Image& picture, const Colour& colour) const {
    coverage_.lay_over(picture, colour, control_);
  }

 private:
  void add_line(const GridPoint& from, const GridPoint& to, double reach) {
    control_.step(0);
    coverage_.add(at(from), at(to), reach);
  }
  Point at(const GridPoint& point) const {
    const auto place = [this](std::int64_t grid) {
      return (static_cast<double>(grid) / grid_steps_per_pixel + 0.5) * scale_ - 0.5;
    };
    return {place(point.x), place(point.y)};
  }

  Coverage coverage_;
  double scale_;
  const Control control_;  ///< Without progress.
};

}  // namespace

Image OutlineCanvas::with(std::span<const Curve> curves, std::span<const Curve> starts,
                          const Control& control) const {
  const Shape& shape = ground_.shape();
  CurveDrawing before(shape, scale_, control.stop), lines(shape, scale_, control.stop),
      dots(shape, scale_, control.stop);
  for_each_step(starts, part_of(control, 0, 0.2),
                [&](const Curve& start) { before.add_lines(start, half_width_of_starts); });
  const bool has_dots = curves.size() <= most_with_dots &&
                        std::all_of(curves.begin(), curves.end(), [&](const Curve& curve) {
                          return dots.has_room_for_dots(curve);
                        });
  for_each_step(curves, part_of(control, 0.2, 0.8), [&](const Curve& curve) {
    lines.add_lines(curve, half_width);
    if (has_dots) dots.add_dots(curve);
  });
  Image picture = ground_.clone({.stop = control.stop, .progress = {}}).download();
  before.lay_over(picture, start_colour);
  lines.lay_over(picture, line_colour);
  dots.lay_over(picture, dot_colour);
  control.step(1);
  return picture;
}

Image OutlineCanvas::with(std::span<const Polygon> outlines, const Control& control) const {
  std::vector<Curve> curves;
  for (const Polygon& outline : outlines) curves.push_back({.points = outline.vertices});
  return with(curves, {}, control);
}

Image OutlineCanvas::with_numbers(std::span<const LabelledRegion> objects,
                                  std::span<const Curve> starts, const Control& control) const {
  std::vector<Curve> curves;
  for (const LabelledRegion& object : objects) {
    curves.push_back({.points = object.region.outer.vertices});
    for (const Polygon& hole : object.region.holes) curves.push_back({.points = hole.vertices});
  }
  Image picture = with(curves, starts, part_of(control, 0, 0.7));
  if (objects.size() > 1) {
    draw_numbers(place_numbers(objects, scale_, ground_.shape(), part_of(control, 0.7, 0.9)),
                 picture, control);
  }
  control.step(1);
  return picture;
}

Image outline_overlay(const Image& image, std::span<const Polygon> outlines,
                      std::int64_t longest_side, const Control& control) {
  return OutlineCanvas(image, longest_side, {}, part_of(control, 0, 0.5))
      .with(outlines, part_of(control, 0.5, 1));
}

}  // namespace meander
