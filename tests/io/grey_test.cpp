// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>
#include <limits>

#include "io_testing.hpp"

/// Colours as one channel, and pixels of a size that is given.
namespace meander::io {
namespace {

/// Values that are not symmetric in the channels, in three axes.
template <class T>
Image colours(int channels, const Shape& shape = {5, 4, 3}) {
  Image image = Image::allocate({shape, channels, pixel_type_of<T>(), {}});
  for (int c = 0; c < channels; ++c) {
    for (std::int64_t z = 0; z < shape.z; ++z) {
      for (std::int64_t y = 0; y < shape.y; ++y) {
        for (std::int64_t x = 0; x < shape.x; ++x) {
          const auto value = double((x * 7 + y * 31 + z * 3 + c * (40 + 9 * x)) % 200);
          image.mutable_row<T>(y, z, c)[x] = from_double<T>(value);
        }
      }
    }
  }
  return image;
}

struct Start {
  std::int64_t x = 0, y = 0, z = 0;
};

double at(const Image& image, std::int64_t x, std::int64_t y, std::int64_t z, int c = 0) {
  return visit(image.type(),
               [&]<class T>(std::type_identity<T>) { return to_double(image.row<T>(y, z, c)[x]); });
}

template <class Expected>
void expect_greys(const Image& grey, const Image& image, const Start& from, double error,
                  const Expected& expected) {
  ASSERT_EQ(grey.channels(), 1);
  ASSERT_EQ(grey.type(), image.type());
  for (std::int64_t z = 0; z < grey.shape().z; ++z) {
    for (std::int64_t y = 0; y < grey.shape().y; ++y) {
      for (std::int64_t x = 0; x < grey.shape().x; ++x) {
        const auto channel = [&](int c) {
          return at(image, from.x + x, from.y + y, from.z + z, c);
        };
        EXPECT_NEAR(at(grey, x, y, z), expected(channel(0), channel(1), channel(2)), error);
      }
    }
  }
}

using Formula = double (*)(double, double, double);
const std::pair<Grey, Formula> greys[] = {
    {Grey::luminance,
     [](double r, double g, double b) { return 0.2126 * r + 0.7152 * g + 0.0722 * b; }},
    {Grey::red, [](double r, double, double) { return r; }},
    {Grey::green, [](double, double g, double) { return g; }},
    {Grey::blue, [](double, double, double b) { return b; }},
    {Grey::max,
     [](double r, double g, double b) {
       return std::max({r, g, b});
     }},
    {Grey::mean, [](double r, double g, double b) { return (r + g + b) / 3; }}};

TEST(GreyOfReader, IsMadeOfEachPixelOfSlabsAndParts) {
  const Folder folder;
  const Image bytes = colours<std::uint8_t>(3), floats = colours<float>(3);
  for (const Image& image : {bytes, floats}) {
    write(folder / "a.npy", image);
    // Integers are rounded once; float32 keeps 24 bits of what is below 200.
    const double error = is_integer(image.type()) ? 0.5 + 1e-9 : 200 * 0x1p-24;
    for (const auto& [grey, formula] : greys) {
      Reader reader(folder / "a.npy", {.roi = Roi{1, 2, 5, 4}, .grey = grey});
      EXPECT_EQ(reader.description().channels, 1);
      EXPECT_EQ(reader.whole_channels(), 3);
      expect_greys(reader.read(), image, {.x = 1, .y = 2}, error, formula);
      expect_greys(reader.slab(2, 3), image, {.x = 1, .y = 2, .z = 2}, error, formula);
    }
  }
}

TEST(GreyOfReader, LeavesGreyAsItIsAndOpacityOut) {
  const Folder folder;
  const Image grey = colours<std::uint8_t>(1, {5, 4, 1});
  write(folder / "a.npy", grey);
  EXPECT_TRUE(same_pixels(read(folder / "a.npy", {.grey = Grey::blue}), grey));
  if (!can_hold("a.png", PixelType::u8)) GTEST_SKIP() << "this build has no PNG";
  const Image pair = colours<std::uint8_t>(2, {5, 4, 1});
  write(folder / "a.png", pair);
  EXPECT_TRUE(same_pixels(read(folder / "a.png", {.grey = Grey::max}), pair.channel(0)));
  const Image four = colours<std::uint8_t>(4, {5, 4, 1});
  for (const std::string name : {"b.png", "b.tif"}) {
    if (!can_hold(name, PixelType::u8)) continue;
    write(folder / name, four);
    expect_greys(read(folder / name, {.grey = Grey::max}), four, {}, 0,
                 [](double r, double g, double b) {
                   return std::max({r, g, b});
                 });
  }
}

TEST(GreyOfReader, TakesOtherChannelsForMaxAndMeanOnly) {
  const Folder folder;
  const Image two = colours<double>(2, {5, 4, 1});
  write(folder / "a.npy", two);
  const ReadOptions mean{.channels_last = true, .grey = Grey::mean};
  const Image found = read(folder / "a.npy", mean);
  EXPECT_EQ(at(found, 3, 2, 0), (at(two, 3, 2, 0, 0) + at(two, 3, 2, 0, 1)) / 2);
  for (const Grey grey : {Grey::luminance, Grey::red}) {
    const auto fault =
        thrown_by([&] { Reader(folder / "a.npy", {.channels_last = true, .grey = grey}); });
    EXPECT_EQ(fault.kind, "InvalidArgument");
    EXPECT_NE(fault.text.find("a.npy: found 2 channels"), std::string::npos) << fault.text;
  }
  const auto both = thrown_by(
      [&] { Reader(folder / "a.npy", {.channels_last = true, .channel = 0, .grey = Grey::max}); });
  EXPECT_EQ(both.kind, "InvalidArgument");
}

TEST(GreyOfReader, KeepsNanInMax) {
  const Folder folder;
  Image image = colours<float>(3, {2, 2, 1});
  image.mutable_row<float>(0, 0, 0)[0] = std::numeric_limits<float>::quiet_NaN();
  image.mutable_row<float>(0, 0, 2)[1] = std::numeric_limits<float>::quiet_NaN();
  write(folder / "a.npy", image);
  const Image found = read(folder / "a.npy", {.channels_last = true, .grey = Grey::max});
  EXPECT_TRUE(std::isnan(at(found, 0, 0, 0)) && std::isnan(at(found, 1, 0, 0)));
  EXPECT_FALSE(std::isnan(at(found, 0, 1, 0)));
}

TEST(SpacingOfReader, TakesThePlaceOfTheFilesAndScalesThePlacement) {
  const Folder folder;
  Description description{{5, 4, 3}, 1, PixelType::u8, {0.5, 0.5, 2, Unit::millimetre}};
  description.placement = Placement{.origin = {10, -20, 30},
                                    .step = {{{0, 0.5, 0}, {-0.5, 0, 0}, {0, 0, 2}}},
                                    .axes = WorldAxes::lps};
  write(folder / "a.nrrd", random_image(description));
  const Spacing wanted{250, 500, 1000, Unit::micrometre};
  const Description found =
      Reader(folder / "a.nrrd", {.roi = Roi{2, 0, 5, 4}, .spacing = wanted}).description();
  EXPECT_EQ(found.spacing, wanted);
  ASSERT_TRUE(found.placement);
  // Two steps of x into the image, which lead along y in the world.
  const Placement::Vector origin{10000, -20000 + 2 * 250, 30000};
  const std::array<Placement::Vector, 3> steps = {{{0, 250, 0}, {-500, 0, 0}, {0, 0, 1000}}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.placement->origin[i], origin[i], 1e-8);
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(found.placement->step[i][j], steps[i][j], 1e-10);
  }
}

}  // namespace
}  // namespace meander::io
