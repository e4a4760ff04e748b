// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/touching.hpp"

#include <algorithm>
#include <cmath>

#include "phantom/noise/elementary.hpp"

namespace meander::phantoms {
namespace {

/// Half the length of what they share, of the smaller radius.
constexpr double half_share = 0.4;
constexpr double most_tilt = 1.0 / 16;  // of a full turn

double cross(const Point& a, const Point& b) { return a.x * b.y - a.y * b.x; }

Point direction(double turns) {
  const auto [sine, cosine] = sine_cosine_of_turns(turns);
  return {cosine, sine};
}

/// One of the two; lengths in cells, points from the middle of what they share.
struct Half {
  const Blob& blob;
  double facing;  ///< The turns at which it sees the other.
  double radius;  ///< There.
  Point centre{};

  Half(const Blob& blob_, double facing_)
      : blob(blob_), facing(facing_), radius(blob_.radius_at(facing_)) {}

  void move_from(double half_length) {
    centre = -std::sqrt(radius * radius - half_length * half_length) * direction(facing);
  }

  /// From the far side, so that the other blob is met half way.
  template <class F>
  void for_each_vertex(F&& f) const {
    for (int i = 0; i < vertices_of_blob; ++i) {
      const double turns = facing + 0.5 + static_cast<double>(i) / vertices_of_blob;
      f(centre + blob.radius_at(turns) * direction(turns), 2 * i <= vertices_of_blob);
    }
  }
};

struct Box {
  Point low{0, 0}, high{0, 0};
  void add(const Point& point) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y)};
  }
};

/// From cells about what they share to pixels of the image.
struct Place {
  Point middle;
  double scale;
  Point in_image(const Point& point) const { return middle + scale * point; }
  GridPoint grid_point(const Point& point) const {
    const Point there = in_image(point);
    return on_grid(there.x, there.y);
  }
};

/// Anywhere in the cell, smaller when it would be too large.
Place place_in(const DoubleCell& cell, const Box& box, UniformSequence& uniforms) {
  const Point room{1 + 2 * cell.reach, 2 * cell.reach};
  const Point size = box.high - box.low;
  const double scale = std::min({1.0, room.x / size.x, room.y / size.y});
  const Point slack = room - scale * size;
  const double u = uniforms.next(), v = uniforms.next();
  const Point corner = Point{u * slack.x, v * slack.y} - 0.5 * room;
  return {Point{cell.x, cell.y} + cell.pitch * (corner - scale * box.low), cell.pitch * scale};
}

/// Vertices on the other side of the line from `first` to `second`, or seen from the centre between
/// them, give way to these two. What is left goes round the centre once, so it is simple.
Polygon cut(const Half& half, const Place& place, const GridPoint& first, const GridPoint& second) {
  const Point centre = place.in_image(half.centre), a = in_pixels(first), b = in_pixels(second);
  Polygon polygon;
  bool is_joined = false;
  half.for_each_vertex([&](const Point& point, bool comes_before) {
    if (!comes_before && !is_joined) {
      polygon.vertices.insert(polygon.vertices.end(), {first, second});
      is_joined = true;
    }
    const GridPoint vertex = place.grid_point(point);
    const Point v = in_pixels(vertex);
    const bool is_beyond = cross(b - a, v - a) <= 0;
    const bool is_between =
        cross(a - centre, v - centre) >= 0 && cross(v - centre, b - centre) >= 0;
    if (!is_beyond && !is_between) polygon.vertices.push_back(vertex);
  });
  return polygon;
}

}  // namespace

TouchingPair touching_pair(const Blob& left_blob, const Blob& right_blob, const DoubleCell& cell,
                           UniformSequence uniforms) {
  const double tilt = most_tilt * (2 * uniforms.next() - 1);
  Half left(left_blob, tilt), right(right_blob, tilt + 0.5);
  const double half_length = half_share * std::min(left.radius, right.radius);
  left.move_from(half_length);
  right.move_from(half_length);
  Box box;
  for (const Half& half : {left, right}) {
    half.for_each_vertex([&](const Point& point, bool) { box.add(point); });
  }
  const Place place = place_in(cell, box, uniforms);
  const Point along = half_length * direction(tilt + 0.25);
  const GridPoint first = place.grid_point(-1 * along), second = place.grid_point(along);
  return {cut(left, place, first, second), cut(right, place, second, first)};
}

}  // namespace meander::phantoms
