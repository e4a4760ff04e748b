// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/ground.hpp"

#include <algorithm>
#include <cmath>

namespace meander::contour {
namespace {

/// Cells of the grid on which the background is looked for, at most.
constexpr std::int64_t backdrop_cells = 1 << 18;
/// The deviation of so many is known to a tenth.
constexpr std::size_t fewest_cells = 128;
/// Fewest cells along a tile, so that its most frequent value is known.
constexpr std::int64_t cells_in_tile = 8;

/// The noise of the finest cells about the coarser ones they are in: what the noise of these
/// leaves of theirs, at least a part.
void set_within(std::vector<Scale>& scales) {
  constexpr double least = 1.0 / 16;
  const double finest = scales.front().noise * scales.front().noise;
  for (Scale& scale : scales) {
    const auto parts = static_cast<double>(scale.grid->parts);
    const double left = (finest - scale.noise * scale.noise) * parts / std::max(parts - 1, 1.0);
    scale.within = std::sqrt(std::max(left, least * finest));
  }
}

/// Of any noise and background.
std::vector<Scale> scales_of(const std::vector<CellGrid>& grids) {
  std::vector<Scale> scales;
  for (const CellGrid& grid : grids) {
    // Four cells have at least the noise of independent ones; few cells tell it badly.
    const double least = scales.empty() ? 0 : scales.back().noise / 2;
    scales.push_back({&grid, std::max(noise_of(grid), least), 0});
  }
  set_within(scales);
  return scales;
}

/// The noise of pixels that know nothing of each other, given that of the finest cells.
std::vector<Scale> white_scales(const std::vector<CellGrid>& grids, double finest) {
  std::vector<Scale> scales;
  for (const CellGrid& grid : grids) {
    scales.push_back({&grid, scales.empty() ? finest : scales.back().noise / 2, 0});
  }
  set_within(scales);
  return scales;
}

/// The grids on which the background is looked for: blocks of a few pixels at least, so that the
/// noise of a cell is nearly normal.
std::span<const Scale> for_backdrop(std::span<const Scale> scales) {
  std::size_t first = 0;
  while (first + 1 < scales.size() &&
         (scales[first].grid->size() > backdrop_cells || scales[first].grid->block < 4)) {
    ++first;
  }
  return scales.subspan(first);
}

/// With what the background's level itself is uncertain by, which large cells do not average out.
std::vector<Scale> with_doubt(const Backdrop& backdrop, std::span<const Scale> scales) {
  // The mean of those near the most frequent value of a tile, and more beyond the outermost
  // middles.
  constexpr double share = 3;
  const CellGrid* grid = for_backdrop(scales).front().grid;
  const double noise = for_backdrop(scales).front().noise;
  const auto cells = static_cast<double>(grid->size()) / static_cast<double>(backdrop.tiles());
  const double doubt = share * noise / std::sqrt(cells);
  std::vector<Scale> doubtful(scales.begin(), scales.end());
  for (Scale& scale : doubtful) {
    scale.noise = std::sqrt(scale.noise * scale.noise + doubt * doubt);
  }
  return doubtful;
}

/// How long the description of the image is with this background and the spots on it.
double length_of(const Backdrop& backdrop, std::span<const Scale> scales, const Control& control) {
  const auto& [grid, noise, within] = scales.front();
  const Backdrop::Rows levels(backdrop, *grid);
  double length = background_length({grid, &levels, noise});
  for (const Choice& choice : choices_on(backdrop, scales, control)) length -= choice.gain;
  const auto cells = static_cast<double>(grid->size());
  return length + static_cast<double>(backdrop.tiles()) * std::log(cells) / 2;
}

/// With as many tiles as make the description shortest.
Backdrop find_backdrop(std::span<const Scale> all, const Control& control) {
  const std::span<const Scale> scales = for_backdrop(all);
  const auto& [grid, noise, within] = scales.front();
  Backdrop trial(*grid, noise), best = trial;
  double least = length_of(trial, scales, control);
  const std::int64_t shorter = std::min(grid->columns, grid->rows);
  int longer = 0;  // How often in turn more tiles have not helped.
  for (std::int64_t along = 2; along * cells_in_tile <= shorter && longer < 2; along *= 2) {
    trial = trial.refined(*grid, noise);
    const double length = length_of(trial, scales, control);
    longer = length < least ? 0 : longer + 1;
    if (length < least) least = length, best = trial;
  }
  return best;
}

/// The cells of the background's grid that spots cover, and those around them.
CellSet covered_by_spots(const std::vector<Scale>& scales, const Backdrop& backdrop,
                         const Control& control) {
  const std::span<const Scale> some = for_backdrop(scales);
  CellSet covered(*some.front().grid);
  for (const Choice& choice : choices_on(backdrop, with_doubt(backdrop, some), control)) {
    for (const Spot& spot : choice.spots) {
      for_cells(covered.grid(), spot, 1,
                [&](std::int64_t x, std::int64_t y) { covered.add(x, y); });
    }
  }
  return covered;
}

/// Calls f(column, row) for those of about `sample` cells of a grid that no spot covers.
template <class F>
void for_cells_beside(const CellSet& covered, const CellGrid& grid, std::int64_t sample, F f) {
  const std::int64_t stride = stride_for(grid, sample);
  for (std::int64_t i = 0; i < grid.size(); i += stride) {
    const std::int64_t x = i % grid.columns, y = i / grid.columns;
    if (!covered.meets(grid, x, y)) f(x, y);
  }
}

/// Values in ascending order. Where there is little noise they are few: a part of their step is
/// added to each in turn, unless most are one.
class Spread {
 public:
  Spread(std::vector<float> values, double step) : values_(std::move(values)) {
    if (values_.empty()) return;
    std::sort(values_.begin(), values_.end());
    if (at(84) == at(16)) return;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const double part = std::fmod(static_cast<double>(i) * 0.6180339887498949, 1) - 0.5;
      values_[i] += static_cast<float>(part * step);
    }
    std::sort(values_.begin(), values_.end());
  }
  std::size_t size() const { return values_.size(); }
  /// What so many hundredths are below; there is a value.
  double at(std::size_t hundredths) const {
    return static_cast<double>(values_[values_.size() * hundredths / 100]);
  }
  /// Half of what lies two standard deviations of a normal number apart.
  double deviation() const { return (at(84) - at(16)) / 2; }
  /// The standard deviation over that, without what is farther away than any background.
  double tails() const {
    constexpr double farthest = 6;
    if (!(deviation() > 0)) return 1;
    double sum = 0, squares = 0, count = 0;
    for (const float value : values_) {
      const double d = (static_cast<double>(value) - at(50)) / deviation();
      if (!(std::abs(d) < farthest)) continue;
      sum += d, squares += d * d, ++count;
    }
    return std::sqrt(std::max(0.0, squares / count - sum * sum / (count * count)));
  }

 private:
  std::vector<float> values_;
};

/// How far cells beside spots are from the background.
Spread deviations_beside(const CellSet& covered, const CellGrid& grid, const Backdrop& backdrop) {
  const Backdrop::Rows rows(backdrop, grid);
  std::vector<float> deviations, level;
  for_cells_beside(covered, grid, 1 << 15, [&](std::int64_t x, std::int64_t y) {
    rows.find(y, x, x + 1, level);
    deviations.push_back(grid.row(y)[x] - level[0]);
  });
  return {std::move(deviations), grid.step};
}

/// Whether the noise of cells reaches as far up as down, as far as the middle half tells: of
/// differences between a cell and its neighbours, in which the background has no part. Speckle of
/// one look does not until some pixels are averaged; single cells are then bright by chance, and
/// what a normal number would be surprised by is common.
bool is_even(const CellSet& covered, const CellGrid& grid) {
  // Cells of 16 numbers of one look have 1.08, of four 1.17; so many even ones are off by .04.
  constexpr double most_uneven = 1.12;
  constexpr std::size_t fewest = 8192;
  std::vector<float> contrasts;
  for_cells_beside(covered, grid, 1 << 17, [&](std::int64_t x, std::int64_t y) {
    if (x == 0 || y == 0 || x + 1 == grid.columns || y + 1 == grid.rows) return;
    const float* cell = grid.row(y) + x;
    const float around = (cell[-1] + cell[1]) + (cell[-grid.columns] + cell[grid.columns]);
    contrasts.push_back(4 * cell[0] - around);
  });
  const Spread spread(std::move(contrasts), grid.step);
  if (spread.size() < fewest) return true;
  const double above = spread.at(75) - spread.at(50), below = spread.at(50) - spread.at(25);
  return above <= most_uneven * below && below <= most_uneven * above;
}

Ground ground_with(std::vector<Scale> scales, const Control& control) {
  Backdrop backdrop = find_backdrop(scales, control);
  CellSet covered = covered_by_spots(scales, backdrop, control);
  return {std::move(scales), std::move(backdrop), std::move(covered)};
}

/// The noise of each grid as what spots leave tells it, of grids of which enough is left; and
/// nothing where that is too little of the background's own grid.
using Measured = std::vector<std::optional<double>>;
std::optional<Measured> measured_beside(const Ground& ground) {
  // Below, it is more of chance what is left than of the background.
  constexpr double least_part = 0.04;
  const CellGrid& own = ground.covered.grid();
  const auto left = static_cast<double>(own.size() - ground.covered.size());
  if (left < least_part * static_cast<double>(own.size())) return std::nullopt;
  Measured measured;
  for (const Scale& scale : ground.scales) {
    const Spread spread = deviations_beside(ground.covered, *scale.grid, ground.backdrop);
    measured.emplace_back();
    if (spread.size() >= fewest_cells) {
      measured.back() = std::max(spread.deviation(), rounding_noise(*scale.grid));
    } else if (scale.grid->block <= own.block) {
      return std::nullopt;
    }
  }
  return measured;
}

/// The squares of cells within coarser ones are summed, and speckle has more of them than a normal
/// number of the same middle two thirds.
void measure_within(Ground& ground) {
  const CellGrid& finest = *ground.scales.front().grid;
  const Spread spread = deviations_beside(ground.covered, finest, ground.backdrop);
  const double more = spread.size() < fewest_cells ? 1 : std::max(1.0, spread.tails());
  for (Scale& scale : ground.scales) scale.within *= more;
}

/// By how much more than thought the noise is, on the grid where it is most.
double excess(const Measured& measured, const std::vector<Scale>& scales) {
  double most = 0;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (measured[i]) most = std::max(most, *measured[i] / scales[i].noise);
  }
  return most;
}

/// With what was measured where it is more, and no coarser grid with less than independent cells
/// would have.
void take_measured(const Measured& measured, std::vector<Scale>& scales) {
  double least = 0;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    scales[i].noise = std::max({scales[i].noise, measured[i].value_or(0), least});
    least = scales[i].noise / 2;
  }
  set_within(scales);
}

/// With white noise, where what spots leave bears that out; nothing where it does not. Edges and
/// brighter noise within objects may make the noise seem too much at first.
std::optional<Ground> white_ground(const std::vector<CellGrid>& grids, const Control& control) {
  constexpr double much = 1.25;
  constexpr int most_rounds = 3;
  double noise = noise_beside(grids.front());
  for (int round = 0; round < most_rounds; ++round) {
    Ground ground = ground_with(white_scales(grids, noise), control);
    const auto measured = measured_beside(ground);
    if (!measured) return std::nullopt;
    const double found = excess(*measured, ground.scales);
    if (found > much) return std::nullopt;
    if (found > 1 / much) {
      take_measured(*measured, ground.scales);
      return ground;
    }
    noise *= found;
  }
  return std::nullopt;
}

}  // namespace

Ground find_ground(const std::vector<CellGrid>& grids, const Control& control) {
  std::optional<Ground> white = white_ground(grids, control);
  Ground ground = white ? std::move(*white) : ground_with(scales_of(grids), control);
  measure_within(ground);
  auto& scales = ground.scales;
  scales = with_doubt(ground.backdrop, scales);
  const auto fine = static_cast<std::ptrdiff_t>(scales.size() - for_backdrop(scales).size());
  scales.erase(scales.begin(),
               std::find_if(scales.begin(), scales.begin() + fine, [&](const Scale& scale) {
                 return is_even(ground.covered, *scale.grid);
               }));
  return ground;
}

}  // namespace meander::contour
