// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "contour/detect/component_tree.hpp"

/// What a component is judged by.
namespace meander::contour {

using Index = std::int32_t;
inline constexpr Index none = -1;

inline std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// What a set of a union-find is named by.
inline Index root(std::vector<Index>& parents, Index i) {
  while (parents[at(i)] != i) {
    parents[at(i)] = parents[at(parents[at(i)])];
    i = parents[at(i)];
  }
  return i;
}

/// Right, left, down, up; the opposite of d is d ^ 1.
inline constexpr std::array<std::int64_t, 4> step_x{1, -1, 0, 0}, step_y{0, 0, 1, -1};

/// Sums over the cells of a component and over the sides around it.
struct Sums {
  double n = 0, level = 0;  ///< Cells, and their levels.
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  double sides = 0, frame = 0;            ///< Towards other cells; at the border of the image.
  unsigned borders = 0;                   ///< Of the image that it reaches, a bit for each.
  double around = 0, around_squares = 0;  ///< Levels of the surroundings, at the sides.

  void operator+=(const Sums& other) {
    n += other.n, level += other.level;
    x += other.x, y += other.y, xx += other.xx, yy += other.yy, xy += other.xy;
    sides += other.sides, frame += other.frame, borders |= other.borders;
    around += other.around, around_squares += other.around_squares;
  }
  double fit() const;
};

/// A threshold of a component and what it saves there.
struct Cut {
  Index rank = none;  ///< The last cell above it.
  double saved = 0;   ///< Without regard to shape.
  double contrast = 0;
  Sums sums;
};

/// The fit to the ellipse of equal moments: area over the ellipse's, at most 1.
inline double Sums::fit() const {
  const double mx = x / n, my = y / n;
  // A cell has a variance of a twelfth along either axis.
  const double vx = xx / n - mx * mx + 1.0 / 12, vy = yy / n - my * my + 1.0 / 12;
  const double vxy = xy / n - mx * my;
  const double ellipse = 4 * std::numbers::pi * std::sqrt(std::max(vx * vy - vxy * vxy, 1e-9));
  return std::min(1.0, n / ellipse);
}

/// What a component saves, and whether it may be an object.
class Judge {
 public:
  Judge(const ScaleNoise& noise, const FindingConstants& constants, const ObjectCost& cost,
        double fewest, double least_contrast)
      : constants_(&constants),
        noise_(&noise.cell),
        cost_(&cost),
        fewest_(fewest),
        least_contrast_(least_contrast) {}

  bool is_too_small(const Sums& sums) const { return sums.n < fewest_; }
  /// Whether what is above a saddle would be an object on the level of the saddle.
  bool stands_above(const Sums& sums, double saddle) const {
    const double contrast = sums.level / sums.n - saddle;
    return !is_too_small(sums) && contrast > 0 &&
           saved_by(sums.n, contrast, 0, 1, noise_->front(), *cost_, *constants_) > 0;
  }

  void try_cut(Index rank, const Sums& sums, Cut& best) const {
    if (is_too_small(sums) || sums.frame > 2 * constants_->frame * sums.sides) return;
    if (!(sums.sides > 0)) return;
    const double around = sums.around / sums.sides;
    const double contrast = sums.level / sums.n - around;
    if (contrast <= 0 || contrast < least_contrast_) return;
    const double saved =
        saved_by(sums.n, contrast, sums.sides, 1, noise_->front(), *cost_, *constants_);
    if (saved <= best.saved && best.rank != none) return;
    const double scatter = std::max(0.0, sums.around_squares / sums.sides - around * around);
    if (contrast * contrast < constants_->scatter * constants_->scatter * scatter) return;
    best = {rank, saved, contrast, sums};
  }

  double with_fit(const Cut& cut, double fit) const {
    return saved_by(cut.sums.n, cut.contrast, cut.sums.sides, fit, noise_->front(), *cost_,
                    *constants_);
  }

  /// Whether noise of its own scale, an eighth of its side, does not explain it: a background that
  /// is not quite even has more of that than of fine noise.
  bool stands_out(const Cut& cut) const {
    double noise = noise_->front(), from = 64;
    for (std::size_t i = 1; i < noise_->size() && cut.sums.n > from; ++i, from *= 4) {
      const double part = std::min(1.0, (cut.sums.n - from) / (3 * from));
      noise = (*noise_)[i - 1] + part * ((*noise_)[i] - (*noise_)[i - 1]);
    }
    return saved_by(cut.sums.n, cut.contrast, 0, 1, noise, *cost_, *constants_) > 0;
  }

 private:
  const FindingConstants* constants_;
  const std::vector<double>* noise_;
  const ObjectCost* cost_;
  double fewest_, least_contrast_;
};

}  // namespace meander::contour
