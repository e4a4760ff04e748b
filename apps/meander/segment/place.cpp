// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "segment/place.hpp"

#include <algorithm>
#include <type_traits>

namespace meander::app {
namespace {

void move(GridPoint& point, std::int64_t right, std::int64_t down) {
  point.x += right * grid_steps_per_pixel;
  point.y += down * grid_steps_per_pixel;
}

/// As the file has it: moving that of a part back would round.
std::optional<Placement> placement_of_whole(const std::string& path, const io::Reader& image,
                                            io::ReadOptions options) {
  if (!options.roi || !image.description().placement) return image.description().placement;
  options.roi.reset();
  return io::Reader(path, options).description().placement;
}

}  // namespace

SegmentPlace::SegmentPlace(const std::string& path, const io::Reader& image,
                           const io::ReadOptions& options)
    : whole(image.whole_shape()),
      placement(placement_of_whole(path, image, options)),
      left(options.roi ? options.roi->x0 : 0),
      top(options.roi ? options.roi->y0 : 0) {}

void SegmentPlace::to_part(std::vector<GridPoint>& points) const {
  for (GridPoint& point : points) move(point, -left, -top);
}

void SegmentPlace::to_whole(std::vector<GridPoint>& points) const {
  for (GridPoint& point : points) move(point, left, top);
}

void SegmentPlace::to_whole(Outline& outline) const {
  to_whole(outline.polygon.vertices);
  for (Polygon& hole : outline.holes) to_whole(hole.vertices);
  to_whole(outline.splines);
}

void SegmentPlace::to_whole(std::vector<Spline>& splines) const {
  for (Spline& spline : splines) {
    for (SplineNode& node : spline.nodes) move(node.at, left, top);
  }
}

FindResult SegmentPlace::in_whole(FindResult found) const {
  if (found.region) {
    for (Outline& outline : found.region->outlines) to_whole(outline);
  }
  if (found.edge) {
    for (EdgeOutline& outline : found.edge->outlines) to_whole(outline.curve.points);
  }
  return found;
}

void SegmentPlace::fill(std::span<const LabelledRegion> objects, const Shape& part, Image& slab,
                        std::int64_t begin, const Control& control) const {
  const std::int64_t first = std::max(begin, top);
  const std::int64_t end = std::min(begin + slab.shape().y, top + part.y);
  const bool has_labels = slab.type() == PixelType::u16;
  const auto fill_type = [&]<class T>(std::type_identity<T>) {
    for (std::int64_t y = 0; y < slab.shape().y; ++y) {
      std::fill_n(slab.mutable_row<T>(y), slab.shape().x, T{0});
    }
    if (first >= end) return;
    Description inside = slab.description();
    inside.shape = {part.x, end - first, 1};
    Image view = Image::wrap(slab.mutable_row<T>(first - begin) + left, inside, slab.pitch());
    if (has_labels) {
      fill_labels(objects, view, first - top, control);
    } else {
      fill_mask(objects, view, first - top, control);
    }
  };
  has_labels ? fill_type(std::type_identity<std::uint16_t>{})
             : fill_type(std::type_identity<std::uint8_t>{});
}

}  // namespace meander::app
