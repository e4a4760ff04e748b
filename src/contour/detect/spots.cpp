// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/detect/spots.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "contour/geometry/pixel_set.hpp"

namespace meander::contour {

void add_cells(Spot& spot, std::int64_t begin, std::int64_t end, std::int64_t y) {
  spot.cells += end - begin;
  const auto from = static_cast<std::int32_t>(begin), to = static_cast<std::int32_t>(end);
  if (!spot.runs.empty() && spot.runs.back().row == y && spot.runs.back().end == from) {
    spot.runs.back().end = to;
  } else {
    spot.runs.push_back({static_cast<std::int32_t>(y), from, to});
  }
}

namespace {

/// Where a cell of a fine scale lies between the middles of cells of a coarser one.
struct Between {
  Between(std::int64_t i, std::int64_t factor, std::int64_t count) {
    const double place =
        std::clamp((static_cast<double>(i) + 0.5) / static_cast<double>(factor) - 0.5, 0.0,
                   static_cast<double>(count - 1));
    low = static_cast<std::int64_t>(place);
    high = std::min(low + 1, count - 1);
    part = place - static_cast<double>(low);
  }
  std::int64_t low, high;
  double part;
};

/// Of cells in a box, with a margin around them.
class CellMask {
 public:
  CellMask(std::int64_t left, std::int64_t top, std::int64_t right, std::int64_t bottom,
           std::int64_t margin)
      : left_(left - margin),
        top_(top - margin),
        image_(Image::allocate(
            {.shape = {right - left + 1 + 2 * margin, bottom - top + 1 + 2 * margin, 1},
             .type = PixelType::u8})) {
    for (std::int64_t y = 0; y < image_.shape().y; ++y) {
      std::fill_n(image_.mutable_row<std::uint8_t>(y), image_.shape().x, std::uint8_t{0});
    }
  }
  /// Of runs from the top.
  explicit CellMask(const std::vector<CellRun>& runs, std::int64_t margin = 1)
      : CellMask(left_of(runs), runs.front().row, right_of(runs), runs.back().row, margin) {
    for (const CellRun& run : runs) fill(run.row, run.begin, run.end);
  }
  std::size_t cell_at(std::int64_t x, std::int64_t y, std::int64_t columns) const {
    return static_cast<std::size_t>((y + top_) * columns + x + left_);
  }
  /// The cells that are 1.
  void read_into(Spot& spot) const {
    spot.runs.clear(), spot.cells = 0;
    for (std::int64_t y = 0; y < image_.shape().y; ++y) {
      const auto* row = image_.row<std::uint8_t>(y);
      for (std::int64_t x = 0; x < image_.shape().x; ++x) {
        if (row[x] == 1) add_cells(spot, x + left_, x + left_ + 1, y + top_);
      }
    }
  }
  /// Columns [begin, end) of a row of the scene.
  void fill(std::int64_t row, std::int64_t begin, std::int64_t end) {
    std::fill_n(image_.mutable_row<std::uint8_t>(row - top_) + (begin - left_), end - begin,
                std::uint8_t{1});
  }
  Image& image() { return image_; }
  /// A ring around cells in pixels.
  Polygon in_pixels(Polygon ring, std::int64_t block) const {
    constexpr std::int64_t half = grid_steps_per_pixel / 2;
    for (GridPoint& vertex : ring.vertices) {
      vertex.x = (vertex.x + half + left_ * grid_steps_per_pixel) * block - half;
      vertex.y = (vertex.y + half + top_ * grid_steps_per_pixel) * block - half;
    }
    return ring;
  }

 private:
  static std::int64_t left_of(const std::vector<CellRun>& runs) {
    return std::min_element(runs.begin(), runs.end(),
                            [](const CellRun& a, const CellRun& b) { return a.begin < b.begin; })
        ->begin;
  }
  static std::int64_t right_of(const std::vector<CellRun>& runs) {
    return std::max_element(runs.begin(), runs.end(),
                            [](const CellRun& a, const CellRun& b) { return a.end < b.end; })
               ->end -
           1;
  }

  std::int64_t left_, top_;
  Image image_;
};

/// Around cells from the top and from the left.
Polygon zone_of(const std::vector<std::int32_t>& cells, const ScaleImage& scale,
                const FindingConstants& constants) {
  const auto pixels = static_cast<std::int64_t>(constants.reach);
  const std::int64_t reach = (pixels + scale.block - 1) / scale.block;
  Spot spot;
  for (const std::int32_t cell : cells) {
    const std::int64_t x = cell % scale.columns, y = cell / scale.columns;
    add_cells(spot, x, x + 1, y);
  }
  CellMask mask(spot.runs, reach + 1);
  for (const CellRun& run : spot.runs) {
    for (std::int64_t row = run.row - reach; row <= run.row + reach; ++row) {
      mask.fill(row, run.begin - reach, run.end + reach);
    }
  }
  return mask.in_pixels(outline_of_mask(mask.image()), scale.block);
}

void fill_noise(Spot& spot, const Candidate& candidate, const ScaleImage& finest, float sign,
                double least_hole) {
  if (spot.runs.empty()) return;
  CellMask mask(spot.runs);
  const Shape& shape = mask.image().shape();
  // Outside, in the margin, then hole after hole.
  enum : std::uint8_t { empty, own, outside, hole };
  std::vector<std::pair<std::int64_t, std::int64_t>> cells;
  std::vector<std::uint8_t*> rows;
  for (std::int64_t y = 0; y < shape.y; ++y) {
    rows.push_back(mask.image().mutable_row<std::uint8_t>(y));
  }
  const auto at = [&](std::int64_t x, std::int64_t y) -> std::uint8_t& {
    return rows[static_cast<std::size_t>(y)][x];
  };
  const auto fill_from = [&](std::int64_t x0, std::int64_t y0, std::uint8_t kind) {
    cells.assign(1, {x0, y0});
    at(x0, y0) = kind;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
        const std::int64_t x = cells[i].first + dx, y = cells[i].second + dy;
        if (x < 0 || y < 0 || x >= shape.x || y >= shape.y) continue;
        std::uint8_t& there = at(x, y);
        if (there != empty) continue;
        there = kind;
        cells.emplace_back(x, y);
      }
    }
  };
  fill_from(0, 0, outside);
  const double middle = candidate.around + candidate.contrast / 2;
  constexpr std::size_t largest_part = 8;
  bool has_changed = false;
  for (std::int64_t y = 0; y < shape.y; ++y) {
    for (std::int64_t x = 0; x < shape.x; ++x) {
      if (at(x, y) != empty) continue;
      fill_from(x, y, hole);
      double sum = 0;
      for (const auto& [cx, cy] : cells) {
        sum += static_cast<double>(finest.cells[mask.cell_at(cx, cy, finest.columns)]);
      }
      const double mean = static_cast<double>(sign) * sum / static_cast<double>(cells.size());
      const bool is_noise =
          mean > middle && cells.size() * largest_part < static_cast<std::size_t>(spot.cells);
      if (!is_noise && static_cast<double>(cells.size()) >= least_hole) continue;
      for (const auto& [cx, cy] : cells) at(cx, cy) = own;
      has_changed = true;
    }
  }
  if (has_changed) mask.read_into(spot);
}

std::size_t root(std::vector<std::size_t>& parents, std::size_t i) {
  while (parents[i] != i) i = parents[i] = parents[parents[i]];
  return i;
}

}  // namespace

Spot spot_of(const Candidate& candidate, const ScaleImage& scale, const ScaleImage& finest,
             float sign, double least_hole, const FindingConstants& constants) {
  Spot spot;
  std::vector<std::int32_t> cells = candidate.cells;
  std::sort(cells.begin(), cells.end());
  spot.zone = zone_of(cells, scale, constants);
  const std::int64_t factor = scale.block / finest.block;
  // Cells all around which the image is above the threshold are in it whole.
  std::vector<std::int32_t> inner;
  if (factor > 1) {
    const std::size_t own = cells.size();
    for (std::size_t i = 0; i < own; ++i) {
      const std::int32_t cell = cells[i];
      const std::int64_t x = cell % scale.columns, y = cell / scale.columns;
      bool is_inner = x > 0 && y > 0 && x + 1 < scale.columns && y + 1 < scale.rows;
      for (std::int64_t ny = std::max<std::int64_t>(y - 1, 0);
           ny <= std::min(y + 1, scale.rows - 1); ++ny) {
        for (std::int64_t nx = std::max<std::int64_t>(x - 1, 0);
             nx <= std::min(x + 1, scale.columns - 1); ++nx) {
          const std::int64_t near = ny * scale.columns + nx;
          const double level =
              static_cast<double>(sign * scale.smooth[static_cast<std::size_t>(near)]);
          if (level >= candidate.threshold) continue;
          cells.push_back(static_cast<std::int32_t>(near));
          is_inner = false;
        }
      }
      if (is_inner) inner.push_back(cell);
    }
  }
  auto next_inner = inner.begin();
  if (factor > 1) std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  for (auto row = cells.begin(); row != cells.end();) {
    const std::int64_t y = *row / scale.columns;
    const auto end = std::find_if(row, cells.end(),
                                  [&](std::int32_t cell) { return cell / scale.columns != y; });
    const std::int64_t last_y = y + 1 == scale.rows ? finest.rows : (y + 1) * factor;
    const auto row_inner = next_inner;
    for (std::int64_t fine_y = y * factor; fine_y < last_y; ++fine_y) {
      const Between v(fine_y, factor, scale.rows);
      const float* upper = scale.smooth.data() + v.low * scale.columns;
      const float* lower = scale.smooth.data() + v.high * scale.columns;
      next_inner = row_inner;
      for (auto cell = row; cell != end; ++cell) {
        const std::int64_t x = *cell % scale.columns;
        const std::int64_t last_x = x + 1 == scale.columns ? finest.columns : (x + 1) * factor;
        if (next_inner != inner.end() && *next_inner == *cell) {
          add_cells(spot, x * factor, last_x, fine_y);
          ++next_inner;
          continue;
        }
        for (std::int64_t fine_x = x * factor; fine_x < last_x; ++fine_x) {
          if (factor > 1) {
            const Between h(fine_x, factor, scale.columns);
            const auto across = [&](const float* levels) {
              const auto low = static_cast<double>(levels[h.low]),
                         high = static_cast<double>(levels[h.high]);
              return low + h.part * (high - low);
            };
            const double a = across(upper), b = across(lower);
            if (static_cast<double>(sign) * (a + v.part * (b - a)) < candidate.threshold) continue;
          }
          add_cells(spot, fine_x, fine_x + 1, fine_y);
        }
      }
    }
    row = end;
  }
  fill_noise(spot, candidate, finest, sign, least_hole);
  return spot;
}

Polygon zone_around(const Region& region, std::int64_t blocks, std::int64_t block,
                    const Shape& image) {
  const PixelSet pixels = pixels_of(region, image);
  const PixelBox box = pixels.box();
  CellMask mask(box.x0 / block, box.y0 / block, (box.x1 - 1) / block, (box.y1 - 1) / block,
                blocks + 1);
  for (const RowRun& run : pixels.runs) {
    const std::int64_t row = run.y / block;
    const std::int64_t begin = run.begin / block, end = (run.end - 1) / block + 1;
    for (std::int64_t dy = -blocks; dy <= blocks; ++dy) {
      const auto dx =
          static_cast<std::int64_t>(std::sqrt(static_cast<double>(blocks * blocks - dy * dy)));
      mask.fill(row + dy, begin - dx, end + dx);
    }
  }
  return mask.in_pixels(outline_of_mask(mask.image()), block);
}

Spots better(Spots a, Spots b, const ScaleImage& finest, std::vector<std::int32_t>& map) {
  if (a.empty()) return b;
  const auto mark = [&](const Spot& spot, std::int32_t value) {
    for (const CellRun& run : spot.runs) {
      std::fill_n(map.begin() + run.row * finest.columns + run.begin, run.end - run.begin, value);
    }
  };
  for (std::size_t i = 0; i < a.size(); ++i) mark(a[i], static_cast<std::int32_t>(i) + 1);
  // Which of them meet, directly or by way of others.
  std::vector<std::size_t> parents(a.size() + b.size());
  std::iota(parents.begin(), parents.end(), std::size_t{0});
  for (std::size_t i = 0; i < b.size(); ++i) {
    std::int32_t last = 0;
    for_cells(b[i], finest, [&](std::size_t cell) {
      if (map[cell] == last || map[cell] == 0) return;
      last = map[cell];
      parents[root(parents, static_cast<std::size_t>(last - 1))] = root(parents, a.size() + i);
    });
  }
  for (const Spot& spot : a) mark(spot, 0);
  struct Sum {
    std::int64_t count = 0, cells = 0;
    double saved = 0, saved_with_fit = 0;
  };
  std::vector<std::array<Sum, 2>> sums(parents.size());
  const auto for_spots = [&](auto f) {
    for (std::size_t i = 0; i < parents.size(); ++i) {
      const bool is_second = i >= a.size();
      f(is_second ? b[i - a.size()] : a[i], sums[root(parents, i)], is_second ? 1U : 0U);
    }
  };
  for_spots([](const Spot& spot, std::array<Sum, 2>& sum, std::size_t set) {
    ++sum[set].count;
    sum[set].cells += spot.cells;
    sum[set].saved += spot.saved, sum[set].saved_with_fit += spot.saved_with_fit;
  });
  Spots best;
  for_spots([&](Spot& spot, const std::array<Sum, 2>& sum, std::size_t set) {
    // Shape tells one object from several, not a coarse outline from a fine one.
    const auto [fewer, more] = std::minmax(sum[0].cells, sum[1].cells);
    const bool are_as_many = sum[0].count == sum[1].count && 3 * fewer > 2 * more;
    const bool is_second =
        are_as_many ? sum[1].saved > sum[0].saved : sum[1].saved_with_fit > sum[0].saved_with_fit;
    if (is_second == (set == 1)) best.push_back(std::move(spot));
  });
  return best;
}

Spots side_by_side(Spots spots, const ScaleImage& finest, std::vector<std::int32_t>& map) {
  std::stable_sort(spots.begin(), spots.end(), [](const Spot& a, const Spot& b) {
    return a.saved_with_fit > b.saved_with_fit;
  });
  const std::int64_t columns = finest.columns;
  Spots chosen;
  for (Spot& spot : spots) {
    Spot free{.runs = {}, .zone = std::move(spot.zone), .background = spot.background};
    for (const CellRun& run : spot.runs) {
      for (std::int64_t x = run.begin; x < run.end; ++x) {
        if (map[static_cast<std::size_t>(run.row * columns + x)] == 0) {
          add_cells(free, x, x + 1, run.row);
        }
      }
    }
    if (2 * free.cells <= spot.cells) continue;
    for_cells(free, finest, [&](std::size_t cell) { map[cell] = 1; });
    chosen.push_back(std::move(free));
  }
  return chosen;
}

FoundObject object_of(const Spot& spot, std::int64_t block) {
  CellMask mask(spot.runs);
  std::vector<Region> parts = regions_of_mask(mask.image());
  Region& largest =
      *std::max_element(parts.begin(), parts.end(),
                        [](const Region& a, const Region& b) { return a.area() < b.area(); });
  FoundObject found{
      {mask.in_pixels(std::move(largest.outer), block), {}}, spot.background, spot.zone};
  for (Polygon& hole : largest.holes) {
    found.region.holes.push_back(mask.in_pixels(std::move(hole), block));
  }
  return found;
}

}  // namespace meander::contour
