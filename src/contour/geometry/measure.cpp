// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "contour/geometry/pixel_set.hpp"
#include "meander/measure.hpp"

namespace meander {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Of a closed line the last edge leads back to the first point.
template <class F>
void for_each_edge(std::span<const GridPoint> points, bool is_open, F&& f) {
  for (std::size_t i = 1; i < points.size(); ++i) f(points[i - 1], points[i]);
  if (!is_open && !points.empty()) f(points.back(), points.front());
}

double length_of(std::span<const GridPoint> points, bool is_open, const Spacing& spacing) {
  double length = 0;
  for_each_edge(points, is_open, [&](const GridPoint& a, const GridPoint& b) {
    length += std::hypot(static_cast<double>(b.x - a.x) * spacing.x,
                         static_cast<double>(b.y - a.y) * spacing.y);
  });
  return length / grid_steps_per_pixel;
}

}  // namespace

double Polygon::signed_area() const {
  double doubled = 0;
  for_each_edge(vertices, false, [&](const GridPoint& a, const GridPoint& b) {
    doubled += static_cast<double>(a.x * b.y - b.x * a.y);
  });
  return doubled / (2.0 * grid_steps_per_pixel * grid_steps_per_pixel);
}

double Polygon::perimeter() const { return measure(*this, {}).perimeter; }

double Region::area() const {
  double area = outer.signed_area();
  for (const Polygon& hole : holes) area += hole.signed_area();
  return area;
}

double Region::perimeter() const { return measure(*this, {}).perimeter; }

OutlineMeasure measure(const Polygon& polygon, const Spacing& spacing) {
  return {.area = std::abs(polygon.signed_area()) * spacing.x * spacing.y,
          .perimeter = length_of(polygon.vertices, false, spacing)};
}

OutlineMeasure measure(const Curve& curve, const Spacing& spacing) {
  if (!curve.is_open) return measure(Polygon{curve.points}, spacing);
  return {.perimeter = length_of(curve.points, true, spacing)};
}

OutlineMeasure measure(const Region& region, const Spacing& spacing) {
  OutlineMeasure size{.area = std::abs(region.area()) * spacing.x * spacing.y,
                      .perimeter = length_of(region.outer.vertices, false, spacing)};
  for (const Polygon& hole : region.holes) {
    size.perimeter += length_of(hole.vertices, false, spacing);
  }
  return size;
}

Region region_of(const Outline& outline) { return {outline.polygon, outline.holes}; }

std::vector<LabelledRegion> objects_of(const SegmentResult& result) {
  std::vector<LabelledRegion> objects;
  for (const Outline& outline : result.outlines) {
    objects.push_back({outline.id, region_of(outline)});
  }
  return objects;
}

std::vector<Curve> curves_of(const SegmentResult& result) {
  std::vector<Curve> curves;
  for (const Outline& outline : result.outlines) {
    curves.push_back({.points = outline.polygon.vertices});
  }
  return curves;
}

ObjectMeasure measure_shape(const Region& region, const Spacing& spacing) {
  const OutlineMeasure size = measure(region, spacing);
  const double around = length_of(region.outer.vertices, false, spacing);
  const Point centroid =
      region.area() == 0 ? Point{unknown, unknown} : contour::centroid_of(region);
  return {.area = size.area,
          .perimeter = size.perimeter,
          .circularity = 4 * std::numbers::pi * size.area / (around * around),
          .x = centroid.x * spacing.x,
          .y = centroid.y * spacing.y,
          .contrast = unknown,
          .confidence = unknown};
}

ObjectMeasure measure(const Outline& outline, const Spacing& spacing) {
  ObjectMeasure found = measure_shape(region_of(outline), spacing);
  found.contrast = (outline.inside.mean - outline.outside.mean) / outline.outside.sigma;
  const auto& values = outline.confidence;
  if (!values.empty()) found.confidence = *std::min_element(values.begin(), values.end());
  return found;
}

}  // namespace meander
