// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// What is particular to the contour engine of `cpu`: batches and long edges that threads share,
// runs of every length at every place of a row, rows too wide for 32-bit sums. The oracle asks of
// every pixel by itself whether it is inside.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/image_state.hpp"
#include "engine/backend.hpp"
#include "meander/device.hpp"

namespace meander {
namespace {

using engine::ContourEdge;
using engine::ContourTriangle;
using engine::CumulatedSums;
using engine::RegionSums;

constexpr PixelType types[] = {PixelType::u8, PixelType::u16, PixelType::i16};

const engine::View& view_of(const Image& image) { return image.state().view; }

std::uint64_t value_at(const Image& image, std::int64_t x, std::int64_t y) {
  if (image.type() == PixelType::u8) return image.row<std::uint8_t>(y)[x];
  if (image.type() == PixelType::u16) return image.row<std::uint16_t>(y)[x];
  return static_cast<std::uint64_t>(image.row<std::int16_t>(y)[x] + 32768);
}

/// Random bytes, with `gap` pixels of no meaning behind every row and nothing behind the last.
Image noise(const Shape& shape, PixelType type, std::int64_t gap, std::mt19937_64& random) {
  const auto size = static_cast<std::int64_t>(size_of(type));
  const std::int64_t pitch = (shape.x + gap) * size;
  auto bytes = std::make_shared<std::vector<std::uint8_t>>(
      static_cast<std::size_t>(pitch * (shape.y - 1) + shape.x * size));
  for (std::uint8_t& byte : *bytes) byte = static_cast<std::uint8_t>(random());
  return Image::wrap(bytes->data(), {.shape = shape, .type = type},
                     {pitch, pitch * shape.y, pitch * shape.y}, bytes);
}

/// 1 inside a polygon of positive area, -1 in one of negative area, 0 outside: of the edges that
/// cross the pixel's row at or left of it, those along which y falls less those along which it
/// rises.
int winding(std::span<const GridPoint> corners, std::int64_t x, std::int64_t y) {
  int turns = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const GridPoint &a = corners[i], &b = corners[(i + 1) % corners.size()];
    const GridPoint &low = a.y < b.y ? a : b, &high = a.y < b.y ? b : a;
    if (256 * y < low.y || 256 * y >= high.y) continue;
    const std::int64_t right_of_it =
        (256 * x - low.x) * (high.y - low.y) - (256 * y - low.y) * (high.x - low.x);
    if (right_of_it >= 0) turns += a.y < b.y ? -1 : 1;
  }
  return turns;
}

RegionSums sums_inside(const Image& image, std::span<const GridPoint> corners) {
  RegionSums sums;
  for (std::int64_t y = 0; y < image.shape().y; ++y) {
    for (std::int64_t x = 0; x < image.shape().x; ++x) {
      const int turns = winding(corners, x, y);
      const std::uint64_t value = value_at(image, x, y);
      for (int i = 0; i < turns; ++i) sums += {1, value, value * value};
      for (int i = 0; i > turns; --i) sums -= {1, value, value * value};
    }
  }
  return sums;
}

struct Store {
  Image words;
  CumulatedSums sums;
};

Store store_for(const Image& image, std::int64_t block, std::int64_t step) {
  Store store;
  store.sums.image = image.shape();
  store.sums.block = block;
  store.sums.step = step;
  if (step > 1) store.sums.pixels = view_of(image);
  store.words = Image::allocate(
      {.shape = {store.sums.words_in_row(), store.sums.rows()}, .type = PixelType::f64});
  store.sums.sums = view_of(store.words);
  return store;
}

class ContourCpu : public testing::Test {
 protected:
  ~ContourCpu() override { set_threads(0); }

  RegionSums polygon_sums(const CumulatedSums& sums, std::span<const GridPoint> corners) {
    std::vector<ContourEdge> edges;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      edges.push_back({corners[i], corners[(i + 1) % corners.size()]});
    }
    std::vector<RegionSums> results(edges.size(), RegionSums{1, 2, 3});  // must be written over
    backend.sum_edges(sums, edges, results.data());
    RegionSums all;
    for (const RegionSums& result : results) all += result;
    return all;
  }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  }
  /// In the image or a little around it.
  GridPoint point(const Shape& shape) {
    return {between(-700, 256 * shape.x + 700), between(-700, 256 * shape.y + 700)};
  }

  std::mt19937_64 random{20240817};
  const Device device = Device::open("cpu");
  engine::Backend& backend = device.backend();
};

TEST_F(ContourCpu, RunsOfEveryLengthAtEveryPlace) {
  for (const PixelType type : types) {
    for (const std::int64_t width : {1, 3, 7, 8, 9, 41}) {
      const Image image = noise({width, 3}, type, 0, random);
      std::vector<ContourTriangle> triangles;
      for (std::int64_t first = 0; first < width; ++first) {
        for (std::int64_t end = first; end <= width; ++end) {  // in row 1 about [first, end)
          const std::int64_t left = 256 * first - 100, right = 256 * end - 100;
          triangles.push_back({{left, 250}, {right, 250}, {right, 260}});
          triangles.push_back({{right, 260}, {left, 250}, {left, 260}});
        }
      }
      std::vector<RegionSums> results(triangles.size());
      backend.sum_triangles(view_of(image), triangles, results.data());
      for (std::size_t i = 0; i < triangles.size(); ++i) {
        const ContourTriangle& t = triangles[i];
        ASSERT_EQ(results[i], sums_inside(image, std::vector{t.a, t.b, t.c})) << width << ' ' << i;
      }
    }
  }
}

TEST_F(ContourCpu, BatchesThatThreadsShare) {
  const Image image = noise({61, 53}, PixelType::u16, 3, random);
  std::vector<ContourTriangle> triangles(3000);
  for (auto& t : triangles) t = {point(image.shape()), point(image.shape()), point(image.shape())};
  std::vector<RegionSums> expected;
  for (const auto& t : triangles) {
    expected.push_back(sums_inside(image, std::vector{t.a, t.b, t.c}));
  }
  for (const int threads : {1, 2, 5}) {
    set_threads(threads);
    std::vector<RegionSums> results(triangles.size(), RegionSums{9, 9, 9});
    backend.sum_triangles(view_of(image), triangles, results.data());
    EXPECT_EQ(results, expected) << threads;
  }
}

TEST_F(ContourCpu, LongEdgesAreTakenApart) {
  const Image image = noise({37, 30011}, PixelType::i16, 1, random);
  const std::vector<GridPoint> corners = {
      {2000, -900}, {9000, 256 * 30500}, {4000, 256 * 17003 + 91}, {-3000, 256 * 29000 + 200}};
  const RegionSums expected = sums_inside(image, corners);
  // Ends between two rows, below the last that its long sides cover from side to side.
  const std::vector<GridPoint> wedge = {
      {500, -900}, {9000, 256 * 20000 + 200}, {300, 256 * 20000 + 250}};
  const RegionSums in_wedge = sums_inside(image, wedge);
  const ContourTriangle triangle{corners[0], corners[1], corners[3]};
  const RegionSums in_triangle =
      sums_inside(image, std::vector{triangle.a, triangle.b, triangle.c});
  for (const int threads : {1, 3}) {
    set_threads(threads);
    for (const std::int64_t step : {1, 5, 32}) {
      const Store store = store_for(image, 1, step);
      backend.cumulate(view_of(image), store.sums, {});
      backend.finish();
      EXPECT_EQ(polygon_sums(store.sums, corners), expected) << threads << ' ' << step;
      EXPECT_EQ(polygon_sums(store.sums, wedge), in_wedge) << threads << ' ' << step;
    }
    RegionSums result;
    backend.sum_triangles(view_of(image), {&triangle, 1}, &result);
    EXPECT_EQ(result, in_triangle);
  }
}

/// Corners lie between cells of the coarsest grid, so cells are inside or outside as a whole.
TEST_F(ContourCpu, StoresAndBlocksOfAllSizesMakeTheSameSums) {
  for (const PixelType type : types) {
    for (const std::int64_t block : {2, 4, 8, 16, 32, 64}) {
      const Image image = noise({64 + between(0, 90), 64 + between(0, 90)}, type, 5, random);
      const Store rows = store_for(image, 1, block == 4 ? 48 : 32);
      const Store blocks = store_for(image, block, 1), coarse = store_for(image, 2 * block, 1);
      backend.cumulate(view_of(image), rows.sums, blocks.sums);
      backend.coarsen(blocks.sums, coarse.sums);
      backend.finish();
      const std::int64_t edge = 256 * 2 * block, shift = 128;
      const std::int64_t near = edge - shift;
      const std::int64_t right = (image.shape().x / (2 * block) + 1) * edge - shift;
      const std::int64_t below = (image.shape().y / (2 * block) + 1) * edge - shift;
      const std::vector<GridPoint> corners = {
          {near, near}, {right, near}, {right, below}, {near, below}};
      const RegionSums expected = sums_inside(image, corners);
      EXPECT_EQ(polygon_sums(rows.sums, corners), expected) << block;
      EXPECT_EQ(polygon_sums(blocks.sums, corners), expected) << block;
      EXPECT_EQ(polygon_sums(coarse.sums, corners), expected) << block;
    }
  }
}

/// One row alone has a Σz of more than 32 bits, a block of it a Σz² of more.
TEST_F(ContourCpu, WideRowsOverflowNothing) {
  const std::int64_t width = 300007;
  const std::uint64_t z = 65535, zz = z * z;
  const Image image = Image::allocate({.shape = {width, 2}, .type = PixelType::u16});
  for (std::int64_t y = 0; y < 2; ++y) {
    auto* row = reinterpret_cast<std::uint16_t*>(view_of(image).host_row(y));
    std::fill(row, row + width, std::uint16_t{65535});
  }
  const Store rows = store_for(image, 1, 32), blocks = store_for(image, 64, 1);
  backend.cumulate(view_of(image), rows.sums, blocks.sums);
  backend.finish();
  const auto words_at = [](const Store& store, std::int64_t index) {
    return reinterpret_cast<const std::uint64_t*>(store.sums.sums.host_row(0)) + 2 * index;
  };
  for (std::int64_t i = 0; i <= width / 32; ++i) {
    const auto before = static_cast<std::uint64_t>(32 * i);
    ASSERT_EQ(words_at(rows, i)[0], before * z) << i;
    ASSERT_EQ(words_at(rows, i)[1], before * zz) << i;
  }
  for (std::int64_t i = 0; i <= blocks.sums.columns(); ++i) {
    const auto before = static_cast<std::uint64_t>(2 * std::min(64 * i, width));
    ASSERT_EQ(words_at(blocks, i)[0], before * z) << i;
    ASSERT_EQ(words_at(blocks, i)[1], before * zz) << i;
  }
  const ContourTriangle all{{-256, -256}, {1024 * width, -256}, {-256, 1024 * 256}};
  RegionSums result;
  backend.sum_triangles(view_of(image), {&all, 1}, &result);
  const auto count = static_cast<std::uint64_t>(2 * width);
  EXPECT_EQ(result, (RegionSums{count, count * z, count * zz}));
}

}  // namespace
}  // namespace meander
