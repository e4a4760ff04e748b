// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/region/search.hpp"

#include <algorithm>
#include <cmath>

#include "contour/geometry/clip.hpp"
#include "contour/likelihood/criterion.hpp"
#include "contour/region/rectangle.hpp"

namespace meander::contour {
namespace {

/// A move has to lower the criterion by this much: below, noise would carry nodes about.
constexpr double worth_moving = 2;
/// Sweeps with one step, and rounds of new nodes: far more than a search takes.
constexpr int most_sweeps = 1000;
constexpr int most_rounds = 100;
/// Cells of a level that a segment is longer than before it gets a node.
constexpr std::int64_t least_cells = 4;
/// Cells of the first step on a level: twice what the level above could not see.
constexpr std::int64_t first_cells = 4;
/// The same where the outline is known to be near.
constexpr std::int64_t near_cells = 2;
/// In this order: a node in each segment, which follows bends; three in each, which can grow an arm
/// where one alone cannot; and fewer nodes. The first again whenever one has helped.
constexpr int attempts = 3;
/// What a node may save at most to go for a try, in what it costs.
constexpr double costly = 4;
/// A start is looked at in blocks of which so many fit across it.
constexpr std::int64_t blocks_across = 8;
/// Of the classic schedule: the first step after nodes have come.
constexpr std::int64_t classic_restart = 8;

/// How far the search is, when nobody knows how many rounds there will be: half of the rest.
double advanced(double progress) { return progress + (1 - progress) / 2; }

Polygon rectangle_inside(const Shape& image) {
  const GridPoint low = lowest_node(), high = highest_node(image);
  const std::int64_t x = (high.x - low.x) / 10, y = (high.y - low.y) / 10;
  return {{{low.x + x, low.y + y},
           {high.x - x, low.y + y},
           {high.x - x, high.y - y},
           {low.x + x, high.y - y}}};
}

/// The shorter side of the box around a polygon, in pixels.
std::int64_t extent_of(const Polygon& polygon) {
  const auto [low, high] = box_around(polygon);
  return std::min(high.x - low.x, high.y - low.y) / grid_steps_per_pixel;
}

/// Whether an outline of so many nodes describes the image better than none: with its nodes, and
/// with the place of the box around it, two of the image's pixels.
bool is_worth(const Criterion& criterion, double value, const Polygon& outline, std::size_t nodes) {
  const double place = 2 * std::log(static_cast<double>(criterion.total().count));
  return value + place + static_cast<double>(nodes) * cost_of_node(outline) < criterion.undivided();
}

}  // namespace

Search::Search(const SumLevels& image, const SegmentOptions& options, const SegmentInputs& inputs,
               const Control& control)
    : Search(image, options, inputs, control, everywhere(image)) {}

Search::Search(const SumLevels& image, const SegmentOptions& options, const SegmentInputs& inputs,
               const Control& control, const Surroundings& surroundings)
    : image_(&image),
      options_(&options),
      inputs_(&inputs),
      control_(&control),
      surroundings_(surroundings) {}

void Search::tell(SegmentAction action, const Snake& snake, std::int64_t step) {
  if (is_trying_) return;
  tell(action, snake.polygon(), snake.criterion(), snake.description_length(), step);
}

void Search::tell(SegmentAction action, const Polygon& outline, double criterion, double length,
                  std::int64_t step) {
  ++changes_;
  if (!inputs_->on_change) return;
  inputs_->on_change({.action = action,
                      .outline = outline,
                      .criterion = criterion,
                      .description_length = length,
                      .block = block_,
                      .step = step,
                      .iteration = changes_});
}

void Search::settle(Snake& snake, Moves moves) {
  for (; moves.step >= block_; moves.step /= 2) {
    for (int i = 0; i < most_sweeps; ++i) {
      control_->step(progress_);
      ++iterations_;
      if (snake.sweep(moves) == 0) break;
      tell(SegmentAction::moved, snake, moves.step);
    }
  }
}

void Search::drop_nodes(Snake& snake, double most_rise) {
  if (snake.remove_nodes(most_rise) > 0) tell(SegmentAction::removed, snake, 0);
}

/// Long segments get a node in their middle, `depth` times over; nodes that then do not pay for
/// themselves go again.
Snake Search::with_more_nodes(Snake snake, int depth) {
  double longest = std::max(options_->min_segment, static_cast<double>(least_cells * block_));
  for (int i = 0; i < depth; ++i, longest /= 2) snake.insert_midpoints(longest);
  settle(snake, {.step = first_cells * block_, .least_gain = worth_moving});
  drop_nodes(snake, snake.node_cost());
  return snake;
}

/// Nodes that hold an outline in a place that is good but not the best go, though they pay.
Snake Search::with_fewer_nodes(Snake snake) {
  drop_nodes(snake, costly * snake.node_cost());
  settle(snake, {.step = first_cells * block_, .least_gain = worth_moving});
  drop_nodes(snake, snake.node_cost());
  return snake;
}

Snake Search::snake_on(const SearchLevel& level, const Criterion& criterion,
                       const Polygon& outline) {
  block_ = level.sums->block;
  return {*image_, level, criterion, surroundings_, outline, evaluations_};
}

Polygon Search::refined(const SearchLevel& level, const Criterion& criterion,
                        const Polygon& outline) {
  Snake snake = snake_on(level, criterion, outline);
  tell(SegmentAction::started, snake, 0);
  settle(snake, {.step = first_cells * block_, .least_gain = worth_moving});
  drop_nodes(snake, snake.node_cost());
  for (int attempt = 0, round = 0; attempt < attempts && round < most_rounds; ++round) {
    is_trying_ = true;
    Snake next = attempt < 2 ? with_more_nodes(snake, attempt + 1) : with_fewer_nodes(snake);
    is_trying_ = false;
    if (next.description_length() < snake.description_length() - snake.node_cost() / 2) {
      snake = std::move(next);
      tell(SegmentAction::rebuilt, snake, 0);
      attempt = 0;
    } else {
      ++attempt;
    }
  }
  return snake.polygon();
}

Polygon Search::down_blocks(std::size_t level, const Criterion& criterion, Polygon outline) {
  for (; level > 0; --level) {
    const CumulatedSums& grid = image_->blocks()[level - 1];
    if (is_divided(grid, criterion, outline)) outline = refined({&grid, false}, criterion, outline);
    progress_ = advanced(progress_);
  }
  return outline;
}

Polygon Search::on_pixels(const Criterion& criterion, const Polygon& outline) {
  return refined({&image_->rows(), true}, criterion, outline);
}

/// Whether an outline has centres of cells on both sides. Blocks at the right and lower border may
/// have theirs beyond the image.
bool Search::is_divided(const CumulatedSums& grid, const Criterion& criterion,
                        const Polygon& outline) const {
  return criterion.is_divided_by(sums_inside(*image_, grid, outline));
}

/// One more than the number of the grid of blocks to begin with; 0 for single pixels.
std::size_t Search::level_for(const Polygon& start) const {
  std::size_t level = image_->blocks().size();
  while (level > 0 && image_->blocks()[level - 1].block * blocks_across > extent_of(start)) --level;
  return level;
}

std::optional<Polygon> Search::pyramid(const Criterion& criterion) {
  if (inputs_->start) {
    // Throws for a start that divides nothing; blocks would not always notice.
    snake_on({&image_->rows(), true}, criterion, *inputs_->start);
    return on_pixels(criterion,
                     down_blocks(level_for(*inputs_->start), criterion, *inputs_->start));
  }
  const auto rectangle = best_rectangle(*image_, criterion);
  if (!rectangle || !is_worth(criterion, rectangle->criterion, rectangle->outline, 4))
    return std::nullopt;
  const Polygon outline = down_blocks(image_->blocks().size(), criterion, rectangle->outline);
  // Cells may have made a sliver that holds no pixel.
  if (!is_divided(image_->rows(), criterion, outline)) return std::nullopt;
  return on_pixels(criterion, outline);
}

Polygon Search::improved(const Criterion& criterion, const Polygon& start) {
  if (!is_divided(image_->rows(), criterion, start)) return start;
  if (options_->schedule == SegmentSchedule::classic) return classic_from(criterion, start);
  const Polygon outline = down_blocks(level_for(start), criterion, start);
  return on_pixels(criterion, is_divided(image_->rows(), criterion, outline) ? outline : start);
}

Polygon Search::touched_up(const Criterion& criterion, const Polygon& start) {
  if (options_->schedule == SegmentSchedule::classic) return classic_from(criterion, start);
  if (!is_divided(image_->rows(), criterion, start)) return start;
  Snake snake = snake_on({&image_->rows(), true}, criterion, start);
  const Moves moves{.step = first_cells, .least_gain = worth_moving};
  drop_nodes(snake, snake.node_cost());
  settle(snake, moves);
  drop_nodes(snake, snake.node_cost());
  // A segment whose middle was of no use gets none again: only those at nodes that have just come.
  int since = 0;
  for (int round = 0; round < most_rounds; ++round) {
    Snake next = snake;
    const int first_new = next.next_number();
    if (next.insert_midpoints(options_->min_segment, since) == 0) break;
    since = first_new;
    settle(next, {.step = near_cells, .least_gain = worth_moving});
    drop_nodes(next, next.node_cost());
    if (!(next.description_length() < snake.description_length() - snake.node_cost() / 2)) break;
    snake = std::move(next);
  }
  return snake.polygon();
}

std::optional<Polygon> Search::classic(const Criterion& criterion) {
  const Shape& shape = image_->pixels().shape;
  const Polygon start = inputs_->start.value_or(rectangle_inside(shape));
  // In an image of a few pixels the rectangle leaves none outside.
  const bool is_whole =
      sums_inside(*image_, image_->rows(), start).count == criterion.total().count;
  if (is_whole && !inputs_->start) return std::nullopt;
  return classic_from(criterion, start);
}

Polygon Search::classic_from(const Criterion& criterion, const Polygon& start) {
  const Shape& shape = image_->pixels().shape;
  Snake snake = snake_on({&image_->rows(), false}, criterion, start);
  tell(SegmentAction::started, snake, 0);
  const double longest =
      options_->max_step.value_or(static_cast<double>(std::min(shape.x, shape.y)) / 8);
  auto step = std::max<std::int64_t>(1, static_cast<std::int64_t>(longest));
  for (int round = 0; round < most_rounds; ++round) {
    const double before = snake.criterion();
    settle(snake, {.step = step, .directions = Directions::axes});
    progress_ = advanced(progress_);
    if (round > 0 && !(snake.criterion() < before)) break;
    if (snake.insert_midpoints(options_->min_segment) == 0) break;
    tell(SegmentAction::inserted, snake, 0);
    step = classic_restart;
  }
  return snake.polygon();
}

std::optional<CurveFit> Search::curved(const Criterion& criterion, const Polygon& outline) {
  const bool is_wanted =
      options_->shape != OutlineShape::polygon && options_->schedule != SegmentSchedule::classic;
  if (!is_wanted || !is_divided(image_->rows(), criterion, outline)) return {};
  return fitted_curve(*image_, criterion, surroundings_,
                      {outline, options_->shape == OutlineShape::curve}, *control_, evaluations_);
}

Found Search::measured(const Criterion& criterion, const Polygon& outline,
                       std::optional<Spline> spline) {
  Snake snake = snake_on({&image_->rows(), !image_->blocks().empty()}, criterion, outline);
  Found found{outline, std::move(spline), snake.inside(), snake.criterion(), {}};
  found.confidence =
      found.spline ? confidence_of(*image_, criterion, *found.spline) : snake.confidence();
  return found;
}

std::optional<Polygon> Search::run(const Criterion& criterion) {
  const bool is_classic = options_->schedule == SegmentSchedule::classic;
  std::optional<Polygon> outline = is_classic ? classic(criterion) : pyramid(criterion);
  if (!outline || inputs_->start) return outline;
  // The published search does not ask what a node costs; it is asked for its first four only.
  const std::size_t nodes = is_classic ? 4 : outline->vertices.size();
  const double value = criterion.of(sums_inside(*image_, image_->rows(), *outline));
  if (!is_worth(criterion, value, *outline, nodes)) return std::nullopt;
  return outline;
}

Found Search::finished(const Criterion& criterion, const Polygon& outline) {
  const std::optional<CurveFit> curve = curved(criterion, outline);
  Found found = curve ? measured(criterion, flattened(curve->spline), curve->spline)
                      : measured(criterion, outline);
  double length = curve ? curve->description_length : found.criterion;
  if (curve) {
    tell(SegmentAction::curved, found.outline, found.criterion, length);
  } else {
    length += cost_of_node(outline, criterion.family().correlation) *
              static_cast<double>(outline.vertices.size());
  }
  tell(SegmentAction::finished, found.outline, found.criterion, length);
  return found;
}

}  // namespace meander::contour
