// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>
#include <limits>

#include "contour/edge/edge_testing.hpp"
#include "contour/geometry/polyline.hpp"

/// How well edge snakes fit the truth from a start far outside.
namespace meander {
namespace {

using namespace testing;

double distance_to(const GridPoint& p, const GridPoint& a, const GridPoint& b) {
  const auto x = static_cast<double>(b.x - a.x), y = static_cast<double>(b.y - a.y);
  const auto px = static_cast<double>(p.x - a.x), py = static_cast<double>(p.y - a.y);
  const double part = std::clamp((px * x + py * y) / (x * x + y * y), 0.0, 1.0);
  return std::hypot(px - part * x, py - part * y) / grid_steps_per_pixel;
}

/// Of some points from an outline, in pixels.
double mean_distance(const std::vector<GridPoint>& points, const std::vector<GridPoint>& outline) {
  double sum = 0;
  for (const GridPoint& p : points) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < outline.size(); ++i) {
      nearest = std::min(nearest, distance_to(p, outline[i], outline[(i + 1) % outline.size()]));
    }
    sum += nearest;
  }
  return sum / static_cast<double>(points.size());
}

/// In both directions: a curve across the mouth of the U is on the outline itself, but the outline
/// is not on the curve.
double mean_distance_of(const EdgeOutline& found, const PhantomOptions& shape) {
  const Curve outline{.points = Phantom(shape).outlines().at(0).vertices};
  const contour::Polyline line = contour::polyline_of(outline);
  const std::vector<GridPoint> truth =
      on_grid(contour::resampled(line, contour::count_for(line, 1, 8))).points;
  return std::max(mean_distance(found.curve.points, truth),
                  mean_distance(truth, found.curve.points));
}

TEST(EdgeQuality, ReachesTheBottomOfTheConcavity) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const PhantomOptions shape = noisy(PhantomKind::ushape, 256, 4, seed);
    const EdgeResult result = segment_edges(phantom(shape), {}, around(256));
    EXPECT_EQ(result.outlines[0].end, SnakeEnd::settled);
    EXPECT_LE(mean_distance_of(result.outlines[0], shape), 1) << seed;
  }
}

/// The published solver, stopped long before the flow has come into the U.
TEST(EdgeQuality, EightyExplicitStepsDoNot) {
  const PhantomOptions shape = noisy(PhantomKind::ushape, 256, 4, 0);
  EdgeInputs inputs = around(256);
  inputs.keep_stages = true;
  const EdgeResult whole = segment_edges(phantom(shape), {}, inputs);
  inputs.field =
      flow(whole.stages.edges,
           {.mu = EdgeOptions{}.mu, .solver = FlowSolver::explicit_steps, .iterations = 80})
          .field;
  const EdgeResult stopped = segment_edges(phantom(shape), {}, inputs);
  EXPECT_GT(mean_distance_of(stopped.outlines[0], shape), 5);
}

/// Far below what the edges of single pixels could show.
TEST(EdgeQuality, AStarAtSnr1) {
  const Image truth = truth_of(noisy(PhantomKind::star, 1024, 1, 0));
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const PhantomOptions shape = noisy(PhantomKind::star, 1024, 1, seed);
    const EdgeResult result = segment_edges(phantom(shape), {}, around(1024));
    const EdgeOutline& outline = result.outlines[0];
    EXPECT_EQ(outline.end, SnakeEnd::settled) << seed;
    EXPECT_GE(overlap(outline, truth), 0.98) << seed;
    EXPECT_TRUE(is_simple({outline.curve.points})) << seed;
  }
}

}  // namespace
}  // namespace meander
