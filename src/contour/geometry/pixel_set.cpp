// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/geometry/pixel_set.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "contour/geometry/crossings.hpp"

namespace meander::contour {
namespace {

bool is_before(const RowRun& a, const RowRun& b) {
  return std::tie(a.y, a.begin) < std::tie(b.y, b.begin);
}

/// Runs in any order, as a set.
PixelSet united(std::vector<RowRun> runs) {
  std::sort(runs.begin(), runs.end(), is_before);
  PixelSet set;
  for (const RowRun& run : runs) {
    if (run.begin >= run.end) continue;
    const bool goes_on =
        !set.runs.empty() && set.runs.back().y == run.y && run.begin <= set.runs.back().end;
    if (goes_on) {
      set.runs.back().end = std::max(set.runs.back().end, run.end);
    } else {
      set.runs.push_back(run);
    }
  }
  return set;
}

bool ends_before(const RowRun& a, const RowRun& b) {
  return a.y < b.y || (a.y == b.y && a.end <= b.begin);
}

}  // namespace

std::int64_t PixelSet::count() const {
  std::int64_t sum = 0;
  for (const RowRun& run : runs) sum += run.end - run.begin;
  return sum;
}

PixelBox PixelSet::box() const {
  if (runs.empty()) return {};
  PixelBox box{runs.front().begin, runs.front().y, runs.front().end, runs.back().y + 1};
  for (const RowRun& run : runs) {
    box.x0 = std::min(box.x0, run.begin);
    box.x1 = std::max(box.x1, run.end);
  }
  return box;
}

PixelSet pixels_of(const Region& region, const Shape& image) {
  std::vector<Crossing> crossings;
  const RowBand band{image.x, 0, image.y};
  add_crossings(region.outer, 1, band, crossings);
  for (const Polygon& hole : region.holes) add_crossings(hole, 1, band, crossings);
  sort_crossings(crossings);
  std::vector<RowRun> runs;
  for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
    runs.push_back({crossings[i].row, crossings[i].column, crossings[i + 1].column});
  }
  return united(std::move(runs));
}

std::int64_t count_common(const PixelSet& a, const PixelSet& b) {
  std::int64_t sum = 0;
  std::size_t first = 0;
  for (const RowRun& run : a.runs) {
    while (first < b.runs.size() && ends_before(b.runs[first], run)) ++first;
    for (std::size_t i = first; i < b.runs.size() && !ends_before(run, b.runs[i]); ++i) {
      sum += std::min(run.end, b.runs[i].end) - std::max(run.begin, b.runs[i].begin);
    }
  }
  return sum;
}

PixelSet common(const PixelSet& a, const PixelSet& b) { return without(a, without(a, b)); }

PixelSet without(const PixelSet& a, const PixelSet& b) {
  PixelSet rest;
  std::size_t first = 0;
  for (RowRun run : a.runs) {
    while (first < b.runs.size() && ends_before(b.runs[first], run)) ++first;
    for (std::size_t i = first; i < b.runs.size() && !ends_before(run, b.runs[i]); ++i) {
      if (run.begin < b.runs[i].begin) rest.runs.push_back({run.y, run.begin, b.runs[i].begin});
      run.begin = std::max(run.begin, b.runs[i].end);
    }
    if (run.begin < run.end) rest.runs.push_back(run);
  }
  return rest;
}

PixelSet grown(const PixelSet& pixels, const Shape& image) {
  std::vector<RowRun> runs;
  for (const RowRun& run : pixels.runs) {
    for (std::int64_t y = std::max<std::int64_t>(run.y - 1, 0);
         y <= std::min(run.y + 1, image.y - 1); ++y) {
      runs.push_back({y, std::max<std::int64_t>(run.begin - 1, 0), std::min(run.end + 1, image.x)});
    }
  }
  return united(std::move(runs));
}

namespace {

/// 1 at the pixels of a set, in its box and one pixel around it.
Image mask_of(const PixelSet& pixels, const PixelBox& box) {
  Image mask = Image::allocate(
      {.shape = {box.x1 - box.x0 + 2, box.y1 - box.y0 + 2, 1}, .type = PixelType::u8});
  for (std::int64_t y = 0; y < mask.shape().y; ++y) {
    std::fill_n(mask.mutable_row<std::uint8_t>(y), mask.shape().x, std::uint8_t{0});
  }
  for (const RowRun& run : pixels.runs) {
    std::fill_n(mask.mutable_row<std::uint8_t>(run.y - box.y0 + 1) + (run.begin - box.x0 + 1),
                run.end - run.begin, std::uint8_t{1});
  }
  return mask;
}

Polygon from_mask(Polygon ring, const PixelBox& box) {
  for (GridPoint& vertex : ring.vertices) {
    vertex.x += (box.x0 - 1) * grid_steps_per_pixel;
    vertex.y += (box.y0 - 1) * grid_steps_per_pixel;
  }
  return ring;
}

/// What squares of two by two pixels of a mask cover.
Image opened(const Image& mask) {
  Image out = Image::allocate(mask.description());
  const Shape& shape = mask.shape();
  for (std::int64_t y = 0; y < shape.y; ++y) {
    std::fill_n(out.mutable_row<std::uint8_t>(y), shape.x, std::uint8_t{0});
  }
  for (std::int64_t y = 0; y + 1 < shape.y; ++y) {
    const auto *upper = mask.row<std::uint8_t>(y), *lower = mask.row<std::uint8_t>(y + 1);
    auto *here = out.mutable_row<std::uint8_t>(y), *below = out.mutable_row<std::uint8_t>(y + 1);
    for (std::int64_t x = 0; x + 1 < shape.x; ++x) {
      if ((upper[x] & upper[x + 1] & lower[x] & lower[x + 1]) == 0) continue;
      here[x] = here[x + 1] = below[x] = below[x + 1] = 1;
    }
  }
  return out;
}

}  // namespace

std::vector<Region> parts_without_necks(const PixelSet& pixels) {
  if (pixels.runs.empty()) return {};
  const PixelBox box = pixels.box();
  std::vector<Region> parts = regions_of_mask(opened(mask_of(pixels, box)));
  if (parts.size() < 2) return {};
  for (Region& part : parts) {
    part.outer = from_mask(std::move(part.outer), box);
    for (Polygon& hole : part.holes) hole = from_mask(std::move(hole), box);
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Region& a, const Region& b) { return a.area() > b.area(); });
  return parts;
}

std::optional<Region> largest_part(const PixelSet& pixels) {
  if (pixels.runs.empty()) return {};
  const PixelBox box = pixels.box();
  return Region{from_mask(outline_of_mask(mask_of(pixels, box)), box), {}};
}

namespace {

/// Sums over triangles from one corner, so that numbers stay small: whole ones that float64 holds
/// for objects of up to some hundred pixels across.
struct AreaSums {
  double area = 0, x = 0, y = 0;

  void add(const Polygon& ring, const GridPoint& corner) {
    for (std::size_t i = 0; i < ring.vertices.size(); ++i) {
      const GridPoint& from = ring.vertices[i];
      const GridPoint& to = ring.vertices[i + 1 < ring.vertices.size() ? i + 1 : 0];
      const auto ax = static_cast<double>(from.x - corner.x);
      const auto ay = static_cast<double>(from.y - corner.y);
      const auto bx = static_cast<double>(to.x - corner.x);
      const auto by = static_cast<double>(to.y - corner.y);
      const double doubled = ax * by - bx * ay;
      area += doubled;
      x += doubled * (ax + bx);
      y += doubled * (ay + by);
    }
  }
};

Point mean_of_line(const Curve& curve) {
  const auto& points = curve.points;
  Point sum;
  double length = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto dx = static_cast<double>(points[i].x - points[i - 1].x);
    const auto dy = static_cast<double>(points[i].y - points[i - 1].y);
    const double part = std::sqrt(dx * dx + dy * dy);
    length += part;
    sum.x += part * static_cast<double>(points[i].x + points[i - 1].x) / 2;
    sum.y += part * static_cast<double>(points[i].y + points[i - 1].y) / 2;
  }
  if (length == 0) return {};
  return {sum.x / length / grid_steps_per_pixel, sum.y / length / grid_steps_per_pixel};
}

}  // namespace

Point centroid_of(const Region& region) {
  if (region.outer.vertices.empty()) return {};
  const GridPoint corner = region.outer.vertices.front();
  AreaSums sums;
  sums.add(region.outer, corner);
  for (const Polygon& hole : region.holes) sums.add(hole, corner);
  const auto place = [&](std::int64_t from, double sum) {
    const double on = sums.area == 0 ? 0 : sum / (3 * sums.area);
    return (static_cast<double>(from) + on) / grid_steps_per_pixel;
  };
  return {place(corner.x, sums.x), place(corner.y, sums.y)};
}

Point centroid_of(const Curve& curve) {
  return curve.is_open ? mean_of_line(curve) : centroid_of(Region{{curve.points}, {}});
}

std::vector<GridPoint> moved(std::vector<GridPoint> points, double dx, double dy) {
  const auto steps = [](double pixels) {
    return static_cast<std::int64_t>(std::floor(pixels * grid_steps_per_pixel + 0.5));
  };
  for (GridPoint& point : points) {
    point.x += steps(dx);
    point.y += steps(dy);
  }
  return points;
}

Region moved(const Region& region, double dx, double dy) {
  Region there{{moved(region.outer.vertices, dx, dy)}, {}};
  for (const Polygon& hole : region.holes) there.holes.push_back({moved(hole.vertices, dx, dy)});
  return there;
}

}  // namespace meander::contour
