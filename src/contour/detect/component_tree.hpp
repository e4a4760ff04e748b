// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "contour/detect/noise_level.hpp"

namespace meander::contour {

/// What decides what is an object. docs/algorithms/objects.md says what each is for, and what
/// changes with half and twice as much.
struct FindingConstants {
  double floor = 1.5;  ///< Cells below so many noise levels of the smoothed image are in no tree.
  double fewest_cells = 4;           ///< Of a peak and of an object.
  double side = 1.0986122886681098;  ///< Description of a cell's side in an outline.
  double ray = 12;                   ///< How far away an object's surroundings lie, in pixels.
  /// Sides at the border of the image, as a part of the others, at most. Of what has more, up to
  /// twice as much, the parts are no objects either.
  double frame = 0.5;
  int borders = 2;  ///< Of the image that an object reaches: what reaches three lies under others.
  double scatter = 2;  ///< Contrast over the scatter of the surroundings, at least.
  int shape = 8;       ///< Power of the fit to an ellipse.
  /// Both an object's contrast and its height above the background are more than this part of the
  /// other one.
  double pedestal = 0.5;
  double level = 0.3;          ///< Of an outline, as a part of the contrast, without noise;
  double clear_contrast = 20;  ///< half of the way to that from one half at this many noise levels.
  double reach = 3;  ///< How far an outline may leave what was found, in pixels; a cell at least.
  double least_area = 9;   ///< In pixels, of white noise; times the pixels that share theirs,
  double most_shared = 4;  ///< four at most: in what is smoother small objects are still seen.
  double smoothed = 8;     ///< Pixels that share their noise where outlines cannot be told.
};

/// What it takes to describe an object besides its level.
struct ObjectCost {
  double place = 0;         ///< To say where it is.
  bool is_ellipse = false;  ///< Its shape is an ellipse where that is shorter than its outline.
};

/// Cells that hang together by their sides, as an object.
struct Candidate {
  std::vector<std::int32_t> cells;  ///< Indices, from the highest.
  double threshold = 0;             ///< Of the smoothed image; at least that on all of them.
  double around = 0;                ///< Level of the surroundings.
  double contrast = 0;              ///< Mean over the cells less the level of their surroundings.
  double sides = 0;                 ///< Of cells around it.
  double fit = 1;                   ///< Area over that of the ellipse of equal moments.
};

/// Levels around each cell, in cells of twice the side: there is less noise in them.
class LevelsAround {
 public:
  LevelsAround(const ScaleImage& image, float sign, const FindingConstants& constants);

  /// The least level of a ray from a cell on, corrected for noise.
  double operator()(std::int64_t x, std::int64_t y, std::size_t direction) const {
    const std::int64_t column = std::min(x / 2, columns_ - 1), row = std::min(y / 2, rows_ - 1);
    return static_cast<double>(
        least_[static_cast<std::size_t>(row * columns_ + column)][direction]);
  }

  void fetch(std::int64_t x, std::int64_t y) const {
    __builtin_prefetch(least_.data() + std::min(y / 2, rows_ - 1) * columns_ + x / 2);
  }

 private:
  std::int64_t columns_, rows_;
  std::vector<std::array<float, 4>> least_;  ///< Along the rays of each, in the order of steps.
};

/// Cells above the floor at one scale, bright ones with sign 1 or dark ones with -1, in parts that
/// do not touch each other. Refers to what it is made of.
struct Components {
  Components(const ScaleImage& image, float sign, const ScaleNoise& noise,
             const FindingConstants& constants, const ObjectCost& cost, double fewest_cells,
             double least_contrast = 0);

  const ScaleImage& image;
  float sign;
  const ScaleNoise& noise;
  const FindingConstants& constants;
  const ObjectCost& cost;
  double fewest_cells;    ///< Of an object.
  double least_contrast;  ///< Of an object, in grey levels.
  LevelsAround around;
  std::vector<std::int32_t> rank;  ///< Of every cell, in its part; none below the floor.
  std::vector<std::vector<std::int32_t>> parts;
};

/// The objects of a part that shorten the description of the cells most, none over another; of dark
/// ones thresholds and contrasts are negated. Parts may be asked for at the same time. Cost: that
/// of sorting the cells.
std::vector<Candidate> best_components(Components& components, std::size_t part);
/// Of all parts.
std::vector<Candidate> best_components(Components components);

/// An ellipse at some place has three numbers and a level; so many samples tell each to one part in
/// their root.
inline double cost_of_ellipse(double samples) { return 2 * std::log(std::max(samples, 1.0)); }
/// What a component of a fit to an ellipse saves; of a fit of 1: without regard to its shape.
double saved_by(double cells, double contrast, double sides, double fit, double noise,
                const ObjectCost& cost, const FindingConstants& constants);

}  // namespace meander::contour
