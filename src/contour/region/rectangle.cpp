// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/region/rectangle.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "contour/geometry/clip.hpp"
#include "core/image_state.hpp"
#include "core/parallel_for.hpp"
#include "engine/crossing.hpp"

namespace meander::contour {
namespace {

/// The sums of a coarse grid over all cells above and left of a corner.
class CornerSums {
 public:
  CornerSums(engine::Backend& backend, const CumulatedSums& grid)
      : columns_(grid.columns()),
        sums_(static_cast<std::size_t>((columns_ + 1) * (grid.rows() + 1))) {
    const auto words = static_cast<std::size_t>(grid.words_in_row());
    std::vector<std::uint64_t> rows(words * static_cast<std::size_t>(grid.rows()));
    const Description packed{.shape = grid.sums.shape, .type = PixelType::f64};
    const Image host = Image::wrap(rows.data(), packed, packed_pitch(packed));
    backend.read(grid.sums, host.state().view);
    for (std::int64_t row = 0; row < grid.rows(); ++row) {
      const std::uint64_t* sums = rows.data() + words * static_cast<std::size_t>(row);
      for (std::int64_t column = 0; column <= columns_; ++column) {
        const auto pixels = static_cast<std::uint64_t>(
            engine::pixels_before(column, row, grid.block, grid.image.x, grid.image.y));
        at(column, row + 1) =
            at(column, row) + RegionSums{pixels, sums[2 * column], sums[2 * column + 1]};
      }
    }
  }

  RegionSums inside(std::int64_t left, std::int64_t top, std::int64_t right,
                    std::int64_t bottom) const {
    return at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
  }

 private:
  std::size_t place(std::int64_t column, std::int64_t row) const {
    return static_cast<std::size_t>(row * (columns_ + 1) + column);
  }
  const RegionSums& at(std::int64_t column, std::int64_t row) const {
    return sums_[place(column, row)];
  }
  RegionSums& at(std::int64_t column, std::int64_t row) { return sums_[place(column, row)]; }

  std::int64_t columns_;
  std::vector<RegionSums> sums_;
};

struct Cells {
  std::int64_t left = 0, top = 0, right = 0, bottom = 0;
  double criterion = std::numeric_limits<double>::infinity();
};

Cells best_from(std::int64_t top, const CumulatedSums& grid, const CornerSums& sums,
                const Criterion& criterion) {
  Cells best;
  for (std::int64_t bottom = top + 1; bottom <= grid.rows(); ++bottom) {
    for (std::int64_t left = 0; left < grid.columns(); ++left) {
      for (std::int64_t right = left + 1; right <= grid.columns(); ++right) {
        const RegionSums inside = sums.inside(left, top, right, bottom);
        if (inside.count == criterion.total().count) continue;
        const double value = criterion.of(inside);
        if (value < best.criterion) best = {left, top, right, bottom, value};
      }
    }
  }
  return best;
}

Polygon outline_of(const Cells& cells, const CumulatedSums& grid) {
  const GridPoint low = lowest_node(), high = highest_node(grid.image);
  const std::int64_t left = low.x + cells.left * grid.unit();
  const std::int64_t top = low.y + cells.top * grid.unit();
  const std::int64_t right = std::min(low.x + cells.right * grid.unit(), high.x);
  const std::int64_t bottom = std::min(low.y + cells.bottom * grid.unit(), high.y);
  return {{{left, top}, {right, top}, {right, bottom}, {left, bottom}}};
}

}  // namespace

std::optional<FoundRectangle> best_rectangle(const SumLevels& image, const Criterion& criterion) {
  const CumulatedSums& grid = image.blocks().back();
  const CornerSums sums(image.backend(), grid);
  std::vector<Cells> best(static_cast<std::size_t>(grid.rows()));
  parallel_for(grid.rows(), [&](std::int64_t top) {
    best[static_cast<std::size_t>(top)] = best_from(top, grid, sums, criterion);
  });
  const Cells& least =
      *std::min_element(best.begin(), best.end(),
                        [](const auto& a, const auto& b) { return a.criterion < b.criterion; });
  if (least.right == 0) return std::nullopt;
  return FoundRectangle{outline_of(least, grid), least.criterion};
}

}  // namespace meander::contour
