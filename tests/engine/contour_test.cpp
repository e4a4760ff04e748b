// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Sums along edges and over triangles, against counting the pixels of thousands of polygons one by
// one: what `reference` shares with other backends is not seen by comparing with it.
#include "engine/contour_testing.hpp"

#include "engine/line_testing.hpp"
#include "meander/error.hpp"

namespace meander {
namespace {

using engine::ContourEdge;
using engine::ContourTriangle;
using engine::CumulatedSums;
using engine::RegionSums;

constexpr std::size_t image_count = 50;
constexpr std::size_t polygons_per_image = 200;
static_assert(image_count * polygons_per_image >= 10000);
constexpr PixelType pixel_types[] = {PixelType::u8, PixelType::u16, PixelType::i16};

/// Random pixels with all the values of their type, and the values that they count for.
struct Picture {
  Picture(const Shape& shape, PixelType type, std::uint64_t seed)
      : image(Image::allocate({.shape = shape, .type = type})) {
    std::mt19937_64 random(seed);
    const std::uint64_t range = type == PixelType::u8 ? 256 : 65536;
    for (std::int64_t i = 0; i < shape.x * shape.y; ++i) {
      values.push_back(random() % range);
      set(i % shape.x, i / shape.x, static_cast<int>(values.back()));
    }
  }
  void set(std::int64_t x, std::int64_t y, int value) {
    if (image.type() == PixelType::i16) value -= 32768;
    visit(image.type(), [&]<class T>(std::type_identity<T>) {
      image.mutable_row<T>(y)[x] = from_double<T>(value);
    });
  }
  Image image;
  std::vector<std::uint64_t> values;
};

/// From 24x17 to 70x40; every tenth has more rows than a group of a device has work items.
Picture picture(std::size_t index) {
  RandomPolygons random({1, 1, 1}, 1000 + index);
  const std::int64_t width = random.between(24, 70);
  const std::int64_t height = index % 10 == 3 ? random.between(130, 150) : random.between(17, 40);
  return {{width, height, 1}, pixel_types[index % 3], index};
}

std::vector<ContourEdge> edges_of(const std::vector<Vertices>& polygons) {
  std::vector<ContourEdge> edges;
  for (const Vertices& polygon : polygons) {
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      edges.push_back({polygon[i], polygon[(i + 1) % polygon.size()]});
    }
  }
  return edges;
}

/// Runs once for every device of this machine.
class Contours : public testing::TestWithParam<std::string> {
 protected:
  CumulatedSums store_of(const Image& image, std::int64_t block, std::int64_t step) const {
    CumulatedSums store{.sums = {},
                        .pixels = step > 1 ? view_of(image) : engine::View{},
                        .image = image.shape(),
                        .block = block,
                        .step = step};
    const Shape words{store.words_in_row(), store.rows(), 1};
    store.sums = view_of(device.allocate({.shape = words, .type = PixelType::f64}));
    return store;
  }
  CumulatedSums rows_of(const Image& image, std::int64_t step) {
    const CumulatedSums store = store_of(image, 1, step);
    backend.cumulate(view_of(image), store, {});
    return store;
  }
  CumulatedSums blocks_of(const Image& image, std::int64_t block) {
    const CumulatedSums store = store_of(image, block, 1);
    backend.cumulate(view_of(image), {}, store);
    return store;
  }
  CumulatedSums coarser(const Image& image, const CumulatedSums& fine) {
    const CumulatedSums store = store_of(image, 2 * fine.block, 1);
    backend.coarsen(fine, store);
    return store;
  }
  /// All edges in one batch; those of a polygon are added up here.
  std::vector<RegionSums> sums_of(const CumulatedSums& store,
                                  const std::vector<Vertices>& polygons) {
    const std::vector<ContourEdge> edges = edges_of(polygons);
    std::vector<RegionSums> of_edges(edges.size()), sums;
    backend.sum_edges(store, edges, of_edges.data());
    auto edge = of_edges.begin();
    for (const Vertices& polygon : polygons) {
      RegionSums& sum = sums.emplace_back();
      for (std::size_t i = 0; i < polygon.size(); ++i) sum += *edge++;
    }
    return sums;
  }
  std::vector<RegionSums> sums_of(const Image& image,
                                  const std::vector<ContourTriangle>& triangles) {
    std::vector<RegionSums> sums(triangles.size());
    backend.sum_triangles(view_of(image), triangles, sums.data());
    return sums;
  }

  const Device device = Device::open(GetParam());
  engine::Backend& backend = device.backend();
};

void expect_equal(const std::vector<RegionSums>& found, const std::vector<RegionSums>& expected,
                  const char* what) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].count, expected[i].count) << what << ", " << i;
    ASSERT_EQ(found[i].sum, expected[i].sum) << what << ", " << i;
    ASSERT_EQ(found[i].squares, expected[i].squares) << what << ", " << i;
  }
}

/// Half of the polygons tangled, where sums count how often a pixel is wound around; half of them
/// simple, where the rule of Polygon says what is inside.
struct Sample {
  explicit Sample(std::size_t index) : given(picture(index)) {
    RandomPolygons random(given.image.shape(), index);
    for (std::size_t i = 0; i < polygons_per_image; ++i) {
      polygons.push_back(i % 2 == 0 ? random.tangled() : random.star());
    }
  }
  std::vector<RegionSums> counted(std::int64_t block) const {
    const Cells cells(given.values, given.image.shape(), block);
    std::vector<RegionSums> sums;
    for (std::size_t i = 0; i < polygons.size(); ++i) {
      sums.push_back(cells.sums_inside(polygons[i], i % 2 == 0 ? Inside::winding : Inside::odd));
    }
    return sums;
  }
  Picture given;
  std::vector<Vertices> polygons;
};

TEST_P(Contours, SumsAreThoseOfThePixelsInside) {
  for (std::size_t index = 0; index < image_count; ++index) {
    const Sample sample(index);
    const Image image = device.upload(sample.given.image);
    const std::vector<RegionSums> expected = sample.counted(1);
    for (const std::int64_t step : {std::int64_t{1}, std::int64_t{5}, engine::base_step}) {
      expect_equal(sums_of(rows_of(image, step), sample.polygons), expected, "rows");
    }
  }
}

TEST_P(Contours, SumsOfBlocksAreThoseOfTheBlocksInside) {
  for (std::size_t index = 0; index < image_count; ++index) {
    const Sample sample(index);
    const Image image = device.upload(sample.given.image);
    const CumulatedSums twos = blocks_of(image, 2), fours = coarser(image, twos);
    expect_equal(sums_of(twos, sample.polygons), sample.counted(2), "blocks of 2");
    expect_equal(sums_of(fours, sample.polygons), sample.counted(4), "coarsened to 4");
    const std::vector<RegionSums> eights = sample.counted(8);
    expect_equal(sums_of(blocks_of(image, 8), sample.polygons), eights, "blocks of 8");
    expect_equal(sums_of(coarser(image, fours), sample.polygons), eights, "coarsened to 8");
    const CumulatedSums largest = blocks_of(image, 64);
    expect_equal(sums_of(largest, sample.polygons), sample.counted(64), "blocks of 64");
  }
}

TEST_P(Contours, TrianglesAreSmallPolygons) {
  for (std::size_t index = 0; index < image_count; ++index) {
    const Picture given = picture(index);
    const Image image = device.upload(given.image);
    RandomPolygons random(image.shape(), 77 + index);
    const Cells cells(given.values, image.shape(), 1);
    std::vector<ContourTriangle> triangles;
    std::vector<RegionSums> expected;
    for (std::size_t i = 0; i < polygons_per_image; ++i) {
      const std::int64_t raster = random.raster();
      const GridPoint a = random.point(raster), b = random.point(raster);
      GridPoint c = random.point(raster);
      if (i % 16 == 5) c = b;
      if (i % 16 == 6) c.y = a.y;
      if (i % 16 == 7) c = {2 * b.x - a.x, 2 * b.y - a.y};  // on one line
      triangles.push_back({a, b, c});
      const std::int64_t twice_area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
      const RegionSums inside = cells.sums_inside({a, b, c}, Inside::odd);
      expected.push_back(twice_area < 0 ? RegionSums{} - inside : inside);
    }
    expect_equal(sums_of(image, triangles), expected, "triangles");
  }
}

/// What a polygon gains when a node moves is two triangles between its old place, its new one and
/// its neighbours.
TEST_P(Contours, AMovedNodeSweepsTwoTriangles) {
  for (std::size_t index = 0; index < image_count; ++index) {
    const Sample sample(index);
    const Image image = device.upload(sample.given.image);
    RandomPolygons random(image.shape(), 99 + index);
    const Cells cells(sample.given.values, image.shape(), 1);
    std::vector<ContourTriangle> swept;
    std::vector<RegionSums> gains;
    for (std::size_t i = 0; i < polygons_per_image; i += 10) {
      Vertices moved = sample.polygons[i];
      const GridPoint before = moved.back(), old = moved[0], behind = moved[1];
      moved[0] = random.point(1);
      swept.push_back({before, moved[0], old});
      swept.push_back({moved[0], behind, old});
      gains.push_back(cells.sums_inside(moved, Inside::winding) -
                      cells.sums_inside(sample.polygons[i], Inside::winding));
    }
    const std::vector<RegionSums> of_triangles = sums_of(image, swept);
    std::vector<RegionSums> found;
    for (std::size_t i = 0; i < swept.size(); i += 2) {
      found.push_back(of_triangles[i] + of_triangles[i + 1]);
    }
    expect_equal(found, gains, "gains");
  }
}

/// Corners on the centres of pixels: the upper and the left ones are inside, the others are not.
TEST_P(Contours, BordersBelongToOneSide) {
  for (const PixelType type : pixel_types) {
    Picture given({4, 3, 1}, type, 1);
    for (int i = 0; i < 12; ++i) given.set(i % 4, i / 4, i);
    const Image image = device.upload(given.image);
    // Pixels 1 and 2 of the first two rows: 1, 2, 5 and 6.
    const Vertices square = {{256, 0}, {768, 0}, {768, 512}, {256, 512}};
    const RegionSums expected{4, 14, 66};
    for (const std::int64_t step : {1, 32}) {
      expect_equal(sums_of(rows_of(image, step), {square}), {expected}, "square");
    }
    const ContourTriangle upper{square[0], square[1], square[2]};
    const ContourTriangle lower{square[2], square[3], square[0]};
    // The diagonal is the left border of the upper one, which owns the pixels on it.
    expect_equal(sums_of(image, {upper, lower}), {{3, 9, 41}, {1, 5, 25}}, "halves");
  }
}

/// 70000 pixels of 65535: sums of a single row leave 32 bits, and so do the coordinates' products.
TEST_P(Contours, SumsHave64Bits) {
  const Shape shape{70000, 4, 1};
  Image host = Image::allocate({.shape = shape, .type = PixelType::u16});
  for (std::int64_t y = 0; y < shape.y; ++y) {
    std::fill_n(host.mutable_row<std::uint16_t>(y), shape.x, std::uint16_t{65535});
  }
  const Image image = device.upload(host);
  const auto full = [](std::uint64_t count) {
    return RegionSums{count, count * 65535, count * 65535 * 65535};
  };
  constexpr std::int64_t far = std::int64_t{1} << 29;
  const Vertices all = {{-far, -far}, {far, -far}, {far, far}, {-far, far}};
  const RegionSums whole = full(280000);
  for (const std::int64_t step : {std::int64_t{1}, engine::base_step}) {
    expect_equal(sums_of(rows_of(image, step), {all}), {whole}, "rows");
  }
  for (const std::int64_t block : {8, 64}) {
    expect_equal(sums_of(blocks_of(image, block), {all}), {whole}, "blocks");
  }
  // So large that the whole image lies inside.
  expect_equal(sums_of(image, {{{-far, -far}, {far, -far}, {0, far}}}), {whole}, "triangle");
  // Rows 1 and 2 of all columns but the first and the last ten.
  const Vertices some = {{2560, 256}, {256 * 69990, 256}, {256 * 69990, 768}, {2560, 768}};
  expect_equal(sums_of(rows_of(image, engine::base_step), {some}), {full(2 * 69980)}, "some");
}

TEST_P(Contours, NothingIsAskedNothingIsWritten) {
  const Image image = device.upload(picture(0).image);
  const CumulatedSums store = rows_of(image, 1);
  RegionSums untouched{1, 2, 3};
  backend.sum_edges(store, {}, &untouched);
  backend.sum_triangles(view_of(image), {}, &untouched);
  EXPECT_EQ(untouched, (RegionSums{1, 2, 3}));
}

/// What a batch needs on a device is taken from its budget and given back.
TEST_P(Contours, BatchesKeepToTheBudget) {
  if (backend.uses_host_memory()) GTEST_SKIP() << GetParam() << " reads batches where they are";
  const Image image = device.upload(picture(0).image);
  const CumulatedSums store = rows_of(image, 1);
  const std::vector<ContourEdge> edges(50000);
  const std::vector<ContourTriangle> triangles(50000);
  std::vector<RegionSums> sums(50000);
  backend.finish();
  const MemoryUse before = backend.pool().use();
  backend.pool().set_budget(before.in_use + 50000 * sizeof(RegionSums));
  EXPECT_THROW(backend.sum_edges(store, edges, sums.data()), OutOfMemory);
  EXPECT_THROW(backend.sum_triangles(view_of(image), triangles, sums.data()), OutOfMemory);
  backend.pool().set_budget(before.budget);
  backend.sum_edges(store, edges, sums.data());
  EXPECT_EQ(backend.pool().use().in_use, before.in_use);
}

INSTANTIATE_TEST_SUITE_P(Devices, Contours, testing::ValuesIn(device_names()), test_name);

}  // namespace
}  // namespace meander
