// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/objects/pinches.hpp"

#include <algorithm>
#include <cmath>

#include "contour/geometry/obstacles.hpp"

namespace meander::contour {
namespace {

/// A shallower bay is the noise of an outline.
constexpr double least_depth = 1;
/// A cut is shorter than this part of the width of what it cuts off.
constexpr double most_of_width = 0.8;
/// Each half draws back from a cut by so much along its edges.
constexpr double half_gap = 0.6;

/// In pixels; only operations that every processor rounds alike.
double distance(GridPoint a, GridPoint b) {
  const auto x = static_cast<double>(a.x - b.x), y = static_cast<double>(a.y - b.y);
  return std::sqrt(x * x + y * y) / static_cast<double>(grid_steps_per_pixel);
}

/// The point of a segment that is nearest to p, rounded to the grid.
GridPoint nearest_on(GridPoint a, GridPoint b, GridPoint p) {
  const auto x = static_cast<double>(b.x - a.x), y = static_cast<double>(b.y - a.y);
  const auto px = static_cast<double>(p.x - a.x), py = static_cast<double>(p.y - a.y);
  const double square = x * x + y * y;
  const double part = square > 0 ? std::clamp((px * x + py * y) / square, 0.0, 1.0) : 0.0;
  return {a.x + std::llround(part * x), a.y + std::llround(part * y)};
}

/// Which nodes of an outline are corners of its convex hull.
std::vector<bool> hull_of(const Polygon& outline) {
  std::vector<bool> is_corner(outline.vertices.size(), false);
  for (const std::size_t i : corners_of_hull(outline.vertices)) is_corner[i] = true;
  return is_corner;
}

/// How deep every node lies below the side of the hull that spans its bay; 0 for corners.
std::vector<double> depths_of(const Polygon& outline) {
  const auto& v = outline.vertices;
  const std::vector<bool> is_corner = hull_of(outline);
  const auto first = static_cast<std::size_t>(std::find(is_corner.begin(), is_corner.end(), true) -
                                              is_corner.begin());
  std::vector<double> depths(v.size(), 0);
  for (std::size_t k = 0; k < v.size(); ++k) {
    const std::size_t i = (first + k) % v.size();
    if (!is_corner[i]) continue;
    std::size_t end = (i + 1) % v.size();
    while (!is_corner[end]) end = (end + 1) % v.size();
    const double side = std::max(distance(v[i], v[end]), 1.0 / grid_steps_per_pixel);
    for (std::size_t m = (i + 1) % v.size(); m != end; m = (m + 1) % v.size()) {
      const auto area = static_cast<double>((v[end].x - v[i].x) * (v[m].y - v[i].y) -
                                            (v[end].y - v[i].y) * (v[m].x - v[i].x));
      depths[m] = std::abs(area) / (side * grid_steps_per_pixel * grid_steps_per_pixel);
    }
  }
  return depths;
}

/// A cut from a node to a point of an edge, which ends there in a node of its own.
struct Cut {
  std::size_t from = 0, edge = 0;
  GridPoint to;
  double length = 0;
};

/// `a` moved towards `b` by a gap, or half the way.
GridPoint drawn_back(GridPoint a, GridPoint b) {
  const double length = distance(a, b);
  const double part = length > 2 * half_gap ? half_gap / length : 0.5;
  return {a.x + std::llround(part * static_cast<double>(b.x - a.x)),
          a.y + std::llround(part * static_cast<double>(b.y - a.y))};
}

void add_unlike(Polygon& polygon, GridPoint p) {
  if (polygon.vertices.empty() || polygon.vertices.back() != p) polygon.vertices.push_back(p);
}

/// The nodes between two points of the outline, which are drawn back along their edges.
Polygon part_between(const Polygon& outline, GridPoint from, std::size_t first, std::size_t last,
                     GridPoint to) {
  const auto& v = outline.vertices;
  Polygon part;
  add_unlike(part, drawn_back(from, v[first]));
  for (std::size_t i = first;; i = (i + 1) % v.size()) {
    add_unlike(part, v[i]);
    if (i == last) break;
  }
  add_unlike(part, drawn_back(to, v[last]));
  return part;
}

/// Of a disc of its area: what a pinch is compared with.
double width_of(double area) { return 2 * std::sqrt(std::max(area, 0.0) / 3.141592653589793); }
double width_of(const Polygon& part) { return width_of(part.signed_area()); }

/// Areas of the parts of an outline, each in a few operations. In pixels.
class PartAreas {
 public:
  explicit PartAreas(const Polygon& outline) : v_(outline.vertices), sums_{0} {
    for (std::size_t i = 0; i < v_.size(); ++i) {
      sums_.push_back(sums_.back() + cross(v_[i], v_[(i + 1) % v_.size()]));
    }
  }
  double whole() const { return sums_.back() / 2; }
  /// Of what a cut parts off, from its node on.
  double after(const Cut& cut) const {
    const double along =
        sums_[cut.edge] - sums_[cut.from] + (cut.edge < cut.from ? sums_.back() : 0);
    return (along + cross(v_[cut.edge], cut.to) + cross(cut.to, v_[cut.from])) / 2;
  }

 private:
  double cross(GridPoint a, GridPoint b) const {
    const auto x = [&](GridPoint p) { return static_cast<double>(p.x - v_[0].x); };
    const auto y = [&](GridPoint p) { return static_cast<double>(p.y - v_[0].y); };
    constexpr double step = 1.0 / grid_steps_per_pixel;
    return (x(a) * y(b) - x(b) * y(a)) * step * step;
  }
  const std::vector<GridPoint>& v_;
  std::vector<double> sums_;
};

using Candidate = std::pair<double, Cut>;  ///< With its length over the width of the smaller part.

/// Cuts from nodes in bays that are short enough for what they part, the best first.
std::vector<Candidate> candidates_in(const Polygon& outline, const std::stop_token& stop) {
  const auto& v = outline.vertices;
  const std::vector<double> depths = depths_of(outline);
  const PartAreas areas(outline);
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < v.size() && !stop.stop_requested(); ++i) {
    if (depths[i] <= least_depth) continue;
    for (std::size_t edge = 0; edge < v.size(); ++edge) {
      const std::size_t next = (edge + 1) % v.size();
      if (edge == i || next == i) continue;
      const GridPoint to = nearest_on(v[edge], v[next], v[i]);
      const Cut cut{i, edge, to, distance(v[i], to)};
      const double after = areas.after(cut);
      const double width = width_of(std::min(after, areas.whole() - after));
      if (cut.length < most_of_width * width) candidates.emplace_back(cut.length / width, cut);
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return candidates;
}

/// Nothing where a half would be no outline, or the cut is no pinch.
std::optional<Halves> halves_of(const Polygon& outline, const Cut& cut) {
  const std::size_t count = outline.vertices.size();
  const GridPoint from = outline.vertices[cut.from];
  const std::size_t next = (cut.from + 1) % count, previous = (cut.from + count - 1) % count;
  const Halves halves{part_between(outline, from, next, cut.edge, cut.to),
                      part_between(outline, cut.to, (cut.edge + 1) % count, previous, from)};
  for (const Polygon* half : {&halves.first, &halves.second}) {
    if (half->vertices.size() < 3 || half->signed_area() <= 0) return std::nullopt;
    if (cut.length > most_of_width * width_of(*half) || !is_simple(*half)) return std::nullopt;
  }
  if (Obstacles(box_around(halves.first), {&halves.second}).touches(halves.first)) {
    return std::nullopt;
  }
  return halves;
}

}  // namespace

std::int64_t bays_of(const Polygon& outline) {
  const std::vector<bool> is_corner = hull_of(outline);
  const std::vector<double> depths = depths_of(outline);
  const auto first = static_cast<std::size_t>(std::find(is_corner.begin(), is_corner.end(), true) -
                                              is_corner.begin());
  std::int64_t bays = 0;
  bool is_counted = false;
  for (std::size_t k = 0; k < depths.size(); ++k) {
    const std::size_t i = (first + k) % depths.size();
    if (is_corner[i]) is_counted = false;
    if (is_counted || depths[i] <= least_depth) continue;
    is_counted = true;
    ++bays;
  }
  return bays;
}

std::vector<Halves> cuts_of(const Polygon& outline, std::size_t most, const std::stop_token& stop) {
  // Cuts that look good may cross the outline elsewhere; to see that takes the whole of it.
  const std::size_t most_tries = 64 * most, spare = 3 * most;
  std::vector<std::pair<double, Halves>> found;
  std::size_t tries = 0;
  for (const auto& [ratio, cut] : candidates_in(outline, stop)) {
    if (found.size() == spare || tries++ == most_tries || stop.stop_requested()) break;
    const std::optional<Halves> halves = halves_of(outline, cut);
    if (!halves) continue;
    const double width = std::min(width_of(halves->first), width_of(halves->second));
    found.emplace_back(cut.length / width, *halves);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Halves> cuts;
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) cuts.push_back(found[i].second);
  return cuts;
}

bool are_close(const Polygon& a, const Polygon& b, double pixels) {
  const Box first = box_around(a), second = box_around(b);
  const auto reach = static_cast<std::int64_t>(pixels * grid_steps_per_pixel) + 1;
  const bool is_far = first.low.x > second.high.x + reach || second.low.x > first.high.x + reach ||
                      first.low.y > second.high.y + reach || second.low.y > first.high.y + reach;
  if (is_far) return false;
  const auto is_near = [&](const Polygon& nodes, const Polygon& edges) {
    const std::size_t count = edges.vertices.size();
    for (const GridPoint p : nodes.vertices) {
      for (std::size_t i = 0; i < count; ++i) {
        const GridPoint q = nearest_on(edges.vertices[i], edges.vertices[(i + 1) % count], p);
        if (distance(p, q) <= pixels) return true;
      }
    }
    return false;
  };
  return is_near(a, b) || is_near(b, a);
}

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
