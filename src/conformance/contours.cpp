// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "conformance/line_samples.hpp"
#include "conformance/snake_samples.hpp"

namespace meander::conformance {
namespace {

using engine::ContourEdge;
using engine::ContourTriangle;
using engine::CumulatedSums;
using engine::RegionSums;
using engine::View;

/// Of pixels: single ones, columns, rows, sizes that are no multiple of a block or a step. The last
/// has more rows than some drivers take in one launch.
constexpr Shape contour_shapes[] = {{1, 1, 1},    {1, 37, 1},   {37, 1, 1},  {32, 2, 1},
                                    {33, 5, 1},   {64, 64, 1},  {70, 41, 1}, {257, 3, 1},
                                    {131, 67, 1}, {2, 70001, 1}};
/// Coordinates may be no larger.
constexpr std::int64_t farthest = std::int64_t{1} << 29;

/// Points of all kinds: inside, on centres and corners of pixels, around the border, far away.
class PointSamples {
 public:
  explicit PointSamples(const Shape& image)
      : x_end_(image.x * grid_steps_per_pixel), y_end_(image.y * grid_steps_per_pixel) {}

  GridPoint next() { return {coordinate(x_end_), coordinate(y_end_)}; }
  /// Some are level, some upright.
  ContourEdge edge() {
    ContourEdge edge{next(), next()};
    if (below(8) == 0) edge.to.y = edge.from.y;
    if (below(8) == 0) edge.to.x = edge.from.x;
    return edge;
  }
  /// Some have two corners in one place, or all on a line.
  ContourTriangle triangle() {
    ContourTriangle triangle{next(), next(), next()};
    const GridPoint& a = triangle.a;
    const GridPoint& b = triangle.b;
    if (below(16) == 0) triangle.c = b;
    if (below(16) == 0) triangle.c = {(a.x + b.x) / 2, (a.y + b.y) / 2};
    if (below(16) == 0) triangle.c.y = a.y;
    return triangle;
  }

 private:
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(bound));
  }
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  std::int64_t coordinate(std::int64_t end) {
    constexpr std::int64_t half = grid_steps_per_pixel / 2;
    switch (below(8)) {
      case 0:
        return between(-2, 2) * half;
      case 1:
        return end + between(-4, 4) * half;
      case 2:
        return between(-farthest, farthest);
      case 3:
        return below(2) == 0 ? -farthest : farthest;
      case 4:
        return between(-2, 2 * end / half) * half;
      default:
        return between(-half, end);
    }
  }

  std::mt19937_64 random_;
  std::int64_t x_end_, y_end_;
};

template <class Made, class Make>
std::vector<Made> many(std::size_t count, Make make) {
  std::vector<Made> shapes(count);
  std::generate(shapes.begin(), shapes.end(), make);
  return shapes;
}

/// Sums on a device, in an image that is wider and higher: its frame shows a write beyond them.
struct Store {
  Store(const Device& device, const View& pixels, std::int64_t block, std::int64_t step) {
    sums.pixels = step > 1 ? pixels : View{};
    sums.image = pixels.shape;
    sums.block = block;
    sums.step = step;
    const Description size{.shape = {sums.words_in_row() + 3, sums.rows() + 2, 1},
                           .type = PixelType::f64};
    image = device.upload(sample_image(size, false));
    sums.sums = view_of(inside(image));
    sums.sums.shape.x = sums.words_in_row();
  }
  CumulatedSums sums;
  Image image;
};

/// What one device makes of an image.
struct Outcome {
  std::vector<Image> stores;
  std::vector<RegionSums> edges, triangles;
};

/// What all devices are given.
struct Case {
  Image host;
  std::vector<ContourEdge> edges;
  std::vector<ContourTriangle> triangles;
};

class Run {
 public:
  Run(const Device& device, const Case& given)
      : device_(device),
        given_(given),
        copy_(device.upload(given.host).clone()),
        pixels_(view_of(inside(copy_))) {}

  Outcome outcome() {
    for (const std::int64_t step : {std::int64_t{1}, engine::base_step, std::int64_t{7}}) {
      sum_up({Store(device_, pixels_, 1, step)}, true);
    }
    for (const std::int64_t block : {2, 8, 16, 64}) {
      sum_up({Store(device_, pixels_, 1, block == 2 ? 1 : engine::base_step),
              Store(device_, pixels_, block, 1)},
             block == 2 || block == 16);
    }
    found_.triangles.resize(given_.triangles.size());
    device_.backend().sum_triangles(pixels_, given_.triangles, found_.triangles.data());
    return std::move(found_);
  }

 private:
  /// Pixels and, where there is a second store, blocks and what is coarser, down to one cell.
  void sum_up(std::vector<Store> stores, bool with_rows) {
    const CumulatedSums none;
    device_.backend().cumulate(pixels_, with_rows ? stores[0].sums : none,
                               stores.size() > 1 ? stores[1].sums : none);
    while (stores.size() > 1 &&
           (stores.back().sums.columns() > 1 || stores.back().sums.rows() > 1)) {
      const CumulatedSums& fine = stores.back().sums;
      Store coarse(device_, pixels_, 2 * fine.block, 1);
      device_.backend().coarsen(fine, coarse.sums);
      stores.push_back(std::move(coarse));
    }
    for (std::size_t i = with_rows ? 0 : 1; i < stores.size(); ++i) keep(stores[i]);
  }
  void keep(const Store& store) {
    const std::size_t before = found_.edges.size();
    found_.edges.resize(before + given_.edges.size());
    device_.backend().sum_edges(store.sums, given_.edges, found_.edges.data() + before);
    found_.stores.push_back(store.image.download());
  }

  const Device& device_;
  const Case& given_;
  const Image copy_;
  const View pixels_;
  Outcome found_;
};

double different_sums(const std::vector<RegionSums>& a, const std::vector<RegionSums>& b) {
  double different = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) different += a[i] == b[i] ? 0 : 1;
  return different;
}

void compare(const Device& device, const Case& given, std::vector<Deviation>& found) {
  const Outcome expected = Run(Device::open("reference"), given).outcome();
  const Outcome result = Run(device, given).outcome();
  for (std::size_t i = 0; i < expected.stores.size(); ++i) {
    raise(found[0], different_words(expected.stores[i], result.stores[i]));
  }
  raise(found[1], different_sums(expected.edges, result.edges));
  raise(found[2], different_sums(expected.triangles, result.triangles));
}

/// One image, of the whole range of the type, with rows above and below that must not be read.
Case sample_case(const Shape& shape, PixelType type, std::size_t count) {
  const Description framed{.shape = {shape.x, shape.y + 2, 1}, .type = type};
  PointSamples points(shape);
  return {.host = sample_image(framed, false),
          .edges = many<ContourEdge>(count, [&] { return points.edge(); }),
          .triangles = many<ContourTriangle>(count, [&] { return points.triangle(); })};
}

}  // namespace

/// Everything is integers, so that nothing may differ.
std::vector<Deviation> check_contour(const Device& device, PixelType type) {
  const std::string name(name_of(type));
  std::vector<Deviation> found{
      {.engine = "contour", .check = name + ", different cumulated sums"},
      {.engine = "contour", .check = name + ", different sums of edges"},
      {.engine = "contour", .check = name + ", different sums of triangles"}};
  for (const Shape& shape : contour_shapes) {
    compare(device, sample_case(shape, type, shape.y > 1000 ? 16 : 150), found);
  }
  // More than some drivers take groups in one launch.
  if (type == PixelType::u16) compare(device, sample_case({33, 5, 1}, type, 33001), found);
  return found;
}

namespace {

/// Infinite where either is not a number.
double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    largest = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                     : std::max(largest, difference);
  }
  return largest;
}

}  // namespace

/// Places of the samples are below 128, so that a float is at most 2^-18 off, and changes below 64,
/// so that the roundings of one do not add up to 2^-17: 2^-16 a step. A step takes a difference d
/// between two contours to M⁻¹(d + g·d), where g is at most step·(change of the force from pixel to
/// pixel) + 2·balloon (normals grow by less than 1.5·normal times as much as differences do), and
/// no power of M⁻¹ makes the largest number of a contour more than twice as large. So after T steps
/// the difference is at most 2·T·2^-16·exp(2·T·g), and in the samples T·g < .6.
Deviation check_snake(const Device& device) {
  Deviation found{.engine = "contour",
                  .check = "moved contours, pixels a step",
                  .tolerance = 2 * 0x1p-16 * std::exp(2 * 0.6)};
  const Device reference = Device::open("reference");
  for (const SnakeSample& sample : snake_samples()) {
    const SnakePlaces expected = sample.moved_on(reference), result = sample.moved_on(device);
    const double steps = static_cast<double>(std::max<std::int64_t>(1, sample.steps));
    raise(found, std::max(distance(expected.x, result.x), distance(expected.y, result.y)) / steps);
  }
  return found;
}

}  // namespace meander::conformance
