// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "meander/score.hpp"

/// Pixels on the boundaries of objects, and how far apart those of two are.
namespace meander {

struct BoundaryPixel {
  std::int32_t x, y;
};
/// Row by row, each from left to right.
using BoundaryPixels = std::vector<BoundaryPixel>;

/// Those of every label but 0 in an image that comes run by run, from left to right and row by row.
/// See BoundaryDistance. Cost: runs and boundary pixels.
class BoundaryRows {
 public:
  /// Pixels [begin, end) of a row.
  void add_run(std::int64_t label, std::int64_t begin, std::int64_t end);
  void end_row();
  std::int64_t count() const { return count_; }
  /// Of all rows but the last, which ends with the next one, or with an empty one.
  const BoundaryPixels& of(std::int64_t label) const { return pixels_.at(label); }

 private:
  struct Run {
    std::int64_t label;
    std::int32_t begin, end;
  };
  using Row = std::vector<Run>;
  void add_pixels(BoundaryPixels& pixels, std::int32_t begin, std::int32_t end);

  Row above_, row_, below_;
  std::int32_t y_ = -1;  ///< Of `row_`.
  std::int64_t count_ = 0;
  std::unordered_map<std::int64_t, BoundaryPixels> pixels_;
};

/// Exact, of two boundaries with at least one pixel. Cost: about pixels times the logarithm of
/// their number, however far apart they are. Memory: up to 16 bytes for each.
BoundaryDistance boundary_distance(const BoundaryPixels& a, const BoundaryPixels& b,
                                   const Control& control = {});

}  // namespace meander
