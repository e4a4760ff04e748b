// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/spots.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contour/crossings.hpp"
#include "core/parallel_for.hpp"

namespace meander::contour {
namespace {

constexpr std::int64_t rows_in_task = 64;
/// An outline of sides of cells goes on in one of three directions at each.
const double cost_of_side = std::log(3.0);

struct Levels {
  std::vector<CellRun> runs;
  std::vector<std::size_t> spot;  ///< Which each run belongs to, from 0 on.
  std::size_t spots = 0;
};

std::size_t root_of(std::vector<std::size_t>& parents, std::size_t i) {
  while (parents[i] != i) i = parents[i] = parents[parents[i]];
  return i;
}

/// Runs of one row, one cell or more apart, and those of the row before it.
template <class F>
void for_touching(const std::vector<CellRun>& runs, F f) {
  std::size_t above = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    while (runs[above].row < runs[i].row - 1 ||
           (runs[above].row == runs[i].row - 1 && runs[above].end <= runs[i].begin)) {
      ++above;
    }
    for (std::size_t j = above; runs[j].row == runs[i].row - 1 && runs[j].begin < runs[i].end;
         ++j) {
      f(i, j);
    }
  }
}

/// Numbers spots in the order of their first runs.
Levels joined(std::vector<CellRun> runs) {
  std::vector<std::size_t> parents(runs.size());
  std::iota(parents.begin(), parents.end(), std::size_t{0});
  for_touching(runs, [&](std::size_t i, std::size_t j) {
    const std::size_t a = root_of(parents, i), b = root_of(parents, j);
    parents[std::max(a, b)] = std::min(a, b);
  });
  Levels levels{std::move(runs), std::vector<std::size_t>(parents.size()), 0};
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const std::size_t root = root_of(parents, i);
    levels.spot[i] = root == i ? levels.spots++ : levels.spot[root];
  }
  return levels;
}

double median_of(std::vector<float>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return static_cast<double>(*middle);
}

/// The value at which a cell is as likely to be background, which scatters by `noise` about 0, as
/// to be of an object with these values: half of their level where both scatter alike, less where
/// the object scatters more. Changes the values.
double limit_of(std::vector<float>& values, double noise) {
  const double level = median_of(values);
  for (float& v : values) v = std::abs(v - static_cast<float>(level));
  const double scatter = std::max(noise, 1.4826 * median_of(values));
  // (t/noise)² = ((level - t)/scatter)² + 2 log(scatter/noise), solved for t.
  const double a = 1 / (noise * noise) - 1 / (scatter * scatter);
  const double b = level / (scatter * scatter);
  const double c = level * b + 2 * std::log(scatter / noise);
  return c / (b + std::sqrt(b * b + a * c));
}

/// One polarity of a view: differences from the background, positive where there may be a spot.
class Side {
 public:
  Side(const CellView& view, float sign) : view_(view), sign_(sign) {}

  /// Calls f(column, value) for the cells of a run.
  template <class F>
  void each(const CellRun& run, F f) const {
    thread_local std::vector<float> levels;
    view_.levels->find(run.row, run.begin, run.end, levels);
    const float* means = view_.grid->row(run.row);
    for (std::int64_t x = run.begin; x < run.end; ++x) {
      f(x, sign_ * (means[x] - levels[static_cast<std::size_t>(x - run.begin)]));
    }
  }

  /// Where cells of a run exceed a limit, as runs.
  void cut(const CellRun& run, float limit, std::vector<CellRun>& parts) const {
    std::int64_t begin = -1;
    each(run, [&](std::int64_t x, float value) {
      if (value > limit && begin < 0) begin = x;
      if (!(value > limit) && begin >= 0) {
        parts.push_back({run.row, begin, x});
        begin = -1;
      }
    });
    if (begin >= 0) parts.push_back({run.row, begin, run.end});
  }

  std::vector<CellRun> above(float limit) const {
    const CellGrid& grid = *view_.grid;
    const std::int64_t tasks = (grid.rows + rows_in_task - 1) / rows_in_task;
    std::vector<std::vector<CellRun>> parts(static_cast<std::size_t>(tasks));
    parallel_for(tasks, [&](std::int64_t task) {
      const std::int64_t end = std::min(grid.rows, (task + 1) * rows_in_task);
      for (std::int64_t y = task * rows_in_task; y < end; ++y) {
        cut({y, 0, grid.columns}, limit, parts[static_cast<std::size_t>(task)]);
      }
    });
    std::vector<CellRun> runs;
    for (const auto& part : parts) runs.insert(runs.end(), part.begin(), part.end());
    return runs;
  }

  /// The runs of each spot, cut where its cells are likelier to be background.
  std::vector<CellRun> narrowed(const Levels& found, float least) const;
  std::vector<Spot> spots_of(const Levels& found) const;

 private:
  double scatter_of(const Spot& spot) const;

  const CellView view_;
  const float sign_;
};

std::vector<CellRun> Side::narrowed(const Levels& found, float least) const {
  std::vector<std::vector<float>> values(found.spots);
  for (std::size_t i = 0; i < found.runs.size(); ++i) {
    each(found.runs[i], [&](std::int64_t, float v) { values[found.spot[i]].push_back(v); });
  }
  std::vector<float> limits(found.spots);
  for (std::size_t i = 0; i < found.spots; ++i) {
    limits[i] = std::max(least, static_cast<float>(limit_of(values[i], view_.noise)));
  }
  std::vector<CellRun> runs;
  for (std::size_t i = 0; i < found.runs.size(); ++i) {
    cut(found.runs[i], limits[found.spot[i]], runs);
  }
  return runs;
}

/// Sides of cells around runs: two at the ends of each, and above and below what has no neighbour.
std::vector<std::int64_t> sides_of(const Levels& found) {
  std::vector<std::int64_t> sides(found.spots, 0);
  for (std::size_t i = 0; i < found.runs.size(); ++i) {
    sides[found.spot[i]] += 2 + 2 * (found.runs[i].end - found.runs[i].begin);
  }
  for_touching(found.runs, [&](std::size_t i, std::size_t j) {
    const CellRun &a = found.runs[i], &b = found.runs[j];
    sides[found.spot[i]] -= 2 * (std::min(a.end, b.end) - std::max(a.begin, b.begin));
  });
  return sides;
}

/// The standard deviation of an object's cells, at least that of the background's: of those above
/// the median, because the darkest ones may be left out of a spot, and its edge is less bright.
double Side::scatter_of(const Spot& spot) const {
  std::vector<float> values;
  for (const CellRun& run : spot.runs) {
    each(run, [&](std::int64_t, float value) { values.push_back(value); });
  }
  const double middle = median_of(values);
  const auto high = values.begin() + static_cast<std::ptrdiff_t>(values.size() * 84 / 100);
  std::nth_element(values.begin(), high, values.end());
  return std::max(view_.noise, static_cast<double>(*high) - middle);
}

std::vector<Spot> Side::spots_of(const Levels& found) const {
  std::vector<double> sums(found.spots, 0), squares(found.spots, 0), within(found.spots, 0);
  std::vector<Spot> spots(found.spots);
  for (std::size_t i = 0; i < found.runs.size(); ++i) {
    Spot& spot = spots[found.spot[i]];
    spot.runs.push_back(found.runs[i]);
    spot.cells += found.runs[i].end - found.runs[i].begin;
    const CellRun& run = found.runs[i];
    each(run, [&](std::int64_t, float v) {
      sums[found.spot[i]] += static_cast<double>(v);
      squares[found.spot[i]] += static_cast<double>(v) * static_cast<double>(v);
    });
    if (view_.grid->parts == 1) continue;
    const float* row = view_.grid->within.data() + run.row * view_.grid->columns;
    within[found.spot[i]] += std::accumulate(row + run.begin, row + run.end, 0.0);
  }
  const std::vector<std::int64_t> sides = sides_of(found);
  const double place = view_.place();
  for (std::size_t i = 0; i < spots.size(); ++i) {
    Spot& spot = spots[i];
    const double mean = sums[i] / static_cast<double>(spot.cells);
    spot.block = view_.grid->block;
    spot.level = static_cast<double>(sign_) * mean;
    const double variance = view_.noise * view_.noise;
    const double likelihood = sums[i] * mean / (2 * variance);
    spot.gain = likelihood - static_cast<double>(sides[i]) * cost_of_side - place;
    const auto parts = static_cast<double>(view_.grid->parts);
    spot.numbers = static_cast<double>(spot.cells) * parts;
    spot.squares = (squares[i] - sums[i] * mean) / variance +
                   within[i] * parts / (view_.within * view_.within);
  }
  std::erase_if(spots, [](const Spot& spot) { return !(spot.gain > 0); });
  for (Spot& spot : spots) {
    const double ratio = scatter_of(spot) / view_.noise;
    spot.variance = ratio * ratio;
  }
  return spots;
}

}  // namespace

std::vector<Spot> find_spots(const CellView& view) {
  // One cell in so many is above it by chance.
  const double rare = std::sqrt(2 * std::log(static_cast<double>(view.grid->size())));
  const auto least = static_cast<float>(rare * view.noise);
  std::vector<Spot> all;
  for (const float sign : {1.0F, -1.0F}) {
    const Side side(view, sign);
    const Levels coarse = joined(side.above(least));
    const Levels found = joined(side.narrowed(coarse, least));
    std::vector<Spot> spots = side.spots_of(found);
    std::move(spots.begin(), spots.end(), std::back_inserter(all));
  }
  return all;
}

double background_length(const CellView& view) {
  const CellGrid& grid = *view.grid;
  std::vector<double> sums(static_cast<std::size_t>(grid.rows));
  parallel_for(grid.rows, [&](std::int64_t y) {
    std::vector<float> levels;
    view.levels->find(y, 0, grid.columns, levels);
    double sum = 0;
    for (std::int64_t x = 0; x < grid.columns; ++x) {
      const auto d = static_cast<double>(grid.row(y)[x] - levels[static_cast<std::size_t>(x)]);
      sum += d * d;
    }
    sums[static_cast<std::size_t>(y)] = sum;
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0) / (2 * view.noise * view.noise);
}

namespace {

/// A part of a grid as a mask.
struct CellMask {
  std::int64_t left, top;
  Image mask;
};

CellMask mask_of(const Spot& spot) {
  std::int64_t left = spot.runs[0].begin, right = spot.runs[0].end;
  for (const CellRun& run : spot.runs) {
    left = std::min(left, run.begin), right = std::max(right, run.end);
  }
  const std::int64_t top = spot.runs.front().row, bottom = spot.runs.back().row + 1;
  Image mask = Image::allocate({.shape = {right - left, bottom - top, 1}, .type = PixelType::u8});
  for (std::int64_t y = 0; y < bottom - top; ++y) {
    std::fill_n(mask.mutable_row<std::uint8_t>(y), right - left, std::uint8_t{0});
  }
  for (const CellRun& run : spot.runs) {
    auto* row = mask.mutable_row<std::uint8_t>(run.row - top);
    std::fill(row + run.begin - left, row + run.end - left, std::uint8_t{255});
  }
  return {left, top, std::move(mask)};
}

/// Whether the cells of a hole are background rather than of the spot, with what it takes to say
/// where they are.
bool is_worth(const Polygon& hole, const Spot& spot, const CellMask& part, const CellView& view) {
  std::vector<Crossing> crossings;
  const Shape& shape = part.mask.shape();
  add_crossings(hole, 1, {shape.x, 0, shape.y}, crossings);
  sort_crossings(crossings);
  const Side side(view, spot.level < 0 ? -1.0F : 1.0F);
  const double more = std::log(spot.variance) / 2;
  double saved = 0;
  for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
    const CellRun run{part.top + crossings[i].row, part.left + crossings[i].column,
                      part.left + crossings[i + 1].column};
    side.each(run, [&](std::int64_t, float value) {
      const double from_spot = (static_cast<double>(value) - std::abs(spot.level)) / view.noise;
      const double from_background = static_cast<double>(value) / view.noise;
      saved +=
          (from_spot * from_spot / spot.variance - from_background * from_background) / 2 + more;
    });
  }
  return saved > hole.perimeter() * cost_of_side + view.place();
}

}  // namespace

Region region_of(const Spot& spot, const CellView& view) {
  const CellMask part = mask_of(spot);
  Region region = regions_of_mask(part.mask).front();
  std::erase_if(region.holes,
                [&](const Polygon& hole) { return !is_worth(hole, spot, part, view); });
  const auto in_pixels = [&](std::int64_t place, std::int64_t first) {
    constexpr std::int64_t half = grid_steps_per_pixel / 2;
    return (place + first * grid_steps_per_pixel + half) * spot.block - half;
  };
  const auto to_pixels = [&](Polygon& ring) {
    for (GridPoint& p : ring.vertices) p = {in_pixels(p.x, part.left), in_pixels(p.y, part.top)};
  };
  to_pixels(region.outer);
  for (Polygon& hole : region.holes) to_pixels(hole);
  return region;
}

}  // namespace meander::contour
