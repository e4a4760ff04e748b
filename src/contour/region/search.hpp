// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <chrono>
#include <optional>

#include "contour/region/curve.hpp"

namespace meander::contour {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// An outline at the end of a search, with its figures on single pixels.
struct Found {
  Polygon outline;
  std::optional<Spline> spline;  ///< That the outline is flattened from.
  RegionSums inside;
  double criterion = 0;
  std::vector<double> confidence;
};

/// Counts what searches do.
struct Effort {
  std::int64_t evaluations = 0, iterations = 0;
  Effort& operator+=(const Effort& b) {
    evaluations += b.evaluations, iterations += b.iterations;
    return *this;
  }
};

/// One search after another over the same image; counts what they do.
class Search {
 public:
  /// All of them outlive it. A start is simple and of positive area.
  Search(const SumLevels& image, const SegmentOptions& options, const SegmentInputs& inputs,
         const Control& control);
  /// In a part of the image.
  Search(const SumLevels& image, const SegmentOptions& options, const SegmentInputs& inputs,
         const Control& control, const Surroundings& surroundings);

  /// The best polygon, or nothing when none is worth its nodes. A given start always ends in one.
  std::optional<Polygon> run(const Criterion& criterion);
  /// The end of a search: the polygon, or the curve in its place, with its figures.
  Found finished(const Criterion& criterion, const Polygon& outline);

  /// Where the outline `start` goes down the levels that show it; itself where it does not divide
  /// what the criterion is about.
  Polygon improved(const Criterion& criterion, const Polygon& start);
  /// The same of one that is known to be near the best: on pixels at once, and with fewer tries.
  Polygon touched_up(const Criterion& criterion, const Polygon& start);
  /// The curve in the place of an outline, where the options ask for one; none where it stays.
  std::optional<CurveFit> curved(const Criterion& criterion, const Polygon& outline);
  /// Figures of an outline that divides the image, and of the curve that it is flattened from.
  Found measured(const Criterion& criterion, const Polygon& outline,
                 std::optional<Spline> spline = {});

  std::int64_t evaluations() const { return evaluations_; }
  std::int64_t iterations() const { return iterations_; }

 private:
  std::optional<Polygon> pyramid(const Criterion& criterion);
  Polygon down_blocks(std::size_t level, const Criterion& criterion, Polygon outline);
  Polygon on_pixels(const Criterion& criterion, const Polygon& outline);
  std::size_t level_for(const Polygon& start) const;
  bool is_divided(const CumulatedSums& grid, const Criterion& criterion,
                  const Polygon& outline) const;
  Polygon refined(const SearchLevel& level, const Criterion& criterion, const Polygon& outline);
  Snake with_more_nodes(Snake snake, int depth);
  Snake with_fewer_nodes(Snake snake);
  void settle(Snake& snake, Moves moves);
  void drop_nodes(Snake& snake, double most_rise);
  std::optional<Polygon> classic(const Criterion& criterion);
  Polygon classic_from(const Criterion& criterion, const Polygon& start);
  Snake snake_on(const SearchLevel& level, const Criterion& criterion, const Polygon& outline);
  void tell(SegmentAction action, const Snake& snake, std::int64_t step);
  void tell(SegmentAction action, const Polygon& outline, double criterion, double length,
            std::int64_t step = 0);

  const SumLevels* image_;
  const SegmentOptions* options_;
  const SegmentInputs* inputs_;
  const Control* control_;
  Surroundings surroundings_;
  std::int64_t block_ = 1;
  bool is_trying_ = false;  ///< What is tried is not told until it has proved good.
  double progress_ = 0;
  std::int64_t evaluations_ = 0;
  std::int64_t iterations_ = 0;
  std::int64_t changes_ = 0;
};

}  // namespace meander::contour
