// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "meander/convert.hpp"

namespace meander {
namespace {

/// Several rows and channels; each type in its own way of ordering bits.
Image noise(PixelType type) {
  Image image = Image::allocate({.shape = {173, 11, 2}, .channels = 2, .type = PixelType::f64});
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal(type == PixelType::u8 ? 100 : 0, 40);
  for (int c = 0; c < 2; ++c) {
    for (std::int64_t z = 0; z < 2; ++z) {
      for (std::int64_t y = 0; y < 11; ++y) {
        std::generate_n(image.mutable_row<double>(y, z, c), 173, [&] { return normal(random); });
      }
    }
  }
  return convert(image, {.type = type}).download();
}

std::vector<double> sorted(const Image& image) {
  std::vector<double> values;
  visit(image.type(), [&]<class T>(std::type_identity<T>) {
    for (int c = 0; c < image.channels(); ++c) {
      for (std::int64_t z = 0; z < image.shape().z; ++z) {
        for (std::int64_t y = 0; y < image.shape().y; ++y) {
          const T* row = image.row<T>(y, z, c);
          for (std::int64_t x = 0; x < image.shape().x; ++x) values.push_back(to_double(row[x]));
        }
      }
    }
  });
  std::sort(values.begin(), values.end());
  return values;
}

TEST(Window, OfEveryTypeIsThatOfItsSortedValues) {
  for (const PixelType type : all_pixel_types) {
    const Image image = noise(type);
    const std::vector<double> values = sorted(image);
    const std::size_t beyond = values.size() / 1000;  // 7 of 7612
    const double low = values[beyond], high = values[values.size() - 1 - beyond];
    const FoundWindow found = find_window(image);
    EXPECT_EQ(found.window, (std::array{low, high})) << name_of(type);
    EXPECT_EQ(found.range, (std::array{values.front(), values.back()})) << name_of(type);
    EXPECT_EQ(found.beyond,
              std::count_if(values.begin(), values.end(),
                            [&](double value) { return value < low || value > high; }))
        << name_of(type);
  }
}

TEST(Window, OfPartsIsThatOfTheWholeWhateverPasses) {
  for (const auto& [type, passes] : {std::pair(PixelType::u8, 1),
                                     {PixelType::f16, 1},
                                     {PixelType::f32, 2},
                                     {PixelType::f64, 4}}) {
    const Image image = noise(type);
    int calls = 0;
    const FoundWindow found = find_window(type, [&](const auto& add) {
      ++calls;
      add(image.rows(0, 4));
      add(image.rows(4, 11));
    });
    EXPECT_EQ(calls, passes);
    EXPECT_EQ(found.window, find_window(image).window);
  }
}

Image floats(const std::vector<float>& values) {
  Image image = Image::allocate({.shape = {static_cast<std::int64_t>(values.size()), 1, 1}});
  std::copy(values.begin(), values.end(), image.mutable_row<float>(0));
  return image;
}

TEST(Window, LeavesOutWhatIsNotFinite) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(find_window(floats({NAN, -inf, -2, 5, inf})).window, (std::array{-2.0, 5.0}));
  EXPECT_EQ(find_window(floats({NAN, inf})).window, (std::array{0.0, 0.0}));
}

TEST(Window, OfAPlainGroundIsTheRange) {
  std::vector<float> values(5000, 3);
  values[7] = 9;
  const FoundWindow found = find_window(floats(values));
  EXPECT_EQ(found.window, (std::array{3.0, 9.0}));
  EXPECT_EQ(found.beyond, 0);
  EXPECT_FALSE(found.is_range_of_few());
}

TEST(Window, FewPixelsHoldTheRangeWhenItIsMoreThanTwiceTheirs) {
  std::vector<float> values(5000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 101);
  EXPECT_FALSE(find_window(floats(values)).is_range_of_few());
  values[17] = 200;
  EXPECT_FALSE(find_window(floats(values)).is_range_of_few());
  values[17] = 201;
  EXPECT_TRUE(find_window(floats(values)).is_range_of_few());
}

TEST(Window, TextsOfOptions) {
  using Text = OptionText<ValueWindow>;
  for (const char* text : {"auto", "-3,4.5"}) EXPECT_EQ(Text::format(Text::parse(text)), text);
  for (const char* text : {"", "range", "5", "5,5", "6,5", "nan,1", "0,inf", "1,2,3"}) {
    EXPECT_THROW(Text::parse(text), InvalidArgument) << text;
  }
}

/// Ties go to even: -0.5 becomes 0, 255.5 would become 256.
TEST(Window, SaturatedNumbersAreCounted) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const Image image = floats({-inf, -0.6F, -0.5F, 0, 255, 255.4F, 255.5F, 256, inf, NAN});
  EXPECT_EQ(count_saturated(image, {.type = PixelType::u8}), 5);
  EXPECT_EQ(count_saturated(image, {.type = PixelType::i16}), 2);
  EXPECT_EQ(count_saturated(image, {.type = PixelType::f16}), 0);
  EXPECT_EQ(count_saturated(image, {.type = PixelType::u8, .window = {{0, 1}}}), 8);
  EXPECT_EQ(count_saturated(floats({0, 255.4F}), {.type = PixelType::u8}), 0);
  EXPECT_EQ(count_nan(floats({0, NAN, INFINITY, -1, NAN, NAN})), 3);
  EXPECT_EQ(count_nan(floats({0, INFINITY})), 0);
}

}  // namespace
}  // namespace meander
