// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/detect.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "contour/ground.hpp"
#include "core/parallel_for.hpp"

namespace meander::contour {
namespace {

/// Leaves out a spot that lies over others that have taken their place, or beside them.
bool take_place(CellSet& taken, const Spot& spot) {
  bool is_free = true;
  for_cells(taken.grid(), spot, 1,
            [&](std::int64_t x, std::int64_t y) { is_free = is_free && !taken.holds(x, y); });
  if (!is_free) return false;
  for_cells(taken.grid(), spot, 0, [&](std::int64_t x, std::int64_t y) { taken.add(x, y); });
  return true;
}

std::vector<Region> regions_of(const std::vector<Spot>& spots, const Ground& ground) {
  const std::vector<Scale>& scales = ground.scales;
  std::vector<Backdrop::Rows> levels;
  for (const Scale& scale : scales) levels.emplace_back(ground.backdrop, *scale.grid);
  std::vector<Region> regions(spots.size());
  parallel_for(static_cast<std::int64_t>(spots.size()), [&](std::int64_t number) {
    const Spot& spot = spots[static_cast<std::size_t>(number)];
    std::size_t i = 0;
    while (scales[i].grid->block != spot.block) ++i;
    regions[static_cast<std::size_t>(number)] =
        region_of(spot, {scales[i].grid, &levels[i], scales[i].noise, scales[i].within});
  });
  return regions;
}

}  // namespace

bool starts_before(const Region& a, const Region& b) {
  const GridPoint p = a.outer.vertices.front(), q = b.outer.vertices.front();
  return std::tie(p.y, p.x) < std::tie(q.y, q.x);
}

Detected detect(const Image& image, const Control& control) {
  const std::vector<CellGrid> grids = cell_grids(image, control);
  const Ground ground = find_ground(grids, control);
  std::vector<Choice> choices = choices_on(ground.backdrop, ground.scales, control);
  std::vector<Spot> spots;
  for (Choice& choice : choices) {
    std::move(choice.spots.begin(), choice.spots.end(), std::back_inserter(spots));
  }
  std::stable_sort(spots.begin(), spots.end(),
                   [](const Spot& a, const Spot& b) { return a.gain > b.gain; });
  CellSet taken(grids.front());
  std::erase_if(spots, [&](const Spot& spot) { return !take_place(taken, spot); });
  std::vector<Region> regions = regions_of(spots, ground);
  std::sort(regions.begin(), regions.end(), starts_before);
  return {std::move(regions), ground.shading()};
}

std::optional<Backdrop> shading_of(const Image& image, const Control& control) {
  const std::vector<CellGrid> grids = cell_grids(image, control);
  return find_ground(grids, control).shading();
}

Image without_shading(const Image& image, const Backdrop& backdrop) {
  Description flat{.shape = image.shape(), .type = PixelType::u16};
  Image out = Image::allocate(flat);
  const CellGrid pixels{.block = 1, .columns = flat.shape.x, .rows = flat.shape.y, .means = {}};
  const Backdrop::Rows rows(backdrop, pixels);
  visit(image.type(), [&]<class T>(std::type_identity<T>) {
    parallel_for(flat.shape.y, [&](std::int64_t y) {
      std::vector<float> levels;
      rows.find(y, 0, flat.shape.x, levels);
      const T* from = image.row<T>(y);
      auto* to = out.mutable_row<std::uint16_t>(y);
      for (std::int64_t x = 0; x < flat.shape.x; ++x) {
        const double difference =
            to_double(from[x]) - static_cast<double>(levels[static_cast<std::size_t>(x)]);
        to[x] = static_cast<std::uint16_t>(
            std::clamp(std::nearbyint(difference + 32768), 0.0, 65535.0));
      }
    });
  });
  return out;
}

std::int64_t detect_bytes(const Shape& image) {
  const std::int64_t cells = finest_cells(image);
  // The means of all grids and the squares of the coarser ones, the numbers of spots on the second
  // and the room on the finest.
  return cells * (4 + 2 + 2 + 1) + cells / 8;
}

}  // namespace meander::contour
