// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "contour/geometry/bits_testing.hpp"
#include "contour/geometry/segments.hpp"
#include "meander/device.hpp"
#include "meander/phantom.hpp"

/// Regions with holes of masks and labels and back. What is expected comes from flood fill.
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

Bits painted(const std::vector<Region>& regions, std::int64_t width, std::int64_t height) {
  Image mask = blank_mask(width, height);
  fill_mask(regions, mask, 0);
  return bits_of(mask);
}

/// A mask and the number of holes of each of its parts, in the order of their first pixels.
struct CountedParts {
  std::vector<Bits> parts;
  std::vector<std::size_t> holes;
};
CountedParts parts_by_flood(const Bits& bits) {
  CountedParts found;
  Bits work = bits;
  for (std::int64_t y = 0; y < height_of(bits); ++y) {
    for (std::int64_t x = 0; x < width_of(bits); ++x) {
      if (flood(work, x, y, '#', 'P', false) == 0) continue;
      Bits part = work;
      for (std::string& row : part) {
        for (char& c : row) c = c == 'P' ? '#' : '.';
      }
      for (std::string& row : work) std::replace(row.begin(), row.end(), 'P', '.');
      // With a frame of background all of it that is not a hole hangs together.
      Bits framed{std::string(bits[0].size() + 2, '.')};
      for (const std::string& row : part) framed.push_back("." + row + ".");
      framed.push_back(framed[0]);
      flood(framed, 0, 0, '.', 'o', true);
      std::size_t holes = 0;
      for (std::int64_t v = 0; v < height_of(framed); ++v) {
        for (std::int64_t u = 0; u < width_of(framed); ++u)
          holes += flood(framed, u, v, '.', 'o', true) > 0 ? 1 : 0;
      }
      found.parts.push_back(part);
      found.holes.push_back(holes);
    }
  }
  return found;
}

std::vector<contour::ContourEdge> edges_of(const Polygon& ring) {
  std::vector<contour::ContourEdge> edges;
  const std::size_t count = ring.vertices.size();
  for (std::size_t i = 0; i < count; ++i)
    edges.push_back({ring.vertices[i], ring.vertices[(i + 1) % count]});
  return edges;
}

bool any_touch(const Polygon& a, const Polygon& b) {
  for (const auto& first : edges_of(a)) {
    for (const auto& second : edges_of(b)) {
      if (contour::touch(first, second)) return true;
    }
  }
  return false;
}

/// All rings are simple, of the right sign, and, of however many regions, none touches another.
void expect_apart(const std::vector<Region>& regions) {
  std::vector<Polygon> rings;
  for (const Region& region : regions) {
    ASSERT_GT(region.outer.signed_area(), 0);
    rings.push_back(region.outer);
    for (const Polygon& hole : region.holes) {
      ASSERT_LT(hole.signed_area(), 0);
      rings.push_back(hole);
    }
  }
  for (std::size_t i = 0; i < rings.size(); ++i) {
    expect_tidy(rings[i]);
    ASSERT_TRUE(is_simple(rings[i]));
    for (std::size_t k = 0; k < i; ++k) ASSERT_FALSE(any_touch(rings[i], rings[k]));
  }
}

void expect_regions_of(const Bits& bits) {
  const std::int64_t width = width_of(bits), height = height_of(bits);
  const std::vector<Region> regions = regions_of_mask(image_of(bits));
  ASSERT_EQ(painted(regions, width, height), bits);
  expect_apart(regions);
  const CountedParts expected = parts_by_flood(bits);
  ASSERT_EQ(regions.size(), expected.parts.size());
  for (std::size_t i = 0; i < regions.size(); ++i) {
    ASSERT_EQ(painted({regions[i]}, width, height), expected.parts[i]) << i;
    ASSERT_EQ(regions[i].holes.size(), expected.holes[i]) << i;
  }
}

TEST(RegionsOfMask, ARingHasAHole) {
  const auto regions = regions_of_mask(image_of({"....", "###.", "#.#.", "###."}));
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].outer, outline_of_mask(image_of({"....", "###.", "#.#.", "###."})));
  // Seen from the part the hole is on the left: reversed, from the top.
  const Polygon hole{{{256, 384}, {128, 512}, {256, 640}, {384, 512}}};
  EXPECT_EQ(regions[0].holes, std::vector<Polygon>{hole});
  // Corners are cut: four of 1/8 pixel outside, a diamond of 1/2 pixel inside.
  EXPECT_EQ(regions[0].area(), 9 - 4 * 0.125 - 0.5);
  EXPECT_DOUBLE_EQ(regions[0].perimeter(), 4 * (2 + std::sqrt(0.5)) + 4 * std::sqrt(0.5));
}

TEST(RegionsOfMask, PartsAndHolesInOneAnother) {
  // A dot in a ring in a ring; pixels of a hole that meet by corners; a bay that opens by a corner.
  expect_regions_of({"#######", "#.....#", "#.###.#", "#.#.#.#", "#.###.#", "#.....#", "#######"});
  expect_regions_of({"####", "#.##", "##.#", "####"});
  expect_regions_of({"####", "#.##", "##.#", "###."});
  expect_regions_of({"#.#", ".#.", "#.#"});
  expect_regions_of({".#.", "#.#", ".#."});
  expect_regions_of({"#"});
  expect_regions_of({"##", "##"});
}

TEST(RegionsOfMask, RandomMasksComeBackPartByPart) {
  UniformSequence random(21, 0, Purpose::geometry);
  for (int round = 0; round < 2000; ++round) {
    const std::int64_t width = 1 + drawn_below(14, random), height = 1 + drawn_below(12, random);
    expect_regions_of(random_bits(random, width, height, 0.02 * (1 + round % 50)));
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

TEST(RegionsOfMask, EverySmallMask) {
  for (unsigned pattern = 0; pattern < 4096; ++pattern) {
    Image mask = blank_mask(4, 3);
    for (unsigned i = 0; i < 12; ++i)
      mask.mutable_row<std::uint8_t>(i / 4)[i % 4] = (pattern >> i & 1) != 0 ? 255 : 0;
    const std::vector<Region> regions = regions_of_mask(mask);
    Image again = blank_mask(4, 3);
    fill_mask(regions, again, 0);
    ASSERT_EQ(bits_of(again), bits_of(mask));
  }
}

TEST(RegionsOfMask, NoneOfAnEmptyMaskAndEveryType) {
  EXPECT_TRUE(regions_of_mask(blank_mask(5, 4)).empty());
  const Bits bits{".....", ".###.", ".#.##", ".####"};
  const auto expected = regions_of_mask(image_of(bits));
  for (const PixelType type : all_pixel_types) {
    EXPECT_EQ(regions_of_mask(image_of(bits, type)), expected) << name_of(type);
  }
  Image odd = image_of(bits, PixelType::f32);
  odd.mutable_row<float>(0)[0] = -0.0F;
  odd.mutable_row<float>(1)[1] = std::numeric_limits<float>::quiet_NaN();
  odd.mutable_row<float>(1)[2] = -1.5F;
  EXPECT_EQ(regions_of_mask(odd), expected);
}

TEST(RegionsOfMask, WrongMasksAreRefused) {
  EXPECT_THROW(regions_of_mask(Image::allocate({.shape = {4, 4, 2}, .type = PixelType::u8})),
               InvalidArgument);
  EXPECT_THROW(regions_of_labels(
                   Image::allocate({.shape = {4, 4, 1}, .channels = 2, .type = PixelType::u8})),
               InvalidArgument);
  EXPECT_THROW(regions_of_mask(blank_mask(largest_coordinate + 1, 1)), InvalidArgument);
}

/// Digits are labels, '.' is 0.
Image labels_of(const Bits& rows, PixelType type = PixelType::u16) {
  Image labels = Image::allocate({.shape = {width_of(rows), height_of(rows), 1}, .type = type});
  visit(type, [&]<class T>(std::type_identity<T>) {
    for (std::int64_t y = 0; y < height_of(rows); ++y) {
      const std::string& row = rows[static_cast<std::size_t>(y)];
      for (std::size_t x = 0; x < row.size(); ++x)
        labels.mutable_row<T>(y)[x] = from_double<T>(row[x] == '.' ? 0 : row[x] - '0');
    }
  });
  return labels;
}

Bits digits_of(const Image& labels) {
  Bits rows;
  for (std::int64_t y = 0; y < labels.shape().y; ++y) {
    std::string& row = rows.emplace_back();
    for (std::int64_t x = 0; x < labels.shape().x; ++x) {
      const int value = labels.row<std::uint16_t>(y)[x];
      row += value == 0 ? '.' : static_cast<char>('0' + value);
    }
  }
  return rows;
}

TEST(RegionsOfLabels, EveryPartOfEveryLabelByLabelAndPlace) {
  const Bits rows{"3311.3", "3211..", "3333.."};
  const auto regions = regions_of_labels(labels_of(rows));
  ASSERT_EQ(regions.size(), 4u);
  std::vector<std::int64_t> labels;
  for (const auto& part : regions) labels.push_back(part.label);
  EXPECT_EQ(labels, (std::vector<std::int64_t>{1, 2, 3, 3}));
  // Of both threes the one that begins first; the two lies beside it, in a bay.
  EXPECT_EQ(painted({regions[2].region}, 6, 3), (Bits{"##....", "#.....", "####.."}));
  EXPECT_EQ(painted({regions[3].region}, 6, 3), (Bits{".....#", "......", "......"}));
  EXPECT_EQ(painted({regions[1].region}, 6, 3), (Bits{"......", ".#....", "......"}));
}

TEST(RegionsOfLabels, RandomLabelsComeBack) {
  UniformSequence random(22, 0, Purpose::geometry);
  for (int round = 0; round < 1500; ++round) {
    const std::int64_t width = 1 + drawn_below(14, random), height = 1 + drawn_below(12, random);
    Bits rows;
    const std::int64_t kinds = 2 + round % 4;
    for (std::int64_t y = 0; y < height; ++y) {
      std::string& row = rows.emplace_back();
      for (std::int64_t x = 0; x < width; ++x) row += ".1234"[drawn_below(kinds, random)];
    }
    const auto regions = regions_of_labels(labels_of(rows));
    Image again = Image::allocate({.shape = {width, height, 1}, .type = PixelType::u16});
    fill_labels(regions, again, 0);
    ASSERT_EQ(digits_of(again), rows) << round;
    // The parts of one label are those of its mask.
    for (const char label : {'1', '2', '3', '4'}) {
      Bits bits = rows;
      for (std::string& row : bits) {
        for (char& c : row) c = c == label ? '#' : '.';
      }
      std::vector<Region> of_label;
      for (const auto& part : regions) {
        if (part.label == label - '0') of_label.push_back(part.region);
      }
      ASSERT_EQ(of_label, regions_of_mask(image_of(bits))) << round << label;
    }
  }
}

TEST(RegionsOfLabels, WholeNumbersOfAnyType) {
  const Bits rows{"11..", "1222", "..2."};
  const auto expected = regions_of_labels(labels_of(rows));
  for (const PixelType type : all_pixel_types) {
    EXPECT_EQ(regions_of_labels(labels_of(rows, type)), expected) << name_of(type);
  }
  Image large = labels_of(rows, PixelType::f64);
  large.mutable_row<double>(0)[0] = 0x1p53;
  EXPECT_EQ(regions_of_labels(large).back().label, std::int64_t{1} << 53);
  for (const double wrong : {-1.0, 0.5, 0x1p53 + 2, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    Image labels = labels_of(rows, PixelType::f64);
    labels.mutable_row<double>(2)[3] = wrong;
    EXPECT_THROW(regions_of_labels(labels), InvalidArgument) << wrong;
  }
}

TEST(FillLabels, TheLastOfSeveralRegionsStaysAndOldPixelsGo) {
  std::vector<LabelledRegion> regions{{7, {box_outline(0.5, 0.5, 3.5, 3.5), {}}},
                                      {2, {box_outline(2.5, 1.5, 5.5, 2.5), {}}}};
  Image slab = labels_of({"999999", "999999", "999999", "999999"});
  fill_labels(regions, slab, 0);
  EXPECT_EQ(digits_of(slab), (Bits{"......", ".777..", ".77222", ".777.."}));
  Image lower = labels_of({"999999", "999999"});
  fill_labels(regions, lower, 2);
  EXPECT_EQ(digits_of(lower), (Bits{".77222", ".777.."}));
}

TEST(FillLabels, SameForAnyNumberOfThreadsAndSlabs) {
  const Image truth =
      Phantom({.kind = PhantomKind::blobs, .size = {300, 500, 1}, .seed = 4}).truth_slab(0, 500);
  std::vector<LabelledRegion> regions;
  for (const Region& region : regions_of_mask(truth)) {
    regions.push_back({1 + static_cast<std::int64_t>(regions.size() % 9), region});
  }
  const auto filled = [&](std::int64_t begin, std::int64_t end) {
    Image slab = Image::allocate({.shape = {300, end - begin, 1}, .type = PixelType::u16});
    fill_labels(regions, slab, begin);
    return digits_of(slab);
  };
  set_threads(1);
  const Bits alone = filled(0, 500);
  set_threads(3);
  EXPECT_EQ(filled(0, 500), alone);
  set_threads(0);
  EXPECT_EQ(filled(131, 400), Bits(alone.begin() + 131, alone.begin() + 400));
}

TEST(FillMask, LabelsOfRegionsDoNotMatter) {
  const std::vector<Region> regions{{box_outline(0, 0, 3, 3), {}}, {box_outline(5, 1, 7, 6), {}}};
  Image mask = blank_mask(9, 8), of_labelled = blank_mask(9, 8);
  fill_mask(regions, mask, 0);
  fill_mask(std::vector<LabelledRegion>{{0, regions[0]}, {70000, regions[1]}}, of_labelled, 0);
  EXPECT_EQ(bits_of(of_labelled), bits_of(mask));
}

TEST(FillLabels, WrongSlabsAndLabelsAreRefused) {
  std::vector<LabelledRegion> regions{{1, {box_outline(0, 0, 3, 3), {}}}};
  Image bytes = blank_mask(4, 4);
  EXPECT_THROW(fill_labels(regions, bytes, 0), InvalidArgument);
  Image slab = labels_of({"....", "...."});
  for (const std::int64_t label : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{65536}}) {
    regions[0].label = label;
    EXPECT_THROW(fill_labels(regions, slab, 0), InvalidArgument) << label;
  }
  regions = {{65535, {box_outline(0, 0, 3, 3), {{{{0, 0}, {std::int64_t{1} << 29, 0}, {0, 9}}}}}}};
  EXPECT_THROW(fill_labels(regions, slab, 0), InvalidArgument);
}

TEST(Regions, WorkStopsOnRequestAndProgressEndsAtOne) {
  std::stop_source source;
  source.request_stop();
  const Control stopped{.stop = source.get_token()};
  Image mask = image_of({"##", "##"});
  EXPECT_THROW(regions_of_mask(mask, stopped), Cancelled);
  EXPECT_THROW(fill_mask(std::vector<Region>(), mask, 0, stopped), Cancelled);
  double last = 0;
  int calls = 0;
  const Control watched{.progress = [&](double fraction) {
    EXPECT_GE(fraction, last);
    last = fraction, ++calls;
  }};
  Image tall = blank_mask(3, 5000);
  fill_mask(std::vector<Region>{{box_outline(0.5, 10, 1.5, 4900), {}}}, tall, 0);
  regions_of_mask(tall, watched);
  EXPECT_EQ(last, 1);
  EXPECT_GT(calls, 2);
}

}  // namespace
}  // namespace meander
