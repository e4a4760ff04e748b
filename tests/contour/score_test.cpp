// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/score.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "control_testing.hpp"
#include "meander/error.hpp"
#include "meander/phantom.hpp"

/// Objects and truths whose pixels can be counted by hand.
namespace meander {
namespace {

struct Block {
  int x0, x1;  ///< Columns [x0, x1) of all four rows.
  int label;
};

Image truth_of(const std::vector<Block>& blocks, PixelType type = PixelType::u16) {
  Image image = Image::allocate({.shape = {40, 4, 1}, .type = type});
  visit(type, [&]<class T>(std::type_identity<T>) {
    for (int y = 0; y < 4; ++y) {
      T* row = image.mutable_row<T>(y);
      for (int x = 0; x < 40; ++x) row[x] = from_double<T>(0);
      for (const Block& block : blocks) {
        for (int x = block.x0; x < block.x1; ++x) row[x] = from_double<T>(block.label);
      }
    }
  });
  return image;
}

LabelledRegion object(int x0, int x1, std::int64_t label) {
  return {label, {box_outline(x0 - 0.5, -0.5, x1 - 0.5, 3.5), {}}};
}

TEST(Score, CountsFoundMissedAndWrong) {
  const Image truth = truth_of({{0, 4, 7}, {10, 14, 9}, {20, 24, 300}});
  // All of the first, three quarters of the second, none of the third, one where nothing is.
  const TruthScore found = score(truth, {object(0, 4, 5), object(10, 13, 5), object(30, 34, 5)});
  EXPECT_EQ(found.common, 16 + 12);
  EXPECT_EQ(found.either, 16 + 16 + 16 + 16);
  EXPECT_DOUBLE_EQ(found.iou(), 28.0 / 64);
  ASSERT_TRUE(found.objects);
  EXPECT_TRUE(found.has_labels);
  EXPECT_EQ(found.objects->found, 2);
  EXPECT_EQ(found.objects->missed, 1);
  EXPECT_EQ(found.objects->wrong, 1);
  EXPECT_EQ(found.objects->split, 0);
  EXPECT_EQ(found.objects->merged, 0);
  EXPECT_DOUBLE_EQ(found.objects->mean_iou, (1 + 0.75) / 2);
}

TEST(Score, HalfOfTheUnionIsNotEnough) {
  const TruthScore found = score(truth_of({{0, 4, 1}, {20, 24, 2}}), {object(0, 2, 1)});
  EXPECT_EQ(found.objects->found, 0);
  EXPECT_TRUE(std::isnan(found.objects->mean_iou));
}

TEST(Score, OneInTwoPartsIsSplit) {
  const TruthScore found =
      score(truth_of({{0, 8, 1}, {20, 24, 2}}), {object(0, 4, 1), object(4, 8, 2)});
  EXPECT_EQ(found.objects->missed, 2);
  EXPECT_EQ(found.objects->split, 1);
  EXPECT_EQ(found.objects->wrong, 2);
  EXPECT_EQ(found.objects->merged, 0);
  // With more than half of it, the larger part finds it.
  const TruthScore larger =
      score(truth_of({{0, 8, 1}, {20, 24, 2}}), {object(0, 5, 1), object(5, 8, 2)});
  EXPECT_EQ(larger.objects->found, 1);
  EXPECT_EQ(larger.objects->split, 0);
}

TEST(Score, TwoInOneAreMerged) {
  const TruthScore found = score(truth_of({{0, 4, 1}, {4, 8, 2}}), {object(0, 8, 1)});
  EXPECT_EQ(found.objects->missed, 2);
  EXPECT_EQ(found.objects->merged, 1);
  EXPECT_EQ(found.objects->split, 0);
}

TEST(Score, RowByRowIsTheSame) {
  const Image truth = truth_of({{0, 4, 1}, {10, 14, 2}});
  TruthScorer scorer({object(0, 3, 1), object(9, 14, 2)}, truth.shape());
  for (int y = 0; y < 4; ++y) {
    Image row = Image::allocate({.shape = {40, 1, 1}, .type = PixelType::u16});
    std::copy_n(truth.row<std::uint16_t>(y), 40, row.mutable_row<std::uint16_t>(0));
    scorer.add_rows(row, y);
  }
  const TruthScore parts = scorer.score();
  const TruthScore whole = score(truth, {object(0, 3, 1), object(9, 14, 2)});
  EXPECT_EQ(parts.common, whole.common);
  EXPECT_EQ(parts.objects->found, 2);
  EXPECT_EQ(parts.objects->mean_iou, whole.objects->mean_iou);
  EXPECT_EQ(parts.objects->boundary().mean, whole.objects->boundary().mean);
  Image row = Image::allocate({.shape = {40, 1, 1}, .type = PixelType::u16});
  TruthScorer late({}, truth.shape());
  EXPECT_THROW(late.add_rows(row, 1), InvalidArgument);
  EXPECT_THROW(scorer.add_rows(row, 4), InvalidArgument);
}

TEST(Score, DistancesOfBoundariesByHand) {
  const TruthScore found = score(truth_of({{0, 4, 1}, {20, 30, 2}}), {object(0, 3, 1)});
  ASSERT_EQ(found.objects->boundaries.size(), 1u);
  // Of 12 pixels of the truth the four of its last column are 1 away, of 10 of ours the inner two.
  EXPECT_DOUBLE_EQ(found.objects->boundary().mean, 6.0 / 22);
  EXPECT_EQ(found.objects->boundary().percentile_95, 1);
  EXPECT_EQ(found.objects->boundary().max, 1);
  EXPECT_TRUE(std::isnan(score(truth_of({{0, 4, 1}}), {}).objects->boundary().max));
}

using Pixels = std::vector<std::array<double, 2>>;

Pixels boundary_in(const Image& labels, int label) {
  const auto at = [&](std::int64_t x, std::int64_t y) {
    const bool is_beyond = x < 0 || y < 0 || x >= labels.shape().x || y >= labels.shape().y;
    return is_beyond ? 0 : labels.row<std::uint16_t>(y)[x];
  };
  Pixels found;
  for (std::int64_t y = 0; y < labels.shape().y; ++y) {
    for (std::int64_t x = 0; x < labels.shape().x; ++x) {
      if (at(x, y) != label) continue;
      const bool is_within = at(x - 1, y) == label && at(x + 1, y) == label &&
                             at(x, y - 1) == label && at(x, y + 1) == label;
      if (!is_within) found.push_back({static_cast<double>(x), static_cast<double>(y)});
    }
  }
  return found;
}

/// From every pixel to all of the other, sorted.
std::vector<double> distances_between(const Pixels& a, const Pixels& b) {
  std::vector<double> all;
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    for (const auto& pixel : from) {
      double least = 1e9;
      for (const auto& other : to) {
        least = std::min(least, std::hypot(pixel[0] - other[0], pixel[1] - other[1]));
      }
      all.push_back(least);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(Score, DistancesOfBoundariesAreThoseOfAllPairs) {
  const Phantom cells({.kind = PhantomKind::rings, .size = {300, 200}, .seed = 5, .count = 12});
  const Image truth = cells.labels_slab(0, 200);
  std::vector<LabelledRegion> moved = cells.regions();
  for (LabelledRegion& cell : moved) {
    // Less and less alike; and holes that the truth does not have.
    for (GridPoint& vertex : cell.region.outer.vertices) vertex.x += 100 * cell.label / 2;
    if (cell.label % 2 == 0) cell.region.holes.clear();
  }
  Image ours = Image::allocate(truth.description());
  fill_labels(moved, ours, 0);
  const TruthScore found = score(truth, moved);
  ASSERT_GT(found.objects->found, 4);
  ASSERT_EQ(found.objects->boundaries.size(), static_cast<std::size_t>(found.objects->found));
  double largest = 0;
  for (int i = 0; i < found.objects->found; ++i) {  // the first ones are those that are found
    const auto all = distances_between(boundary_in(truth, i + 1), boundary_in(ours, i + 1));
    const BoundaryDistance& distance = found.objects->boundaries[static_cast<std::size_t>(i)];
    const auto count = static_cast<double>(all.size());
    EXPECT_NEAR(distance.mean, std::accumulate(all.begin(), all.end(), 0.0) / count, 1e-12);
    const double place = 0.95 * (count - 1), rank = std::floor(place);
    const auto below = static_cast<std::size_t>(rank);
    EXPECT_NEAR(distance.percentile_95, all[below] + (place - rank) * (all[below + 1] - all[below]),
                1e-12);
    EXPECT_DOUBLE_EQ(distance.max, all.back());
    largest = std::max(largest, all.back());
  }
  EXPECT_DOUBLE_EQ(found.objects->boundary().max, largest);
}

TEST(Score, BoundariesThatAreMostOfAnImageAreLeftOut) {
  constexpr std::int64_t width = 4096, height = 1024;
  Image truth = Image::allocate({.shape = {width, height, 1}, .type = PixelType::u8});
  const auto score_with = [&](std::int64_t first_noisy) {
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        truth.mutable_row<std::uint8_t>(y)[x] =
            static_cast<std::uint8_t>(x < first_noisy ? 1 : 2 + (x + y) % 2);
      }
    }
    const double right = static_cast<double>(first_noisy) - 0.5;
    return score(truth, {{1, {box_outline(-0.5, -0.5, right, height - 0.5), {}}}});
  };
  EXPECT_EQ(score_with(width / 4).objects->boundaries.size(), 0u);
  EXPECT_EQ(score_with(3 * width / 4).objects->boundary().max, 0);
}

TEST(Score, AMaskHasNoLabelsAndFractionsNoObjects) {
  EXPECT_FALSE(score(truth_of({{0, 4, 255}}), {object(0, 4, 1)}).has_labels);
  Image truth = truth_of({{0, 4, 1}}, PixelType::f32);
  truth.mutable_row<float>(0)[0] = 0.5f;
  const TruthScore found = score(truth, {object(0, 4, 1)});
  EXPECT_FALSE(found.objects);
  EXPECT_EQ(found.iou(), 1);
}

TEST(Score, OfTwoImagesTogether) {
  TruthScore all = score(truth_of({{0, 4, 1}, {8, 12, 2}}), {object(0, 4, 1)});
  all.add(score(truth_of({{0, 4, 1}, {8, 12, 2}}), {object(0, 3, 1), object(8, 12, 2)}));
  EXPECT_EQ(all.objects->found, 3);
  EXPECT_EQ(all.objects->missed, 1);
  EXPECT_DOUBLE_EQ(all.objects->mean_iou, (1 + 0.75 + 1) / 3);
  ASSERT_EQ(all.objects->boundaries.size(), 3u);
  EXPECT_DOUBLE_EQ(all.objects->boundary().mean, 6.0 / 22 / 3);
  all.objects->boundaries.clear();  // as of an image of too many boundaries
  all.add(score(truth_of({{0, 4, 1}, {8, 12, 2}}), {object(0, 4, 1)}));
  EXPECT_TRUE(all.objects->boundaries.empty());
}

TEST(Score, OfTheDistancesTheLargestIsKept) {
  TruthScore::Objects objects;
  objects.boundaries = {{.mean = 1, .percentile_95 = 2, .max = 7},
                        {.mean = 3, .percentile_95 = 4, .max = 5}};
  EXPECT_EQ(objects.boundary().mean, 2);
  EXPECT_EQ(objects.boundary().percentile_95, 3);
  EXPECT_EQ(objects.boundary().max, 7);
}

TEST(Score, StopsWhileItCounts) {
  const Image truth = truth_of({{0, 4, 7}, {10, 14, 9}});
  const std::vector<LabelledRegion> objects{object(0, 4, 5), object(10, 13, 5)};
  testing::expect_hears([&](const Control& control) { score(truth, objects, control); });
  testing::expect_hears([&](const Control& control) {
    TruthScorer(objects, truth.shape()).add_rows(truth, 0, control);
  });
  std::stop_source stop;
  double last = 0;
  const auto stop_at_rows = [&](double fraction) {
    last = fraction;
    if (fraction > 0.25) stop.request_stop();
  };
  EXPECT_THROW(score(truth, objects, {.stop = stop.get_token(), .progress = stop_at_rows}),
               Cancelled);
  EXPECT_LT(last, 0.5);
}

static_assert(std::is_nothrow_move_constructible_v<TruthScorer> &&
              std::is_nothrow_move_assignable_v<TruthScorer>);

TEST(Score, RefusesVolumesAndColours) {
  EXPECT_THROW(score(Image::allocate({.shape = {4, 4, 2}, .type = PixelType::u8}), {}),
               InvalidArgument);
  EXPECT_THROW(
      score(Image::allocate({.shape = {4, 4, 1}, .channels = 3, .type = PixelType::u8}), {}),
      InvalidArgument);
}

}  // namespace
}  // namespace meander
