// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/starts.hpp"

#include <gtest/gtest.h>

#include "meander/error.hpp"

namespace meander {
namespace {

constexpr Shape image{12, 6, 1};

Image mask_of(const std::vector<std::vector<int>>& rows) {
  Image mask = Image::allocate({.shape = {static_cast<std::int64_t>(rows[0].size()),
                                          static_cast<std::int64_t>(rows.size()), 1},
                                .type = PixelType::u8});
  for (std::size_t y = 0; y < rows.size(); ++y) {
    std::copy(rows[y].begin(), rows[y].end(),
              mask.mutable_row<std::uint8_t>(static_cast<std::int64_t>(y)));
  }
  return mask;
}

Region box(double x0, double y0, double x1, double y1) {
  return {box_outline(x0 - 0.5, y0 - 0.5, x1 - 0.5, y1 - 0.5), {}};
}

std::string fault_of(std::vector<Region> starts, const ImagePart& part = {}) {
  try {
    check_starts(starts, image, part);
  } catch (const InvalidArgument& fault) {
    return fault.what();
  }
  return {};
}

TEST(Starts, OfOneValueAreItsParts) {
  // Two parts of one value that meet at a corner.
  const auto starts = starts_of_mask(mask_of({{9, 9, 0, 0}, {9, 9, 0, 0}, {0, 0, 9, 9}}));
  ASSERT_EQ(starts.size(), 2u);
  EXPECT_EQ(starts[0].area(), 3.5);  // corners are cut off between pixel centres
  EXPECT_EQ(starts[1].area(), 1.5);
}

TEST(Starts, OfLabelsThatTouchAreApart) {
  EXPECT_EQ(starts_of_mask(mask_of({{1, 1, 2, 2}, {1, 1, 2, 2}})).size(), 2u);
  EXPECT_EQ(starts_of_mask(mask_of({{1, 1, 1, 1}, {1, 1, 1, 1}})).size(), 1u);
}

TEST(Starts, OfAnEmptyMaskAreRefused) {
  EXPECT_THROW(starts_of_mask(mask_of({{0, 0}, {0, 0}})), InvalidArgument);
}

TEST(Starts, SideBySideAreGood) {
  std::vector<Region> starts{box(0, 0, 4, 6), box(4, 0, 8, 6)};
  check_starts(starts, image);
  EXPECT_EQ(starts.size(), 2u);
}

TEST(Starts, ThatOverlapAreToldWithThePixelOfTheWhole) {
  EXPECT_EQ(fault_of({box(0, 0, 5, 6), box(4, 2, 8, 6)}, {.left = 100, .top = 50}),
            "outlines 1 and 2 both hold pixel 104,52, expected starts that do not overlap");
}

TEST(Starts, WithoutAPixelAreRefusedUnlessTheyLieElsewhere) {
  EXPECT_EQ(fault_of({box(20, 0, 24, 4)}), "the outline holds no pixel of the image");
  EXPECT_EQ(fault_of({box(0, 0, 4, 4), box(20, 0, 24, 4)}),
            "outline 2 of 2 holds no pixel of the image");
  std::vector<Region> starts{box(20, 0, 24, 4), box(0, 0, 4, 4)};
  check_starts(starts, image, {.is_whole = false});
  ASSERT_EQ(starts.size(), 1u);
  EXPECT_EQ(starts[0], box(0, 0, 4, 4));
}

TEST(Starts, ThatHoldAllPixelsAreRefused) {
  EXPECT_EQ(fault_of({box(0, 0, 12, 6)}), "the outline holds all pixels of the image");
  EXPECT_EQ(fault_of({box(0, 0, 6, 6), box(6, 0, 12, 6)}),
            "the outlines hold all pixels of the image");
}

/// More rows than are looked at together.
TEST(Starts, OfHighImagesAreFoundInTheirRows) {
  const std::vector<Region> starts{box(5, 100, 9, 110), box(5, 2900, 9, 2910)};
  std::vector<Region> kept = starts;
  check_starts(kept, {4096, 3000, 1});
  EXPECT_EQ(kept, starts);
}

TEST(Starts, AsManyAsThereCanBe) {
  std::vector<Region> none, starts(most_outlines + 1, box(0, 0, 2, 2));
  check_starts(none, image);
  EXPECT_THROW(check_starts(starts, image), Unsupported);
  EXPECT_EQ(starts.size(), most_outlines + 1);
}

TEST(Starts, StayAsTheyAreWhenTheyAreRefused) {
  std::vector<Region> starts{box(0, 0, 4, 4), box(20, 0, 24, 4)};
  EXPECT_THROW(check_starts(starts, image), InvalidArgument);
  EXPECT_EQ(starts[0], box(0, 0, 4, 4));
}

TEST(Starts, SpecksAreLeftOutBesideOthers) {
  const std::vector<Region> parts{box(0, 0, 2, 2), box(4, 0, 10, 6)};
  EXPECT_EQ(curves_around(parts, 1.5).size(), 1u);
  EXPECT_EQ(curves_around(parts, 1).size(), 2u);
  EXPECT_EQ(curves_around({parts[0]}, 1.5).size(), 1u);
}

}  // namespace
}  // namespace meander
