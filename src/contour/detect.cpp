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

/// Leaves out spots that lie over others of more gain, or beside them.
class Room {
 public:
  explicit Room(const CellGrid& finest)
      : grid_(finest), taken_(static_cast<std::size_t>(finest.size()), false) {}

  bool take(const Spot& spot) {
    const std::int64_t factor = spot.block / grid_.block;
    const auto cells = [&](std::int64_t around, auto f) {
      for (const CellRun& run : spot.runs) {
        const std::int64_t top = std::max<std::int64_t>(run.row * factor - around, 0);
        const std::int64_t bottom = std::min((run.row + 1) * factor + around, grid_.rows);
        const std::int64_t left = std::max<std::int64_t>(run.begin * factor - around, 0);
        const std::int64_t right = std::min(run.end * factor + around, grid_.columns);
        for (std::int64_t y = top; y < bottom; ++y) {
          for (std::int64_t x = left; x < right; ++x) {
            f(static_cast<std::size_t>(y * grid_.columns + x));
          }
        }
      }
    };
    bool is_free = true;
    cells(1, [&](std::size_t cell) { is_free = is_free && !taken_[cell]; });
    if (is_free) cells(0, [&](std::size_t cell) { taken_[cell] = true; });
    return is_free;
  }

 private:
  const CellGrid& grid_;
  std::vector<bool> taken_;
};

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
  const std::vector<Scale> scales = scales_of(grids);
  const Backdrop backdrop = find_backdrop(scales, control);
  std::vector<Choice> choices = choices_on(backdrop, scales, control);
  std::vector<Spot> spots;
  for (Choice& choice : choices) {
    std::move(choice.spots.begin(), choice.spots.end(), std::back_inserter(spots));
  }
  std::stable_sort(spots.begin(), spots.end(),
                   [](const Spot& a, const Spot& b) { return a.gain > b.gain; });
  Room room(grids.front());
  std::erase_if(spots, [&](const Spot& spot) { return !room.take(spot); });
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
