// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/objects/object_starts.hpp"

#include <algorithm>
#include <cmath>

#include "contour/geometry/clip.hpp"
#include "contour/geometry/obstacles.hpp"
#include "contour/likelihood/sums.hpp"
#include "contour/objects/windows.hpp"
#include "contour/region/check.hpp"
#include "core/message.hpp"
#include "meander/error.hpp"

namespace meander::contour {
namespace {

/// By how much rings that touch are drawn in, in grid steps: less than the half pixel between the
/// outline of a mask and the centres of its pixels, so these stay inside.
constexpr double draw_in = 0.125 * grid_steps_per_pixel;

Polygon in_order(Polygon ring, bool is_positive) {
  if ((ring.signed_area() > 0) != is_positive) {
    std::reverse(ring.vertices.begin(), ring.vertices.end());
  }
  return ring;
}

Region within_image(const Region& start, const Shape& image) {
  check_start(start.outer);
  Region region{in_order(clipped(start.outer, image), true), {}};
  const Box limits{lowest_node(), highest_node(image)};
  for (const Polygon& hole : start.holes) {
    check_start(hole);
    // One that the border of the image cuts is a bay of the outline, no hole; the search finds it.
    if (is_within(box_around(hole), limits)) region.holes.push_back(in_order(hole, false));
  }
  return region;
}

std::vector<const Polygon*> rings_of(const Region& region) {
  std::vector<const Polygon*> rings{&region.outer};
  for (const Polygon& hole : region.holes) rings.push_back(&hole);
  return rings;
}

/// What is wrong with a region among others.
struct Trouble {
  bool touches = false;   ///< A ring of its own or of another region.
  bool overlaps = false;  ///< Another region lies in it, or a hole in a hole or outside.
};

/// Whether a hole lies in another, or not in the outer ring; none touches another.
bool has_stray_hole(const Region& region) {
  std::vector<Box> boxes;
  for (const Polygon& hole : region.holes) boxes.push_back(box_around(hole));
  const auto near = neighbours_of(boxes);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const GridPoint place = region.holes[i].vertices.front();
    if (!holds(region.outer, place)) return true;
    for (const std::size_t other : near[i]) {
      if (holds(region.holes[other], place)) return true;
    }
  }
  return false;
}

Trouble trouble_of(const std::vector<Region>& regions, std::size_t i,
                   const std::vector<std::size_t>& near) {
  const Region& region = regions[i];
  Trouble trouble{.overlaps = has_stray_hole(region)};
  const std::vector<const Polygon*> own = rings_of(region);
  std::vector<const Polygon*> rings = own;
  for (const std::size_t other : near) {
    for (const Polygon* ring : rings_of(regions[other])) rings.push_back(ring);
    trouble.overlaps |= covers(region, regions[other].outer.vertices.front());
  }
  const Obstacles all(box_around(region.outer), rings);
  for (std::size_t k = 0; k < own.size() && !trouble.touches; ++k) {
    trouble.touches = all.touches_another(*own[k], k);
  }
  return trouble;
}

std::vector<Trouble> troubles_of(const std::vector<Region>& regions, const Control& control) {
  std::vector<Box> boxes;
  for (const Region& region : regions) boxes.push_back(box_around(region.outer));
  const auto near = neighbours_of(boxes);
  std::vector<Trouble> troubles;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    control.step(0);
    troubles.push_back(trouble_of(regions, i, near[i]));
  }
  return troubles;
}

bool is_free(const std::vector<Trouble>& troubles) {
  return std::none_of(troubles.begin(), troubles.end(),
                      [](const Trouble& trouble) { return trouble.touches || trouble.overlaps; });
}

/// Every corner moves into what the region covers, so far that both its edges move by `draw_in`; a
/// sharp one by at most four times that. The ring itself where that would cross itself.
Polygon drawn_in(const Polygon& ring) {
  const auto& v = ring.vertices;
  Polygon smaller;
  const auto direction = [](GridPoint a, GridPoint b) {
    const auto x = static_cast<double>(b.x - a.x), y = static_cast<double>(b.y - a.y);
    const double length = std::max(1.0, std::sqrt(x * x + y * y));
    return std::pair{x / length, y / length};
  };
  for (std::size_t i = 0; i < v.size(); ++i) {
    const auto [ax, ay] = direction(v[(i + v.size() - 1) % v.size()], v[i]);
    const auto [bx, by] = direction(v[i], v[(i + 1) % v.size()]);
    // The inside is to the right of an edge (y runs down): normals (-y, x).
    const double nx = -ay - by, ny = ax + bx, square = nx * nx + ny * ny;
    const double by_much = draw_in * 2 / std::max(square, 0.25);
    smaller.vertices.push_back(
        {v[i].x + std::llround(by_much * nx), v[i].y + std::llround(by_much * ny)});
  }
  const bool is_good =
      is_simple(smaller) && (smaller.signed_area() > 0) == (ring.signed_area() > 0);
  return is_good ? smaller : ring;
}

void draw_apart(std::vector<Region>& regions, const std::vector<Trouble>& troubles) {
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (!troubles[i].touches) continue;
    regions[i].outer = drawn_in(regions[i].outer);
    for (Polygon& hole : regions[i].holes) hole = drawn_in(hole);
  }
}

/// Each pixel is the last one's that holds it; of each start the largest part.
std::vector<Region> by_pixels(const std::vector<Region>& regions, const Shape& image) {
  std::vector<LabelledRegion> labelled;
  for (const Region& region : regions) {
    labelled.push_back({static_cast<std::int64_t>(labelled.size()) + 1, region});
  }
  Image labels = Image::allocate({.shape = image, .type = PixelType::u16});
  fill_labels(labelled, labels, 0);
  std::vector<Region> parts(regions.size());
  for (LabelledRegion& part : regions_of_labels(labels)) {
    Region& largest = parts[static_cast<std::size_t>(part.label - 1)];
    if (largest.outer.vertices.empty() || part.region.area() > largest.area()) {
      largest = std::move(part.region);
    }
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].outer.vertices.empty()) continue;
    throw InvalidArgument(
        message("start ", i + 1, " has no pixel that later ones leave it, expected at least one"));
  }
  return parts;
}

}  // namespace

bool covers(const Region& region, GridPoint p) {
  return holds(region.outer, p) &&
         std::none_of(region.holes.begin(), region.holes.end(),
                      [&](const Polygon& hole) { return holds(hole, p); });
}

bool are_apart(const std::vector<Region>& regions) { return is_free(troubles_of(regions, {})); }

std::optional<std::vector<Region>> drawn_apart(std::vector<Region> regions,
                                               const Control& control) {
  const std::vector<Trouble> troubles = troubles_of(regions, control);
  if (is_free(troubles)) return regions;
  draw_apart(regions, troubles);
  if (!are_apart(regions)) return std::nullopt;
  return regions;
}

std::vector<Region> prepared_starts(const std::vector<Region>& starts, const Shape& image,
                                    const Control& control) {
  std::vector<Region> regions;
  for (const Region& start : starts) regions.push_back(within_image(start, image));
  if (auto apart = drawn_apart(regions, control)) return *apart;
  if (auto apart = drawn_apart(by_pixels(regions, image), control)) return *apart;
  throw InvalidArgument("the starts overlap, expected outlines that lie side by side");
}

}  // namespace meander::contour
