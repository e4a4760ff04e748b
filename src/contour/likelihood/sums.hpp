// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "contour/geometry/pixel_set.hpp"
#include "contour/geometry/segments.hpp"
#include "engine/backend.hpp"
#include "meander/segment.hpp"

namespace meander::contour {

using engine::CumulatedSums;
using engine::RegionSums;

/// The shapes of what SumLevels holds for an image.
struct SumPlan {
  CumulatedSums rows;                 ///< Cells are pixels.
  std::vector<CumulatedSums> blocks;  ///< From the finest grid of blocks to the coarsest.
};
SumPlan plan_sums(const Shape& image, const SegmentOptions& options);
/// What the device allocates for it.
std::int64_t bytes_of(const SumPlan& plan);

/// An image with its sums along rows of pixels and, for the pyramid, of blocks.
class SumLevels {
 public:
  SumLevels(std::shared_ptr<engine::Backend> backend, const engine::View& pixels,
            const SegmentOptions& options);

  engine::Backend& backend() const { return *backend_; }
  const engine::View& pixels() const { return pixels_; }
  const CumulatedSums& rows() const { return plan_.rows; }
  const std::vector<CumulatedSums>& blocks() const { return plan_.blocks; }
  const RegionSums& total() const { return total_; }

 private:
  std::shared_ptr<engine::Backend> backend_;
  engine::View pixels_;
  SumPlan plan_;
  RegionSums total_;
};

// Sums over the pixels of regions and boxes, exactly.

RegionSums sums_of_ring(const SumLevels& image, const Polygon& ring);
RegionSums sums_of_region(const SumLevels& image, const Region& region);
/// `box`: its border runs between pixels.
RegionSums sums_of_box(const SumLevels& image, const Box& box);
/// Of what a region has in such a box.
RegionSums sums_in_box(const SumLevels& image, const Region& region, const Box& box);
RegionSums sums_of_pixels(const SumLevels& image, const PixelSet& pixels);

/// A change of an outline: before → node → after becomes before → to → after, or before → after
/// where `to` is missing.
struct Change {
  GridPoint before, node, after;
  std::optional<GridPoint> to;
};

/// On what a search looks at an image: blocks of pixels or single ones.
struct SearchLevel {
  const CumulatedSums* sums = nullptr;
  bool sweeps = false;  ///< Whether small changes are summed over what they sweep, pixel by pixel.
};

/// By how much each change would alter the sums over the inside, exactly; one call of the engine or
/// two. Safe to call from several threads where the engine is.
void sums_of_changes(const SumLevels& image, const SearchLevel& level,
                     std::span<const Change> changes, std::vector<RegionSums>& results);

/// Over the inside of a polygon.
RegionSums sums_inside(const SumLevels& image, const CumulatedSums& sums, const Polygon& polygon);

}  // namespace meander::contour
