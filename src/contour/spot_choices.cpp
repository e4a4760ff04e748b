// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/spot_choices.hpp"

#include <algorithm>
#include <map>

namespace meander::contour {
namespace {

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

/// Both in one place.
void join(Choice& place, Choice&& choice) {
  place.gain += choice.gain;
  place.fit += choice.fit;
  const double numbers = place.numbers + choice.numbers;
  place.variance = (place.variance * place.numbers + choice.variance * choice.numbers) / numbers;
  place.numbers = numbers;
  std::move(choice.spots.begin(), choice.spots.end(), std::back_inserter(place.spots));
}

/// A coarser spot in place of the finer ones, where it shortens the description more. How much
/// pixels scatter is asked of the finest grid alone, for the cells of coarser ones hold edges too.
void choose(Choice& finer, Spot&& spot, bool is_finest) {
  if (!is_finest) spot.variance = finer.spots.empty() ? 1 : finer.variance;
  const double fit = spot.fit();
  if (!finer.spots.empty() && !(fit > finer.fit)) return;
  finer = {spot.gain, fit, spot.numbers, spot.variance, {}};
  finer.spots.push_back(std::move(spot));
}

/// The choices of finer grids, and the spots of this one where they are better.
std::vector<Choice> merged(std::vector<Choice> finer, const CellGrid& grid, std::vector<Spot> spots,
                           bool is_finest) {
  std::vector<Choice> places(spots.size()), choices;
  if (!finer.empty()) {
    const SpotMap map(grid, spots);
    for (Choice& choice : finer) {
      const int under = map.under(choice);
      if (under == 0)
        choices.push_back(std::move(choice));
      else
        join(places[static_cast<std::size_t>(under) - 1], std::move(choice));
    }
  }
  for (std::size_t i = 0; i < spots.size(); ++i) {
    choose(places[i], std::move(spots[i]), is_finest);
    choices.push_back(std::move(places[i]));
  }
  return choices;
}

}  // namespace

std::vector<Choice> choices_on(const Backdrop& backdrop, std::span<const Scale> scales,
                               const Control& control) {
  std::vector<Choice> choices;
  for (const auto& [grid, noise, within] : scales) {
    control.step(0);
    const Backdrop::Rows levels(backdrop, *grid);
    choices = merged(std::move(choices), *grid, find_spots({grid, &levels, noise, within}),
                     grid == scales.front().grid);
  }
  return choices;
}

}  // namespace meander::contour
