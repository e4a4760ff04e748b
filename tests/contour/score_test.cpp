// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/score.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "meander/error.hpp"

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
  TruthScorer scorer({object(0, 3, 1), object(9, 14, 2)});
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
}

TEST(Score, RefusesVolumesAndColours) {
  EXPECT_THROW(score(Image::allocate({.shape = {4, 4, 2}, .type = PixelType::u8}), {}),
               InvalidArgument);
  EXPECT_THROW(
      score(Image::allocate({.shape = {4, 4, 1}, .channels = 3, .type = PixelType::u8}), {}),
      InvalidArgument);
}

}  // namespace
}  // namespace meander
