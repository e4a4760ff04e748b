// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "contour/geometry/bits_testing.hpp"
#include "meander/device.hpp"
#include "meander/phantom.hpp"

/// Masks to outlines and outlines to masks. What is expected comes from flood fill, pixel by pixel.
namespace meander {
namespace {

using phantoms::Purpose;
using phantoms::UniformSequence;
using testing::Bits;
using testing::bits_of;
using testing::blank_mask;
using testing::drawn_below;
using testing::expect_tidy;
using testing::flood;
using testing::height_of;
using testing::image_of;
using testing::random_bits;
using testing::width_of;
using testing::winding_number;

Bits painted(const std::vector<Polygon>& outlines, std::int64_t width, std::int64_t height) {
  Image mask = blank_mask(width, height);
  fill_mask(outlines, mask, 0);
  return bits_of(mask);
}

/// The largest part, the first of equals, with its holes filled.
Bits largest_part_of(const Bits& bits) {
  Bits work = bits;
  std::int64_t largest = 0;
  GridPoint start{};
  for (std::int64_t y = 0; y < height_of(bits); ++y) {
    for (std::int64_t x = 0; x < width_of(bits); ++x) {
      const std::int64_t size = flood(work, x, y, '#', '*', false);
      if (size > largest) largest = size, start = {x, y};
    }
  }
  // With a frame of background all of it that is not a hole hangs together.
  Bits framed{std::string(bits[0].size() + 2, '.')};
  for (const std::string& row : bits) framed.push_back("." + row + ".");
  framed.push_back(framed[0]);
  flood(framed, start.x + 1, start.y + 1, '#', 'P', false);
  for (std::string& row : framed) {
    for (char& c : row) c = c == 'P' ? 'P' : '.';
  }
  flood(framed, 0, 0, '.', 'o', true);
  Bits part;
  for (std::int64_t y = 0; y < height_of(bits); ++y) {
    std::string& row =
        part.emplace_back(framed[static_cast<std::size_t>(y + 1)].substr(1, bits[0].size()));
    for (char& c : row) c = c == 'o' ? '.' : '#';
  }
  return part;
}

bool all_zero(const Bits& bits) {
  return std::all_of(bits.begin(), bits.end(),
                     [](const std::string& row) { return row.find('#') == std::string::npos; });
}

TEST(OutlineOfMask, OnePixelIsADiamond) {
  const Polygon diamond{{{256, 128}, {384, 256}, {256, 384}, {128, 256}}};
  EXPECT_EQ(outline_of_mask(image_of({"...", ".#.", "..."})), diamond);
  const Polygon alone{{{0, -128}, {128, 0}, {0, 128}, {-128, 0}}};
  EXPECT_EQ(outline_of_mask(image_of({"#"})), alone);
}

TEST(OutlineOfMask, StraightLinesHaveNoVerticesInside) {
  EXPECT_EQ(outline_of_mask(image_of({".....", ".###.", ".###.", "....."})).vertices.size(), 8u);
  // A staircase is one straight line too.
  EXPECT_EQ(
      outline_of_mask(image_of({"#....", "##...", "###..", "####.", "#####"})).vertices.size(), 6u);
}

TEST(OutlineOfMask, PixelsThatMeetByCornersAreTwoParts) {
  EXPECT_EQ(painted({outline_of_mask(image_of({"##..", "##..", "..##", "..#."}))}, 4, 4),
            (Bits{"##..", "##..", "....", "...."}));
  // Of equals the first one by row, then column.
  EXPECT_EQ(painted({outline_of_mask(image_of({".#", "#."}))}, 2, 2), (Bits{".#", ".."}));
  EXPECT_EQ(painted({outline_of_mask(image_of({"#.#", "..."}))}, 3, 2), (Bits{"#..", "..."}));
}

TEST(OutlineOfMask, HolesAreFilledButBaysAreNot) {
  EXPECT_EQ(painted({outline_of_mask(image_of({"####", "#..#", "#.##", "####"}))}, 4, 4),
            (Bits{"####", "####", "####", "####"}));
  // The opening is a corner: background hangs together by corners.
  const Bits bay{"####", "#.##", "##.#", "###."};
  EXPECT_EQ(painted({outline_of_mask(image_of(bay))}, 4, 4), bay);
}

TEST(OutlineOfMask, RandomMasksComeBackAsTheirLargestPart) {
  UniformSequence random(11, 0, Purpose::geometry);
  for (int round = 0; round < 1500; ++round) {
    const std::int64_t width = 1 + drawn_below(24, random), height = 1 + drawn_below(18, random);
    const Bits bits = random_bits(random, width, height, 0.2 + 0.75 * random.next());
    if (all_zero(bits)) continue;
    const Polygon outline = outline_of_mask(image_of(bits));
    expect_tidy(outline);
    EXPECT_GT(outline.signed_area(), 0);
    ASSERT_EQ(painted({outline}, width, height), largest_part_of(bits)) << round;
    if (HasFatalFailure()) return;
  }
}

TEST(OutlineOfMask, PartsThatMeetLateAreOne) {
  // Arms that begin apart and join rows later, in both orders; spirals.
  for (const Bits& bits :
       {Bits{"#.#.#.#", "#.#.#.#", "#.#.###", "#.#....", "#.#####", "#......", "#######"},
        Bits{"#######", "#.....#", "#.###.#", "#.#.#.#", "#.#...#", "#.#####", "......."},
        Bits{"..#..", ".#.#.", "#...#", ".#.#.", "..#.."}}) {
    EXPECT_EQ(painted({outline_of_mask(image_of(bits))}, width_of(bits), height_of(bits)),
              largest_part_of(bits));
  }
}

TEST(OutlineOfMask, EveryPixelTypeAndPitch) {
  const Bits bits{".....", ".##..", "..##.", "....#"};
  const Polygon expected = outline_of_mask(image_of(bits));
  for (const PixelType type : all_pixel_types) {
    EXPECT_EQ(outline_of_mask(image_of(bits, type)), expected) << name_of(type);
  }
  Image signs = image_of(bits, PixelType::f32);
  signs.mutable_row<float>(0)[0] = -0.0F;
  signs.mutable_row<float>(1)[1] = -1.0F;
  signs.mutable_row<float>(2)[2] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(outline_of_mask(signs), expected);
  Image halves = image_of(bits, PixelType::f16);
  halves.mutable_row<Half>(0)[0] = Half{0x8000};
  EXPECT_EQ(outline_of_mask(halves), expected);
}

TEST(OutlineOfMask, PhantomsComeBackExactly) {
  // The tips of a star's points hang together by corners alone, they are left out.
  for (const PhantomKind kind : {PhantomKind::star, PhantomKind::ushape, PhantomKind::blobs}) {
    const Image truth = Phantom({.kind = kind, .size = {301, 257, 1}}).truth_slab(0, 257);
    const Polygon outline = outline_of_mask(truth);
    expect_tidy(outline);
    EXPECT_TRUE(painted({outline}, 301, 257) == largest_part_of(bits_of(truth)));
  }
}

TEST(OutlineOfMask, WrongMasksAreRefused) {
  EXPECT_THROW(outline_of_mask(blank_mask(5, 4)), InvalidArgument);
  EXPECT_THROW(outline_of_mask(Image::allocate({.shape = {4, 4, 2}, .type = PixelType::u8})),
               InvalidArgument);
  EXPECT_THROW(
      outline_of_mask(Image::allocate({.shape = {4, 4, 1}, .channels = 2, .type = PixelType::u8})),
      InvalidArgument);
  EXPECT_THROW(outline_of_mask(blank_mask(largest_coordinate + 1, 1)), InvalidArgument);
}

TEST(FillMask, EqualsTheOddWindingNumberInAnySlabs) {
  UniformSequence random(12, 0, Purpose::geometry);
  constexpr std::int64_t width = 23, height = 300;  // more rows than a band has
  for (int round = 0; round < 60; ++round) {
    std::vector<Polygon> outlines(1 + static_cast<std::size_t>(drawn_below(3, random)));
    for (Polygon& outline : outlines) {
      const std::int64_t unit = round % 2 == 0 ? 128 : 1;
      for (std::int64_t i = drawn_below(9, random); i >= 0; --i) {
        outline.vertices.push_back({(drawn_below(30 * 256, random) - 900) / unit * unit,
                                    (drawn_below(330 * 256, random) - 3000) / unit * unit});
      }
    }
    Bits expected(height, std::string(width, '.'));
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        for (const Polygon& outline : outlines) {
          const bool inside = winding_number(outline, x, y) % 2 != 0;
          if (inside) expected[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = '#';
        }
      }
    }
    ASSERT_EQ(painted(outlines, width, height), expected) << round;
    const std::int64_t cut = 1 + drawn_below(height - 1, random);
    Image lower = blank_mask(width, height - cut);
    fill_mask(outlines, lower, cut);
    ASSERT_EQ(bits_of(lower), Bits(expected.begin() + cut, expected.end())) << round;
  }
}

TEST(FillMask, NoOutlineIsNoPixelAndOldPixelsGo) {
  Image mask = image_of({"###", "###"});
  fill_mask(std::vector<Polygon>(), mask, 0);
  EXPECT_EQ(bits_of(mask), (Bits{"...", "..."}));
}

TEST(FillMask, SameForAnyNumberOfThreads) {
  const std::vector<Polygon> outlines =
      Phantom({.kind = PhantomKind::blobs, .size = {400, 700, 1}, .seed = 3}).outlines();
  set_threads(1);
  const Bits alone = painted(outlines, 400, 700);
  set_threads(3);
  EXPECT_EQ(painted(outlines, 400, 700), alone);
  set_threads(0);
  EXPECT_EQ(alone, bits_of(Phantom({.kind = PhantomKind::blobs, .size = {400, 700, 1}, .seed = 3})
                               .truth_slab(0, 700)));
}

TEST(FillMask, WrongSlabsAndOutlinesAreRefused) {
  const std::vector<Polygon> box{box_outline(0, 0, 3, 3)};
  Image wide = Image::allocate({.shape = {4, 4, 1}, .type = PixelType::u16});
  EXPECT_THROW(fill_mask(box, wide, 0), InvalidArgument);
  Image volume = Image::allocate({.shape = {4, 4, 2}, .type = PixelType::u8});
  EXPECT_THROW(fill_mask(box, volume, 0), InvalidArgument);
  Image good = blank_mask(4, 4);
  EXPECT_THROW(fill_mask(box, good, -1), InvalidArgument);
  const std::vector<Polygon> far{{{{0, 0}, {std::int64_t{1} << 29, 0}, {0, 512}}}};
  EXPECT_THROW(fill_mask(far, good, 0), InvalidArgument);
}

TEST(Mask, WorkStopsOnRequest) {
  std::stop_source source;
  source.request_stop();
  const Control stopped{.stop = source.get_token()};
  Image mask = image_of({"##", "##"});
  EXPECT_THROW(outline_of_mask(mask, stopped), Cancelled);
  EXPECT_THROW(fill_mask(std::vector<Polygon>(), mask, 0, stopped), Cancelled);
}

TEST(Mask, ProgressNeverFallsAndEndsAtOne) {
  double last = 0;
  int calls = 0;
  const Control watched{.progress = [&](double fraction) {
    EXPECT_GE(fraction, last);
    last = fraction, ++calls;
  }};
  Image mask = blank_mask(3, 5000);
  const std::vector<Polygon> box{box_outline(0.5, 10, 1.5, 4900)};
  fill_mask(box, mask, 0, watched);
  EXPECT_EQ(last, 1);
  EXPECT_GT(calls, 2);
  for (std::int64_t y = 0; y < 5000; ++y) {
    ASSERT_EQ(mask.row<std::uint8_t>(y)[1], y >= 10 && y < 4900 ? 255 : 0) << y;
  }
  last = 0, calls = 0;
  outline_of_mask(mask, watched);
  EXPECT_EQ(last, 1);
  EXPECT_GT(calls, 2);
}

}  // namespace
}  // namespace meander
