// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cmath>
#include <optional>

#include "engine/contour.hpp"
#include "meander/image.hpp"
#include "meander/outline.hpp"
#include "meander/segment.hpp"

namespace meander::contour {

using engine::RegionSums;

/// Numbers are whole, so each is a twelfth uncertain: the variance of a uniform one.
inline constexpr double least_variance = 1.0 / 12;

/// What the numbers that are summed stand for.
struct Levels {
  std::int64_t zero = 0;  ///< The number that stands for 0 (32768 of i16), where any does.
  double scale = 1;       ///< Grey levels of one number.
  double offset = 0;      ///< The grey level of number 0.
};

/// The generalised likelihood of two regions, from exact sums: see NoiseModel. The same numbers on
/// every machine but for the last bits of its logarithms, so J is rounded to 2^-20.
class Criterion {
 public:
  struct Family {
    NoiseModel noise = NoiseModel::gaussian;
    double looks = 1;
    std::int64_t low = 0, high = 1;  ///< The two numbers of a bernoulli image.
    /// Of gaussian noise, in squared numbers, one for both regions; 0: each has its own. With one,
    /// outlines lie where the image is halfway between the two means, however wide an edge is.
    double variance = 0;
    double correlation = 1;  ///< Pixels that share their noise: nodes are placed no better.
    /// With such a variance: the mean of the background, where it is known.
    std::optional<double> background = {};
  };
  /// `total`: of what is divided. `offset`: what is inside whatever the outline holds, negative for
  /// what is outside though an outline holds it.
  Criterion(const Family& family, const Levels& levels, const RegionSums& total,
            const RegionSums& offset = {});

  const Family& family() const { return family_; }
  const Levels& levels() const { return levels_; }
  const RegionSums& total() const { return total_; }
  /// J with what an outline holds, and the offset, against the rest of the image.
  double of(const RegionSums& held) const;
  /// J of the image as one region.
  double undivided() const;
  /// Whether an outline holds pixels, and both sides have some.
  bool is_divided_by(const RegionSums& held) const;
  /// The part that one region has in J.
  double region(const RegionSums& sums) const;
  /// The same of the background.
  double background(const RegionSums& sums) const;

 private:
  Family family_;
  Levels levels_;
  RegionSums total_, offset_;
};

/// J is rounded so, on every machine.
double rounded_criterion(double value);

/// Σ(z - zero) and Σ(z - zero)², exactly.
std::int64_t shifted_sum(const RegionSums& sums, std::int64_t zero);
std::int64_t shifted_squares(const RegionSums& sums, std::int64_t zero);
/// n·Q - S², which does not fit in 64 bits: n² times the variance.
double scatter(const RegionSums& sums);

/// In grey levels; of no pixels all 0.
inline RegionStatistics statistics_of(const RegionSums& sums, const Levels& levels) {
  if (sums.count == 0) return {};
  const auto n = static_cast<double>(sums.count);
  return {.pixels = static_cast<std::int64_t>(sums.count),
          .mean = levels.offset + levels.scale * (static_cast<double>(sums.sum) / n),
          .sigma = levels.scale * std::sqrt(scatter(sums)) / n};
}

// What outlines cost in the description of an image, in nats.

/// What it takes to say where a node of an outline is: the log of the number of pixels in the box
/// around the outline that do not share their noise, counted as at least 16.
double cost_of_node(const Polygon& outline, double correlation = 1);

double cost_of_nodes(const Polygon& ring);
/// What it takes to say where the box around an object is in an image: two of its pixels.
double cost_of_place(const Shape& image);
/// A hole is somewhere in the box around its object: two of the box's pixels, and its nodes.
double cost_of_hole(const Polygon& hole, const Polygon& outer);
/// What it takes to say where the rings of an object are.
double cost_of_region(const Region& region, const Shape& image);

}  // namespace meander::contour
