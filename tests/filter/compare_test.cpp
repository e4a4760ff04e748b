// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "control_testing.hpp"

namespace meander {
namespace {

template <class T>
Image filled(const Shape& shape, T value, int channels = 1) {
  Image image = Image::allocate({.shape = shape, .channels = channels, .type = pixel_type_of<T>()});
  for (int c = 0; c < channels; ++c) {
    for (std::int64_t z = 0; z < shape.z; ++z) {
      for (std::int64_t y = 0; y < shape.y; ++y)
        std::fill_n(image.mutable_row<T>(y, z, c), shape.x, value);
    }
  }
  return image;
}

TEST(Compare, EqualImages) {
  const Comparison found = compare(filled<float>({4, 3, 2}, 5), filled<float>({4, 3, 2}, 5));
  EXPECT_EQ(found.max, 0);
  EXPECT_EQ(found.rms, 0);
  EXPECT_TRUE(std::isinf(found.psnr));
  EXPECT_FALSE(found.first);
}

TEST(Compare, FiguresOfOneDifference) {
  const Image a = filled<std::uint8_t>({4, 4, 1}, 10);
  Image b = filled<std::uint8_t>({4, 4, 1}, 10);
  b.mutable_row<std::uint8_t>(2)[3] = 18;
  const Comparison found = compare(a, b);
  EXPECT_EQ(found.max, 8);
  EXPECT_EQ(found.rms, 2);  // sqrt(64 / 16)
  EXPECT_NEAR(found.psnr, 20 * std::log10(255 / 2.0), 1e-12);
  EXPECT_EQ(found.different, 1);
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->x, 3);
  EXPECT_EQ(found.first->y, 2);
  EXPECT_EQ(found.first->a, 10);
  EXPECT_EQ(found.first->b, 18);
  EXPECT_FALSE(compare(a, b, 8).first);
  EXPECT_TRUE(compare(a, b, 7.9).first);
}

TEST(Compare, PeakOfFloatsIsTheSpreadOfTheFirst) {
  Image a = filled<float>({4, 1, 1}, 0);
  a.mutable_row<float>(0)[0] = 10;
  Image b = filled<float>({4, 1, 1}, 0);
  b.mutable_row<float>(0)[0] = 8;
  EXPECT_NEAR(compare(a, b).psnr, 20 * std::log10(10.0 / 1), 1e-12);
}

TEST(Compare, TypesMayDiffer) {
  EXPECT_EQ(compare(filled<std::uint16_t>({3, 3, 1}, 300), filled<double>({3, 3, 1}, 300.25)).max,
            0.25);
}

TEST(Compare, NanEqualsNanOnly) {
  EXPECT_EQ(compare(filled<float>({2, 2, 1}, NAN), filled<float>({2, 2, 1}, NAN)).max, 0);
  EXPECT_TRUE(std::isinf(compare(filled<float>({2, 2, 1}, NAN), filled<float>({2, 2, 1}, 0)).max));
  EXPECT_TRUE(std::isinf(
      compare(filled<float>({2, 2, 1}, INFINITY), filled<float>({2, 2, 1}, -INFINITY)).max));
}

TEST(Compare, AnInfiniteDifferenceIsNoAgreement) {
  const Comparison found = compare(filled<float>({2, 2, 1}, NAN), filled<float>({2, 2, 1}, 1));
  EXPECT_TRUE(std::isinf(found.rms));
  EXPECT_EQ(found.psnr, -INFINITY);
}

TEST(Compare, IouOfMasks) {
  Image a = filled<std::uint8_t>({4, 1, 1}, 0);
  Image b = filled<std::uint8_t>({4, 1, 1}, 0);
  EXPECT_EQ(compare(a, b).iou, 1.0);
  a.mutable_row<std::uint8_t>(0)[0] = a.mutable_row<std::uint8_t>(0)[1] = 255;
  b.mutable_row<std::uint8_t>(0)[1] = b.mutable_row<std::uint8_t>(0)[2] =
      1;  // another value for "inside"
  EXPECT_NEAR(*compare(a, b).iou, 1.0 / 3, 1e-15);
  b.mutable_row<std::uint8_t>(0)[3] = 2;
  EXPECT_FALSE(compare(a, b).iou);
}

TEST(Compare, SlabsGiveTheSameAsTheWhole) {
  const Image a = filled<float>({5, 4, 3}, 1, 2);
  Image b = filled<float>({5, 4, 3}, 1, 2);
  b.mutable_row<float>(3, 1, 1)[4] = 2;
  b.mutable_row<float>(1, 2, 0)[2] = 3;
  Comparer comparer(a.description(), b.description(), 0);
  comparer.add(a.slices(0, 2), b.slices(0, 2), 0);
  comparer.add(a.slices(2, 3), b.slices(2, 3), 2);
  const Comparison parts = comparer.result();
  const Comparison whole = compare(a, b);
  EXPECT_EQ(parts.max, whole.max);
  EXPECT_EQ(parts.rms, whole.rms);
  ASSERT_TRUE(parts.first && whole.first);
  EXPECT_EQ(whole.first->channel, 0);
  EXPECT_EQ(parts.first->channel, 0);  // although slab 0 had a difference in channel 1
  EXPECT_EQ(parts.first->z, 2);
  EXPECT_EQ(parts.first->y, 1);
  EXPECT_EQ(parts.first->x, 2);
}

TEST(Compare, RefusesWhatDoesNotMatch) {
  EXPECT_THROW(compare(filled<float>({4, 3, 1}, 0), filled<float>({3, 4, 1}, 0)), InvalidArgument);
  EXPECT_THROW(compare(filled<float>({4, 3, 1}, 0, 2), filled<float>({4, 3, 1}, 0)),
               InvalidArgument);
  EXPECT_THROW(compare(filled<float>({4, 3, 1}, 0), filled<float>({4, 3, 1}, 0), -1),
               InvalidArgument);
  EXPECT_THROW(compare(filled<float>({4, 3, 1}, 0), filled<float>({4, 3, 1}, 0), NAN),
               InvalidArgument);
}

Description placed(double millimetres) {
  return {.shape = {11, 21, 1},
          .spacing = {.x = 2, .y = 3, .z = 4, .unit = Unit::millimetre},
          .placement = Placement{.origin = {millimetres, 0, 0},
                                 .step = {{{2, 0, 0}, {0, 3, 0}, {0, 0, 4}}},
                                 .axes = WorldAxes::lps}};
}

TEST(Compare, DisplacementIsInPixelsOfTheFirst) {
  EXPECT_EQ(displacement(placed(0), placed(0)), 0);
  EXPECT_EQ(displacement(placed(0), placed(5)), 2.5);
  Description here = placed(0), there = placed(5);
  here.placement->step[0] = there.placement->step[0] = {10, 0, 0};
  EXPECT_EQ(displacement(here, there), 5.0 / 3);  // rows lie closer than columns
  Description wider = placed(0);
  wider.placement->step[1] = {0, 3.5, 0};
  EXPECT_EQ(displacement(placed(0), wider), 5);  // at the far corners: 20 rows of 0.5 mm more
  Description metres = placed(0.005);
  metres.placement = metres.placement->scaled(1e-3);
  metres.placement->origin = {0.005, 0, 0};
  metres.spacing = {.x = 2e-3, .y = 3e-3, .z = 4e-3, .unit = Unit::metre};
  EXPECT_NEAR(displacement(placed(0), metres).value_or(-1), 2.5, 1e-12);
  Description turned = placed(0);
  turned.placement = turned.placement->in_axes(WorldAxes::ras);
  EXPECT_EQ(displacement(placed(0), turned), 0);  // the same place, written another way
}

TEST(Compare, DisplacementIsUnknownWithoutPlacesOrUnits) {
  Description nowhere = placed(0), pixels = placed(0);
  nowhere.placement.reset();
  pixels.spacing.unit = Unit::pixel;
  EXPECT_FALSE(displacement(placed(0), nowhere));
  EXPECT_FALSE(displacement(nowhere, placed(0)));
  EXPECT_FALSE(displacement(placed(0), pixels));
}

TEST(Compare, SpacingsAreComparedAsLengths) {
  Description metres = placed(0), finer = placed(0), taller = placed(0), pixels = placed(0);
  metres.spacing = {.x = 2e-3, .y = 3e-3, .z = 4e-3, .unit = Unit::metre};
  finer.spacing.y = 3.00001;
  taller.spacing.z = 5;
  pixels.spacing.unit = Unit::pixel;
  EXPECT_TRUE(has_same_spacing(placed(0), metres));
  EXPECT_FALSE(has_same_spacing(placed(0), finer));
  EXPECT_TRUE(has_same_spacing(placed(0), taller));  // of images of two axes
  EXPECT_FALSE(has_same_spacing(placed(0), pixels));
  Description volume = placed(0);
  volume.shape.z = taller.shape.z = 3;
  EXPECT_FALSE(has_same_spacing(volume, taller));
}

TEST(Compare, RefusesSlabsOfOtherImages) {
  const Description flat{.shape = {4, 6, 1}, .type = PixelType::u8};
  const auto expect_refused = [](const Description& whole, const Shape& a, const Shape& b,
                                 std::int64_t begin, int channels = 1) {
    Comparer comparer(whole, whole, 0);
    EXPECT_THROW(
        comparer.add(filled<std::uint8_t>(a, 1, channels), filled<std::uint8_t>(b, 1), begin),
        InvalidArgument)
        << to_string(a) << " " << to_string(b) << " " << begin;
  };
  Comparer(flat, flat, 0)
      .add(filled<std::uint8_t>({4, 2, 1}, 1), filled<std::uint8_t>({4, 2, 1}, 1), 4);
  expect_refused(flat, {4, 2, 1}, {4, 2, 1}, 5);
  expect_refused(flat, {4, 2, 1}, {4, 2, 1}, -1);
  expect_refused(flat, {3, 2, 1}, {3, 2, 1}, 0);
  expect_refused(flat, {4, 2, 1}, {4, 1, 1}, 0);
  expect_refused(flat, {4, 2, 2}, {4, 2, 2}, 0);
  expect_refused(flat, {4, 2, 1}, {4, 2, 1}, 0, 2);
  Description volume = flat;
  volume.shape.z = 3;
  Comparer(volume, volume, 0)
      .add(filled<std::uint8_t>({4, 6, 1}, 1), filled<std::uint8_t>({4, 6, 1}, 1), 2);
  expect_refused(volume, {4, 5, 1}, {4, 5, 1}, 0);
  expect_refused(volume, {4, 6, 2}, {4, 6, 2}, 2);
}

TEST(Compare, HearsItsControl) {
  const Image a = filled<float>({40, 30, 2}, 1), b = filled<float>({40, 30, 2}, 2);
  testing::expect_hears([&](const Control& control) { compare(a, b, 0, control); });
}

}  // namespace
}  // namespace meander
