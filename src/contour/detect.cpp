// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/detect.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <tuple>

#include "core/parallel_for.hpp"

namespace meander::contour {
namespace {

/// Cells of the grid on which the background is looked for, at most.
constexpr std::int64_t backdrop_cells = 1 << 18;
/// Fewest cells along a tile, so that its most frequent value is known.
constexpr std::int64_t cells_in_tile = 8;

/// Spots of the finer grids that lie in one place, or one of a coarser grid.
struct Choice {
  double gain = 0;
  std::vector<Spot> spots;
};

/// Which of a grid's spots covers a cell or one of its eight neighbours.
class SpotMap {
 public:
  SpotMap(const CellGrid& grid, const std::vector<Spot>& spots)
      : grid_(grid), numbers_(static_cast<std::size_t>(grid.size()), 0) {
    for (std::size_t i = 0; i < spots.size(); ++i) {
      for (const CellRun& run : spots[i].runs) {
        for (std::int64_t row = run.row - 1; row <= run.row + 1; ++row) {
          enter({row, run.begin - 1, run.end + 1}, static_cast<int>(i) + 1);
        }
      }
    }
    // Again without neighbours: they do not hide what a spot itself covers.
    for (std::size_t i = 0; i < spots.size(); ++i) {
      for (const CellRun& run : spots[i].runs) enter(run, static_cast<int>(i) + 1);
    }
  }

  /// The spot, from 1 on, that covers most of those of a choice; 0 where there is none.
  int under(const Choice& choice) const {
    std::map<int, std::int64_t> area;
    for (const Spot& spot : choice.spots) {
      const std::int64_t factor = grid_.block / spot.block;
      for (const CellRun& run : spot.runs) {
        for (std::int64_t begin = run.begin; begin < run.end;) {
          const std::int64_t cell = begin / factor, end = std::min(run.end, (cell + 1) * factor);
          const int number = at(cell, run.row / factor);
          if (number > 0) area[number] += (end - begin) * spot.block * spot.block;
          begin = end;
        }
      }
    }
    const auto most = std::max_element(
        area.begin(), area.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == area.end() ? 0 : most->first;
  }

 private:
  int at(std::int64_t x, std::int64_t y) const {
    const std::int64_t column = std::min(x, grid_.columns - 1), row = std::min(y, grid_.rows - 1);
    return numbers_[static_cast<std::size_t>(row * grid_.columns + column)];
  }
  void enter(const CellRun& run, int number) {
    if (run.row < 0 || run.row >= grid_.rows) return;
    const std::int64_t begin = std::max<std::int64_t>(run.begin, 0);
    const std::int64_t end = std::min(run.end, grid_.columns);
    std::fill_n(numbers_.begin() + run.row * grid_.columns + begin, end - begin, number);
  }

  const CellGrid& grid_;
  std::vector<int> numbers_;
};

/// A coarser spot, or the finer ones at its place: whichever shorten the description more.
std::vector<Choice> merged(std::vector<Choice> finer, const CellGrid& grid,
                           std::vector<Spot> spots) {
  std::vector<Choice> within(spots.size()), choices;
  if (!finer.empty()) {
    const SpotMap map(grid, spots);
    for (Choice& choice : finer) {
      const int under = map.under(choice);
      Choice& place =
          under > 0 ? within[static_cast<std::size_t>(under) - 1] : choices.emplace_back();
      place.gain += choice.gain;
      std::move(choice.spots.begin(), choice.spots.end(), std::back_inserter(place.spots));
    }
  }
  for (std::size_t i = 0; i < spots.size(); ++i) {
    if (spots[i].gain > within[i].gain) {
      within[i].gain = spots[i].gain;
      within[i].spots = {std::move(spots[i])};
    }
    choices.push_back(std::move(within[i]));
  }
  return choices;
}

/// Grids with the noise of their cells.
struct Scale {
  const CellGrid* grid;
  double noise;
};

std::vector<Scale> scales_of(const std::vector<CellGrid>& grids) {
  std::vector<Scale> scales;
  for (const CellGrid& grid : grids) {
    // Four cells have at least the noise of independent ones; few cells tell it badly.
    const double least = scales.empty() ? 0 : scales.back().noise / 2;
    scales.push_back({&grid, std::max(noise_of(grid), least)});
  }
  return scales;
}

/// The spots that shorten the description most, of all grids from the finest to the coarsest.
std::vector<Choice> choices_on(const Backdrop& backdrop, std::span<const Scale> scales,
                               const Control& control) {
  std::vector<Choice> choices;
  for (const auto& [grid, noise] : scales) {
    control.step(0);
    const Backdrop::Rows levels(backdrop, *grid);
    choices = merged(std::move(choices), *grid, find_spots({grid, &levels, noise}));
  }
  return choices;
}

/// How long the description of the image is with this background and the spots on it.
double length_of(const Backdrop& backdrop, std::span<const Scale> scales, const Control& control) {
  const auto& [grid, noise] = scales.front();
  const Backdrop::Rows levels(backdrop, *grid);
  double length = background_length({grid, &levels, noise});
  for (const Choice& choice : choices_on(backdrop, scales, control)) length -= choice.gain;
  const auto cells = static_cast<double>(grid->size());
  return length + static_cast<double>(backdrop.tiles()) * std::log(cells) / 2;
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

/// With as many tiles as make the description shortest.
Backdrop find_backdrop(std::span<const Scale> all, const Control& control) {
  const std::span<const Scale> scales = for_backdrop(all);
  const auto& [grid, noise] = scales.front();
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

/// Calls f(column, row) for the cells of a finer grid under a spot and so many around it.
template <class F>
void for_cells(const CellGrid& grid, const Spot& spot, std::int64_t around, F f) {
  const std::int64_t factor = spot.block / grid.block;
  for (const CellRun& run : spot.runs) {
    const std::int64_t top = std::max<std::int64_t>(run.row * factor - around, 0);
    const std::int64_t bottom = std::min((run.row + 1) * factor + around, grid.rows);
    const std::int64_t left = std::max<std::int64_t>(run.begin * factor - around, 0);
    const std::int64_t right = std::min(run.end * factor + around, grid.columns);
    for (std::int64_t y = top; y < bottom; ++y) {
      for (std::int64_t x = left; x < right; ++x) f(x, y);
    }
  }
}

/// Some cells of a grid.
class CellSet {
 public:
  explicit CellSet(const CellGrid& grid)
      : grid_(&grid), holds_(static_cast<std::size_t>(grid.size()), false) {}

  const CellGrid& grid() const { return *grid_; }
  void add(std::int64_t x, std::int64_t y) { holds_[index(x, y)] = true; }
  bool holds(std::int64_t x, std::int64_t y) const { return holds_[index(x, y)]; }
  /// Whether it holds a part of a cell of another grid.
  bool meets(const CellGrid& other, std::int64_t x, std::int64_t y) const {
    const auto first = [&](std::int64_t cell, std::int64_t cells) {
      return std::min(cell * other.block / grid_->block, cells - 1);
    };
    const auto end = [&](std::int64_t cell, std::int64_t cells) {
      return std::min(((cell + 1) * other.block - 1) / grid_->block + 1, cells);
    };
    for (std::int64_t j = first(y, grid_->rows); j < end(y, grid_->rows); ++j) {
      for (std::int64_t i = first(x, grid_->columns); i < end(x, grid_->columns); ++i) {
        if (holds(i, j)) return true;
      }
    }
    return false;
  }

 private:
  std::size_t index(std::int64_t x, std::int64_t y) const {
    return static_cast<std::size_t>(y * grid_->columns + x);
  }

  const CellGrid* grid_;
  std::vector<bool> holds_;
};

/// Leaves out a spot that lies over others that have taken their place, or beside them.
bool take_place(CellSet& taken, const Spot& spot) {
  bool is_free = true;
  for_cells(taken.grid(), spot, 1,
            [&](std::int64_t x, std::int64_t y) { is_free = is_free && !taken.holds(x, y); });
  if (!is_free) return false;
  for_cells(taken.grid(), spot, 0, [&](std::int64_t x, std::int64_t y) { taken.add(x, y); });
  return true;
}

/// The noise without the spots and what lies around them, on which edges have no part: where
/// objects lie close together, they make up more than half of the differences.
std::vector<Scale> beside_spots(const std::vector<Scale>& scales, const Backdrop& backdrop,
                                const Control& control) {
  const std::span<const Scale> some = for_backdrop(scales);
  CellSet covered(*some.front().grid);
  for (const Choice& choice : choices_on(backdrop, some, control)) {
    for (const Spot& spot : choice.spots) {
      for_cells(covered.grid(), spot, 1,
                [&](std::int64_t x, std::int64_t y) { covered.add(x, y); });
    }
  }
  std::vector<Scale> beside;
  for (const Scale& scale : scales) {
    const auto noise = noise_of(*scale.grid, [&](std::int64_t x, std::int64_t y) {
      return !covered.meets(*scale.grid, x, y);
    });
    const double least = beside.empty() ? 0 : beside.back().noise / 2;
    beside.push_back(
        {scale.grid, std::max(std::min(noise.value_or(scale.noise), scale.noise), least)});
  }
  return beside;
}

/// A background, and the noise around it.
struct Ground {
  Backdrop backdrop;
  std::vector<Scale> scales;
};

Ground find_ground(const std::vector<CellGrid>& grids, const Control& control) {
  std::vector<Scale> scales = scales_of(grids);
  Backdrop backdrop = find_backdrop(scales, control);
  scales = beside_spots(scales, backdrop, control);
  return {std::move(backdrop), std::move(scales)};
}

std::vector<Region> regions_of(const std::vector<Spot>& spots, const Backdrop& backdrop,
                               std::span<const Scale> scales) {
  std::vector<Backdrop::Rows> levels;
  for (const Scale& scale : scales) levels.emplace_back(backdrop, *scale.grid);
  std::vector<Region> regions(spots.size());
  parallel_for(static_cast<std::int64_t>(spots.size()), [&](std::int64_t number) {
    const Spot& spot = spots[static_cast<std::size_t>(number)];
    std::size_t i = 0;
    while (scales[i].grid->block != spot.block) ++i;
    regions[static_cast<std::size_t>(number)] =
        region_of(spot, {scales[i].grid, &levels[i], scales[i].noise});
  });
  return regions;
}

}  // namespace

bool starts_before(const Region& a, const Region& b) {
  const GridPoint p = a.outer.vertices.front(), q = b.outer.vertices.front();
  return std::tie(p.y, p.x) < std::tie(q.y, q.x);
}

std::vector<Region> detect(const Image& image, const Control& control) {
  const std::vector<CellGrid> grids = cell_grids(image, control);
  const auto [backdrop, scales] = find_ground(grids, control);
  std::vector<Choice> choices = choices_on(backdrop, scales, control);
  std::vector<Spot> spots;
  for (Choice& choice : choices) {
    std::move(choice.spots.begin(), choice.spots.end(), std::back_inserter(spots));
  }
  std::stable_sort(spots.begin(), spots.end(),
                   [](const Spot& a, const Spot& b) { return a.gain > b.gain; });
  CellSet taken(grids.front());
  std::erase_if(spots, [&](const Spot& spot) { return !take_place(taken, spot); });
  std::vector<Region> regions = regions_of(spots, backdrop, scales);
  std::sort(regions.begin(), regions.end(), starts_before);
  return regions;
}

std::optional<Image> without_shading(const Image& image, const Control& control) {
  const std::vector<CellGrid> grids = cell_grids(image, control);
  const std::vector<Scale> scales = scales_of(grids);
  const Backdrop backdrop = find_backdrop(scales, control);
  if (backdrop.tiles() == 1) return std::nullopt;
  Description flat{.shape = image.shape(), .type = PixelType::u16};
  Image out = Image::allocate(flat);
  const CellGrid pixels{.block = 1, .columns = flat.shape.x, .rows = flat.shape.y, .means = {}};
  const Backdrop::Rows rows(backdrop, pixels);
  visit(image.type(), [&]<class T>(std::type_identity<T>) {
    parallel_for(flat.shape.y, [&](std::int64_t y) {
      std::vector<float> levels;
      rows.find(y, 0, flat.shape.x, levels);
      const T* from = image.row<T>(y);
      auto* to = out.mutable_row<std::uint16_t>(y);
      for (std::int64_t x = 0; x < flat.shape.x; ++x) {
        const double difference =
            to_double(from[x]) - static_cast<double>(levels[static_cast<std::size_t>(x)]);
        to[x] = static_cast<std::uint16_t>(
            std::clamp(std::nearbyint(difference + 32768), 0.0, 65535.0));
      }
    });
  });
  return out;
}

std::int64_t detect_bytes(const Shape& image) {
  const std::int64_t cells = finest_cells(image);
  // The means of all grids, the numbers of spots on the second and the room on the finest.
  return cells * (4 + 2 + 1) + cells / 8;
}

}  // namespace meander::contour
