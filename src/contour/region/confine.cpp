// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/region/confine.hpp"

#include <cmath>
#include <numbers>

#include "contour/detect/detect.hpp"
#include "contour/geometry/pixel_set.hpp"
#include "contour/likelihood/criterion.hpp"
#include "contour/likelihood/sums.hpp"

namespace meander::contour {
namespace {

/// Confinements grow by this factor.
constexpr double growth = 1.5;
/// Rings around a start have blocks of this part of their reach, so that they have few nodes.
constexpr std::int64_t most_blocks = 64;

/// Of the confinement's last block the outline is held; what lies off it is the rest.
PixelSet middle_of(const Confinement& within, const Shape& image) {
  if (within.is_at_start()) return pixels_of(within.start, image);
  return pixels_of({zone_around(within.start, within.blocks - 1, within.block, image), {}}, image);
}

}  // namespace

bool has_run_away(const Region& outline, const Region& start, const Shape& image) {
  const PixelSet before = pixels_of(start, image);
  return without(pixels_of(outline, image), before).count() > before.count();
}

std::optional<Confinement> confinement(const Region& start, int step, const Shape& image) {
  const double radius = std::sqrt(start.area() / std::numbers::pi);
  const double reach = std::max(1.0, radius * (std::pow(growth, step) - 1));
  if (!(reach < static_cast<double>(std::max(image.x, image.y)))) return {};
  const std::int64_t pixels = std::llround(reach);
  const std::int64_t block = (pixels + most_blocks - 1) / most_blocks;
  const std::int64_t blocks = pixels / block;
  return Confinement{start, blocks, block, zone_around(start, blocks, block, image)};
}

Confinement curve_confinement(const Region& outline, const Shape& image) {
  // What a curve is sought with at first, and as far as found outlines go.
  constexpr std::int64_t part_of_side = 32, least = 3;
  const auto [low, high] = box_around(outline.outer);
  const std::int64_t side = std::max(high.x - low.x, high.y - low.y) / grid_steps_per_pixel;
  const std::int64_t reach = std::max(least, side / part_of_side);
  const std::int64_t block = (reach + most_blocks - 1) / most_blocks;
  return {outline, reach / block, block, zone_around(outline, reach / block, block, image)};
}

Confined judged(const Region& outline, const Region& unconfined, const Confinement& within,
                const SumLevels& image, const Criterion& criterion) {
  const Shape& shape = image.pixels().shape;
  const PixelSet pixels = pixels_of(outline, shape), far = pixels_of(unconfined, shape);
  const PixelSet around = without(grown(pixels, shape), pixels);
  const PixelSet middle = middle_of(within, shape);
  const std::int64_t border = around.count(), held = without(around, middle).count();
  if (2 * held > border) return Confined::held;
  // The start was drawn around what fills it, or has its border in common with the other one.
  const std::int64_t shared = without(common(around, middle), far).count();
  const bool is_full = 2 * pixels.count() > pixels_of(within.start, shape).count();
  if (within.is_at_start() && (is_full || 2 * shared > border)) return Confined::left_off;
  // Of what the other one holds nearby, is this an object?
  const PixelSet rest = without(common(pixels_of({within.zone, {}}, shape), far), pixels);
  const RegionSums own = sums_of_pixels(image, pixels);
  const Criterion nearby(criterion.family(), criterion.levels(), own + sums_of_pixels(image, rest));
  const double gain = nearby.undivided() - nearby.of(own);
  return gain > cost_of_region(outline, shape) ? Confined::left_off : Confined::on_way;
}

bool is_within(const Region& unconfined, const Confinement& within, const Shape& image) {
  return without(pixels_of(unconfined, image), middle_of(within, image)).runs.empty();
}

}  // namespace meander::contour
