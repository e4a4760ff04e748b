// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/objects/confine.hpp"

#include <algorithm>

#include "contour/geometry/obstacles.hpp"
#include "contour/geometry/pixel_set.hpp"
#include "contour/region/confine.hpp"

namespace meander::contour {
namespace {

/// Cells of an image, and one around it on every side, each of the start that is nearest.
class NearestStarts {
 public:
  NearestStarts(const std::vector<Region>& starts, const Shape& image) {
    constexpr std::int64_t most_cells = std::int64_t{1} << 22;
    while ((image.x / block_) * (image.y / block_) > most_cells) ++block_;
    const auto cells = [&](std::int64_t pixels) { return (pixels + block_ - 1) / block_ + 2; };
    labels_ =
        Image::allocate({.shape = {cells(image.x), cells(image.y), 1}, .type = PixelType::u16});
    for (std::int64_t y = 0; y < labels_.shape().y; ++y) {
      std::fill_n(labels_.mutable_row<std::uint16_t>(y), labels_.shape().x, std::uint16_t{0});
    }
    std::vector<Cell> border;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      for (const RowRun& run : pixels_of(starts[i], image).runs) {
        for (std::int64_t x = run.begin / block_; x <= (run.end - 1) / block_; ++x) {
          take({x + 1, run.y / block_ + 1}, static_cast<std::uint16_t>(i + 1), border);
        }
      }
    }
    for (bool over_corners = false; !border.empty(); over_corners = !over_corners) {
      border = grown_from(border, over_corners);
    }
  }

  const Image& labels() const { return labels_; }
  Polygon in_pixels(Polygon ring) const {
    constexpr std::int64_t half = grid_steps_per_pixel / 2;
    for (GridPoint& p : ring.vertices)
      p = {(p.x - half) * block_ - half, (p.y - half) * block_ - half};
    return ring;
  }

 private:
  struct Cell {
    std::int64_t x, y;
  };

  void take(Cell cell, std::uint16_t label, std::vector<Cell>& border) {
    const Shape& shape = labels_.shape();
    if (cell.x < 0 || cell.y < 0 || cell.x >= shape.x || cell.y >= shape.y) return;
    std::uint16_t& here = labels_.mutable_row<std::uint16_t>(cell.y)[cell.x];
    if (here != 0) return;
    here = label;
    border.push_back(cell);
  }

  std::vector<Cell> grown_from(const std::vector<Cell>& border, bool over_corners) {
    std::vector<Cell> next;
    for (const Cell& cell : border) {
      const std::uint16_t label = labels_.row<std::uint16_t>(cell.y)[cell.x];
      for (std::int64_t dy = -1; dy <= 1; ++dy) {
        for (std::int64_t dx = -1; dx <= 1; ++dx) {
          if (over_corners || dx == 0 || dy == 0) take({cell.x + dx, cell.y + dy}, label, next);
        }
      }
    }
    return next;
  }

  std::int64_t block_ = 1;
  Image labels_;
};

}  // namespace

std::vector<Polygon> zones_between(const std::vector<Region>& starts, const Shape& image) {
  const NearestStarts nearest(starts, image);
  std::vector<Region> largest(starts.size());
  for (LabelledRegion& part : regions_of_labels(nearest.labels())) {
    Region& zone = largest[static_cast<std::size_t>(part.label - 1)];
    if (zone.outer.vertices.empty() || part.region.area() > zone.area()) {
      zone = std::move(part.region);
    }
  }
  std::vector<Polygon> zones;
  for (Region& zone : largest) zones.push_back(nearest.in_pixels(std::move(zone.outer)));
  return zones;
}

Effort keep_near_starts(ObjectField& field, const std::vector<Region>& starts,
                        const Control& control) {
  const Shape& shape = field.scene().shape();
  const std::size_t count = field.size();
  std::vector<Region> far;
  std::vector<std::vector<Polygon>> zones;
  std::vector<bool> is_open(count);
  for (std::size_t i = 0; i < count; ++i) {
    far.push_back(field.object(i).region);
    zones.push_back(field.object(i).zones);
    is_open[i] = has_run_away(far[i], starts[i], shape);
  }
  const auto is_any = [&] {
    return std::find(is_open.begin(), is_open.end(), true) != is_open.end();
  };
  const auto go_to = [&](std::size_t i, const Region& region, std::vector<Polygon> within) {
    field.set_region(i, region);
    field.set_zones(i, std::move(within));
  };
  Effort effort;
  for (int step = 0; is_any(); ++step) {
    std::vector<Confinement> within(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_open[i]) continue;
      auto next = confinement(starts[i], step, shape);
      is_open[i] = next && !is_within(far[i], *next, shape);
      if (!is_open[i]) {
        go_to(i, far[i], zones[i]);
        continue;
      }
      std::vector<Polygon> all = zones[i];
      all.push_back(next->zone);
      go_to(i, starts[i], std::move(all));
      within[i] = std::move(*next);
    }
    if (!is_any()) break;
    effort += improve_some(field, is_open, control, 0.8, 0.8);
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_open[i]) continue;
      const Criterion criterion(field.object(i).family, field.scene().levels, {});
      is_open[i] = judged(field.object(i).region, far[i], within[i], *field.scene().image,
                          criterion) != Confined::left_off;
    }
  }
  return effort;
}

void bring_back(ObjectField& field, const std::vector<Region>& starts) {
  const Shape& shape = field.scene().shape();
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (field.object(i).start >= starts.size()) continue;
    const Region& start = starts[field.object(i).start];
    const PixelSet before = pixels_of(start, shape);
    const PixelSet after = pixels_of(field.object(i).region, shape);
    const std::int64_t common = count_common(before, after);
    if (3 * common >= before.count() + after.count()) continue;
    // Unless another has come there.
    const Obstacles others(field.object(i).window, field.rings_about(i));
    if (!others.touches(start.outer)) field.set_region(i, start);
  }
}

void confine_curves(ObjectField& field) {
  for (std::size_t i = 0; i < field.size(); ++i) {
    const Object& object = field.object(i);
    std::vector<Polygon> zones = object.zones;
    zones.push_back(curve_confinement(object.region, field.scene().shape()).zone);
    field.set_zones(i, std::move(zones));
  }
}

}  // namespace meander::contour
