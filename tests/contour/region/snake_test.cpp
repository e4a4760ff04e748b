// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/region/snake.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/image_state.hpp"
#include "meander/phantom.hpp"

namespace meander::contour {
namespace {

/// One snake on the pixels of a star of which the outline is known.
class SnakeOnStar : public ::testing::Test {
 protected:
  SnakeOnStar()
      : phantom_({.kind = PhantomKind::star,
                  .size = {300, 300, 1},
                  .noise = {NoiseFamily::gaussian},
                  .snr = 2.0}),
        pixels_(phantom_.slab(0, 300)),
        sums_(pixels_.state().backend, pixels_.state().view, {}),
        criterion_({}, {}, sums_.total()),
        truth_(phantom_.outlines().front()) {}

  Snake snake_from(const Polygon& outline) {
    return {sums_, {&sums_.rows(), true}, criterion_, everywhere(sums_), outline, evaluations_};
  }
  double criterion_of(const Polygon& outline) {
    return criterion_.of(sums_inside(sums_, sums_.rows(), outline));
  }

  Phantom phantom_;
  Image pixels_;
  SumLevels sums_;
  Criterion criterion_;
  Polygon truth_;
  std::int64_t evaluations_ = 0;
};

TEST_F(SnakeOnStar, NodesThatDoNotPayGoAndTheOthersStay) {
  Snake snake = snake_from(truth_);
  const double before = snake.criterion();
  ASSERT_GT(snake.insert_midpoints(16), 0);
  EXPECT_LE(snake.criterion(), before);
  const double cost = snake.node_cost();
  // The star reaches over some two thirds of the image.
  EXPECT_LT(cost, std::log(300.0 * 300));
  EXPECT_GT(cost, std::log(0.5 * 300 * 300));
  snake.remove_nodes(cost);
  const Polygon outline = snake.polygon();
  EXPECT_EQ(outline.vertices.size(), truth_.vertices.size());
  EXPECT_EQ(snake.criterion(), criterion_of(outline));
  // Without any one of the nodes that are left the criterion is higher by more than the node costs.
  for (std::size_t i = 0; i < outline.vertices.size(); ++i) {
    Polygon without = outline;
    without.vertices.erase(without.vertices.begin() + static_cast<std::ptrdiff_t>(i));
    if (is_simple(without)) {
      EXPECT_GE(criterion_of(without), snake.criterion() + cost);
    }
  }
}

TEST_F(SnakeOnStar, ANodeIsWorthExactlyWhatItSaves) {
  // A bump of one node on a long edge, worth between nothing and a few nodes.
  Polygon bumped = truth_;
  const GridPoint a = truth_.vertices[0], b = truth_.vertices[1];
  bumped.vertices.insert(bumped.vertices.begin() + 1, {(a.x + b.x) / 2, (a.y + b.y) / 2 + 700});
  ASSERT_TRUE(is_simple(bumped));
  const double rise = criterion_of(bumped) - criterion_of(truth_);
  ASSERT_GT(std::abs(rise), 1.0);
  // To remove the bump changes the criterion by -rise: allowed just below that, not at it.
  Snake kept = snake_from(bumped);
  EXPECT_EQ(kept.remove_nodes(-rise), 0);
  Snake lost = snake_from(bumped);
  EXPECT_EQ(lost.remove_nodes(-rise + 0.001), 1);
  EXPECT_EQ(lost.polygon(), truth_);
}

/// A middle between two grid points is rounded, here over the centre of a pixel that belongs
/// outside: the node is not inserted, for the criterion would rise.
TEST_F(SnakeOnStar, AMiddleThatTakesAWrongPixelInIsLeftOut) {
  Image image = pixels_.clone().download();
  const std::int64_t x = 150, y = 150;
  image.mutable_row<std::uint16_t>(y)[x] = 0;
  const SumLevels sums(image.state().backend, image.state().view, {});
  const Criterion criterion({}, {}, sums.total());
  // Its left edge crosses row 150 half a grid step right of the pixel's centre.
  const GridPoint above{x * 256 - 2000, y * 256 - 9000}, below{x * 256 + 2001, y * 256 + 9000};
  const Polygon outline{{above, {220 * 256, 150 * 256 + 77}, below}};
  Snake snake(sums, {&sums.rows(), true}, criterion, everywhere(sums), outline, evaluations_);
  const double before = snake.criterion();
  Polygon rounded = outline;
  rounded.vertices.push_back({x * 256, y * 256});
  ASSERT_GT(criterion.of(sums_inside(sums, sums.rows(), rounded)), before);
  EXPECT_EQ(snake.insert_midpoints(16), 2);
  EXPECT_LE(snake.criterion(), before);
}

/// Sums of changes are kept for as long as the nodes around stay where they are; a change that went
/// by those of another place would leave sums that are not those of the outline.
TEST_F(SnakeOnStar, KeptSumsAreThoseOfWhereTheNodesAre) {
  for (const double radius : {40.0, 70.0, 100.0}) {
    Snake snake = snake_from(circle_outline(150, 150, radius));
    const auto expect_true = [&](const char* after) {
      EXPECT_EQ(snake.inside(), sums_inside(sums_, sums_.rows(), snake.polygon()))
          << after << " from " << radius;
    };
    for (int round = 0; round < 6; ++round) {
      for (const std::int64_t step : {4, 2, 1, 2, 1}) {
        snake.sweep({.step = step, .least_gain = 2});
        expect_true("sweep");
        // A few nodes each time, so that their neighbours are asked again.
        snake.remove_nodes(round < 3 ? -20 : snake.node_cost());
        expect_true("removal");
      }
      snake.insert_midpoints(8);
      expect_true("insertion");
    }
  }
}

TEST_F(SnakeOnStar, OnlySegmentsAtNewNodesAreHalvedAgain) {
  // A box of which only the long sides are halved first.
  Snake snake = snake_from(box_outline(100, 120, 200, 160));
  const int first_new = snake.next_number();
  ASSERT_EQ(snake.insert_midpoints(50), 2);
  Snake none = snake, all = snake;
  EXPECT_EQ(none.insert_midpoints(1, snake.next_number()), 0);
  EXPECT_EQ(all.insert_midpoints(1), 6);
  EXPECT_EQ(snake.insert_midpoints(1, first_new), 4);
}

TEST_F(SnakeOnStar, EveryNodeOfAnOddNumberMoves) {
  // Three more nodes than the star has, each node displaced in turn: it comes back by itself.
  Polygon odd = truth_;
  const GridPoint a = odd.vertices[0], b = odd.vertices[1];
  odd.vertices.insert(odd.vertices.begin() + 1, {(a.x + b.x) / 2, (a.y + b.y) / 2});
  ASSERT_EQ(odd.vertices.size() % 2, 1u);
  for (std::size_t i = 0; i < odd.vertices.size(); ++i) {
    Polygon displaced = odd;
    displaced.vertices[i].x += 8 * grid_steps_per_pixel;
    displaced.vertices[i].y += 5 * grid_steps_per_pixel;
    if (!is_simple(displaced)) continue;
    const double wrong = criterion_of(displaced), right = criterion_of(odd);
    if (wrong < right + 10) continue;
    Snake snake = snake_from(displaced);
    for (int round = 0; round < 20; ++round) snake.sweep({.step = 2, .least_gain = 1});
    const GridPoint now = snake.polygon().vertices[i];
    EXPECT_LT(std::hypot(static_cast<double>(now.x - odd.vertices[i].x),
                         static_cast<double>(now.y - odd.vertices[i].y)),
              std::hypot(8.0, 5.0) * grid_steps_per_pixel)
        << i;
    EXPECT_LT(snake.criterion(), wrong - (wrong - right) / 2) << i;
  }
}

}  // namespace
}  // namespace meander::contour
