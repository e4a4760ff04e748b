// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>
#include <vector>

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

}  // namespace meander::contour
