// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/image.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "control_testing.hpp"
#include "meander/device.hpp"

namespace meander {
namespace {

TEST(Description, CountsAndRefusesWhatCannotBe) {
  EXPECT_EQ((Description{.shape = {3, 4, 5}, .channels = 2, .type = PixelType::u16}.bytes()), 240);
  EXPECT_THROW((Description{.shape = {0, 4, 5}}.numbers()), InvalidArgument);
  EXPECT_THROW((Description{.shape = {4, -1, 5}}.numbers()), InvalidArgument);
  EXPECT_THROW((Description{.shape = {4, 4, 4}, .channels = 0}.numbers()), InvalidArgument);
  EXPECT_THROW((Description{.shape = {INT64_MAX, 2, 1}}.numbers()), InvalidArgument);
  EXPECT_THROW((Description{.shape = {INT64_MAX / 4, 1, 1}, .type = PixelType::f64}.bytes()),
               InvalidArgument);
}

TEST(Image, RowsLieOn64ByteBoundaries) {
  const Image image = Image::allocate({.shape = {13, 3, 2}, .channels = 2, .type = PixelType::u16});
  EXPECT_EQ(image.pitch().row, 64);
  EXPECT_EQ(image.pitch().slice, 3 * 64);
  EXPECT_EQ(image.pitch().channel, 6 * 64);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(image.row<std::uint16_t>(1, 1, 1)) % 64, 0u);
}

/// Each pixel holds its own coordinates, so a wrong stride cannot hide.
Image numbered(const Shape& shape, int channels) {
  Image image = Image::allocate({.shape = shape, .channels = channels, .type = PixelType::u16});
  for (int c = 0; c < channels; ++c) {
    for (std::int64_t z = 0; z < shape.z; ++z) {
      for (std::int64_t y = 0; y < shape.y; ++y) {
        for (std::int64_t x = 0; x < shape.x; ++x) {
          image.mutable_row<std::uint16_t>(y, z, c)[x] =
              static_cast<std::uint16_t>(1000 * c + 100 * z + 10 * y + x);
        }
      }
    }
  }
  return image;
}

TEST(Image, ViewsShareThePixels) {
  Image image = numbered({5, 4, 3}, 2);
  const Image part = image.channel(1).slices(1, 3).rows(2, 4);
  EXPECT_EQ(part.shape(), (Shape{5, 2, 2}));
  EXPECT_EQ(part.channels(), 1);
  EXPECT_EQ(part.row<std::uint16_t>(1, 1)[4], 1234);
  image.mutable_row<std::uint16_t>(3, 2, 1)[4] = 7;
  EXPECT_EQ(part.row<std::uint16_t>(1, 1)[4], 7);
}

TEST(Image, CloneDoesNotShare) {
  Image image = numbered({5, 4, 3}, 2);
  const Image copy = image.clone().download();
  image.mutable_row<std::uint16_t>(0)[0] = 9;
  EXPECT_EQ(copy.row<std::uint16_t>(0)[0], 0);
  EXPECT_EQ(copy.row<std::uint16_t>(3, 2, 1)[4], 1234);
}

TEST(Image, RefusesWrongTypeAndPlace) {
  const Image image = numbered({5, 4, 3}, 2);
  EXPECT_THROW(image.row<float>(0), InvalidArgument);
  EXPECT_THROW(image.row<std::uint16_t>(4), InvalidArgument);
  EXPECT_THROW(image.row<std::uint16_t>(0, -1), InvalidArgument);
  EXPECT_THROW(image.row<std::uint16_t>(0, 0, 2), InvalidArgument);
  EXPECT_THROW(image.channel(2), InvalidArgument);
  EXPECT_THROW(image.slices(1, 1), InvalidArgument);
  EXPECT_THROW(image.rows(0, 5), InvalidArgument);
  EXPECT_THROW(Image().shape(), InvalidArgument);
}

TEST(Image, WrapsForeignMemoryWithAnyPitch) {
  std::vector<float> memory(3 * 7 + 2);
  memory[7 + 4] = 5;
  const Image image =
      Image::wrap(memory.data(), {.shape = {5, 3, 1}}, {.row = 28, .slice = 84, .channel = 84});
  EXPECT_EQ(image.row<float>(1)[4], 5);
  EXPECT_EQ(image.row<float>(2), memory.data() + 14);
}

TEST(Image, RefusesPitchThatOverlapsOrIsUnaligned) {
  std::vector<float> memory(64);
  const Description description{.shape = {5, 3, 2}};
  EXPECT_THROW(Image::wrap(memory.data(), description, {.row = 16, .slice = 60, .channel = 120}),
               InvalidArgument);
  EXPECT_THROW(Image::wrap(memory.data(), description, {.row = 22, .slice = 66, .channel = 132}),
               InvalidArgument);
  EXPECT_THROW(Image::wrap(memory.data(), description, {.row = 20, .slice = 40, .channel = 80}),
               InvalidArgument);
  EXPECT_THROW(Image::wrap(nullptr, description, {.row = 20, .slice = 60, .channel = 120}),
               InvalidArgument);
}

TEST(Image, WrappedMemoryLivesAsLongAsAnyHandle) {
  auto owner = std::make_shared<std::vector<float>>(4, 1.0f);
  const std::weak_ptr<void> watch = owner;
  Image view;
  {
    const Image image = Image::wrap(owner->data(), {.shape = {2, 2, 1}},
                                    {.row = 8, .slice = 16, .channel = 16}, owner);
    view = image.rows(1, 2);
  }
  owner.reset();
  EXPECT_FALSE(watch.expired());
  view = Image();
  EXPECT_TRUE(watch.expired());
}

TEST(Field, NeedsOneComponentPerAxis) {
  EXPECT_EQ(Field(numbered({5, 4, 3}, 3)).component(2).row<std::uint16_t>(0)[1], 2001);
  EXPECT_EQ(Field(numbered({5, 4, 1}, 2)).dimensions(), 2);
  EXPECT_THROW(Field(numbered({5, 4, 3}, 2)), InvalidArgument);
  EXPECT_THROW(Field(numbered({5, 4, 1}, 1)), InvalidArgument);
}

TEST(Unit, SpellingsOfOthersAreUnderstood) {
  for (const char* micro : {"um", "\u00b5m", "\u03bcm", "micron", "\\u00B5m"}) {
    EXPECT_EQ(unit_named(micro), Unit::micrometre) << micro;
  }
  EXPECT_EQ(unit_named("furlong"), std::nullopt);
  EXPECT_EQ(metres_per(Unit::micrometre), 1e-6);
}

TEST(Image, CloneHearsItsControl) {
  const Image image = Image::allocate({.shape = {300, 200, 3}, .type = PixelType::u8});
  testing::expect_hears([&](const Control& control) { image.clone(control); });
}

}  // namespace
}  // namespace meander
