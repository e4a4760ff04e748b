// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/objects/worth.hpp"

#include <algorithm>
#include <cmath>

#include "contour/detect/component_tree.hpp"
#include "contour/likelihood/criterion.hpp"
#include "contour/likelihood/sums.hpp"

namespace meander::contour {
namespace {

/// Those for which it is not true go.
void keep_where(ObjectField& field, const std::function<bool(std::size_t)>& is_good) {
  std::vector<bool> stays(field.size());
  for (std::size_t i = 0; i < field.size(); ++i) stays[i] = is_good(i);
  if (std::find(stays.begin(), stays.end(), false) != stays.end()) field.keep(stays);
}

std::vector<Worth> worths_of(const ObjectField& field) {
  std::vector<Worth> worths(field.size());
  for_all(field.scene(), field.size(), [&](std::size_t i) { worths[i] = worth_of(field, i); });
  return worths;
}

/// Whether another object lies in a hole.
bool is_taken(const ObjectField& field, std::size_t i, const Polygon& hole) {
  const auto& near = field.neighbours(i);
  return std::any_of(near.begin(), near.end(), [&](std::size_t other) {
    return holds(hole, field.object(other).region.outer.vertices.front());
  });
}

/// A hole that does not pay; the number of holes when all do.
std::size_t needless_hole(const ObjectField& field, std::size_t i) {
  const Region& region = field.object(i).region;
  for (std::size_t hole = 0; hole < region.holes.size(); ++hole) {
    const Criterion criterion = field.criterion_of_hole(i, hole);
    const RegionSums held = RegionSums{} - sums_of_ring(*field.scene().image, region.holes[hole]);
    const double gain = criterion.of({}) - criterion.of(held);
    if (!(gain > cost_of_hole(region.holes[hole], region.outer)) &&
        !is_taken(field, i, region.holes[hole])) {
      return hole;
    }
  }
  return region.holes.size();
}

}  // namespace

Worth worth_of(const ObjectField& field, std::size_t i) {
  const Object& object = field.object(i);
  // Of all that lies around it, not of the level next to it alone.
  Criterion::Family family = object.family;
  family.background.reset();
  // And by its variance: that of a star with a high peak would outweigh it.
  const PixelNoise& noise = field.scene().noise;
  const RegionSums around = field.local_ground_of(i) - object.sums;
  if (family.variance > 0 && around.count > 0) {
    const auto n = static_cast<double>(around.count);
    family.variance = noise.correlation * std::max(scatter(around) / (n * n), least_variance);
  }
  double description = cost_of_region(object.region, field.scene().shape());
  if (family.variance > 0 && noise.correlation >= FindingConstants{}.smoothed) {
    // As in finding.
    description = cost_of_place(field.scene().shape()) / 2 - std::log(noise.correlation) +
                  cost_of_ellipse(object.region.area() / noise.correlation);
  }
  const Criterion criterion(family, field.scene().levels, field.ground_of(i));
  return {.gain = criterion.undivided() - criterion.of(object.sums), .description = description};
}

void fill_holes(ObjectField& field) {
  for (std::size_t i = 0; i < field.size(); ++i) {
    while (true) {
      Region region = field.object(i).region;
      const std::size_t hole = needless_hole(field, i);
      if (hole == region.holes.size()) break;
      region.holes.erase(region.holes.begin() + static_cast<std::ptrdiff_t>(hole));
      field.set_region(i, std::move(region));
    }
  }
}

void leave_out(ObjectField& field) {
  const ObjectOptions& options = *field.scene().options;
  keep_where(field, [&](std::size_t i) { return field.object(i).sums.count > 0; });
  // What goes becomes background, from which others may not be told any more.
  for (std::size_t before = field.size() + 1; field.size() < before;) {
    before = field.size();
    const std::vector<Worth> worths = worths_of(field);
    keep_where(field, [&](std::size_t i) { return worths[i].saved() > 0; });
  }
  // Small ones go last: as background they would hide others.
  keep_where(field, [&](std::size_t i) {
    return field.object(i).region.area() >= field.scene().min_area;
  });
  if (field.scene().bounds != nullptr) {
    keep_where(field, [&](std::size_t i) {
      const Object& object = field.object(i);
      const Levels& levels = field.scene().levels;
      return field.scene().bounds->allow(object.region, statistics_of(object.sums, levels),
                                         statistics_of(field.ground_of(i) - object.sums, levels));
    });
  }
  const auto most = static_cast<std::size_t>(options.max_objects);
  if (field.size() <= most) return;
  std::vector<double> losses;
  for (const Worth& worth : worths_of(field)) losses.push_back(-worth.gain);
  const std::vector<std::size_t> order = ranking(losses);
  std::vector<bool> stays(field.size(), false);
  for (std::size_t k = 0; k < most; ++k) stays[order[k]] = true;
  field.keep(stays);
}

}  // namespace meander::contour
