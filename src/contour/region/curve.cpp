// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/region/curve.hpp"

#include <algorithm>
#include <cmath>

#include "contour/likelihood/criterion.hpp"
#include "contour/region/curve_snake.hpp"

namespace meander::contour {
namespace {

/// In pixels. Steps of less are below what noise tells of any outline.
constexpr double narrowest = 0.125;
/// In pixels: an image has room for few outlines as long, for which a longer search takes little in
/// all.
constexpr double long_outline = 1000;
/// Curves of more and more, or fewer and fewer nodes, of which the one with the shortest
/// description stays.
class CurveSearch {
 public:
  CurveSearch(const SumLevels& image, const Criterion& criterion, const Surroundings& surroundings,
              const Polygon& start, double of_start, const Control& control,
              std::int64_t& evaluations)
      : image_(image),
        criterion_(criterion),
        surroundings_(surroundings),
        start_(start),
        of_start_(of_start),
        control_(control),
        evaluations_(evaluations),
        is_thorough_(start.perimeter() >= long_outline) {
    const double side = std::sqrt(start.signed_area());
    while ((is_thorough_ ? 8 : 32) * widest_ < side) widest_ *= 2;
    if (surroundings.obstacles != nullptr) rings_ = surroundings.obstacles->rings_in(start);
  }

  std::optional<CurveSnake> run() {
    std::size_t count = std::clamp(start_.vertices.size() / (is_thorough_ ? 1 : 2), std::size_t{6},
                                   std::size_t{48});
    if (!is_shorter_with(count, 0)) is_shorter_with(count *= 2, 0);
    if (!best_) return {};
    const auto climb = [&](auto next) {
      const int most_failures = is_thorough_ ? 2 : 1;
      int failures = 0;
      for (std::size_t n = next(count);
           n >= fewest_nodes && n <= most_nodes && failures < most_failures; n = next(n)) {
        const bool is_shorter = is_shorter_with(n, 0);
        if (is_shorter) count = n;
        failures = is_shorter ? 0 : failures + 1;
      }
    };
    const std::size_t first = count;
    climb([](std::size_t n) { return n + (n + 3) / 4; });
    if (count == first) climb([](std::size_t n) { return n - (n + 4) / 5; });
    // Nodes between those of the best one.
    constexpr int most_rounds = 3;
    for (int round = 0; round < most_rounds && is_thorough_; ++round) {
      const std::size_t before = count, tenth = (count + 9) / 10;
      bool is_any = false;
      for (const std::size_t n : {before, before + tenth, before - tenth}) {
        if (n < fewest_nodes || !is_shorter_with(n, 0.5)) continue;
        count = n, is_any = true;
      }
      if (!is_any) break;
    }
    return best_;
  }

  double description_length() const { return shortest_; }

 private:
  static constexpr std::size_t fewest_nodes = 5, most_nodes = 256;

  /// From the best curve so far, at first from the polygon and with longer steps.
  bool is_shorter_with(std::size_t count, double phase) {
    const Polygon from = best_ ? best_->polygon() : start_;
    CurveSnake snake(image_, criterion_, surroundings_, rings_, spline_through(from, count, phase),
                     evaluations_);
    snake.draw_back();
    if (!snake.is_allowed()) return false;
    settle(snake, best_ ? std::max(widest_ / 4, 1.0) : widest_);
    return takes(with_corners(std::move(snake)));
  }

  /// As long as the polygon, which has corners, is closer to the image.
  CurveSnake with_corners(CurveSnake snake) const {
    constexpr int most_corners = 16;
    double length = snake.description_length();
    for (int i = 0; i < most_corners && snake.criterion() > of_start_; ++i) {
      CurveSnake next = snake;
      if (!next.add_corner(start_) || !next.is_allowed()) break;
      settle(next, std::max(widest_, 2.0));
      const double its_length = next.description_length();
      if (!(its_length < length)) break;
      snake = std::move(next);
      length = its_length;
    }
    return snake;
  }

  void settle(CurveSnake& snake, double width) const {
    // Few have corners, and those need more steps.
    const auto& nodes = snake.spline().nodes;
    const bool has_corner = std::any_of(nodes.begin(), nodes.end(),
                                        [](const SplineNode& node) { return node.is_corner; });
    const bool is_thorough = is_thorough_ || has_corner;
    for (; width >= narrowest; width /= 2) snake.settle(width, is_thorough, control_);
  }

  bool takes(CurveSnake snake) {
    const double length = snake.description_length();
    if (best_ && !(length < shortest_)) return false;
    best_ = std::move(snake);
    shortest_ = length;
    return true;
  }

  const SumLevels& image_;
  const Criterion& criterion_;
  const Surroundings& surroundings_;
  const Polygon& start_;
  const double of_start_;  ///< The criterion.
  const Control& control_;
  std::int64_t& evaluations_;
  const bool is_thorough_;
  std::vector<bool> rings_;
  double widest_ = 1;  ///< In pixels.
  std::optional<CurveSnake> best_;
  double shortest_ = 0;
};

}  // namespace

std::optional<CurveFit> fitted_curve(const SumLevels& image, const Criterion& criterion,
                                     const Surroundings& surroundings, const CurveStart& start,
                                     const Control& control, std::int64_t& evaluations) {
  const std::size_t nodes = start.polygon.vertices.size();
  const double value = criterion.of(sums_inside(image, image.rows(), start.polygon));
  const double described =
      cost_of_node(start.polygon, criterion.family().correlation) * static_cast<double>(nodes);
  // Where rounding the corners costs far more than describing them, they are
  // corners.
  if (!start.is_forced) {
    constexpr double far_more = 4;
    const std::vector<bool> none;
    const CurveSnake round(image, criterion, surroundings, none,
                           spline_through(start.polygon, 2 * nodes, 0), evaluations);
    if (round.criterion() - value > far_more * described) return {};
  }
  CurveSearch search(image, criterion, surroundings, start.polygon, value, control, evaluations);
  const std::optional<CurveSnake> best = search.run();
  if (!best) return {};
  // Nodes of polygons and of curves are described differently: what is nearly as long says nothing.
  constexpr double much = 0.85;
  if (!start.is_forced && !(search.description_length() < value + much * described)) return {};
  return CurveFit{best->spline(), search.description_length()};
}

std::vector<double> confidence_of(const SumLevels& image, const Criterion& criterion,
                                  const Spline& spline) {
  std::int64_t evaluations = 0;
  const Surroundings anywhere = everywhere(image);
  const std::vector<bool> none;
  return CurveSnake(image, criterion, anywhere, none, spline, evaluations).confidence();
}

}  // namespace meander::contour
