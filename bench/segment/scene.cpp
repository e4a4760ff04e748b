// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/segment/scene.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "bench/harness.hpp"
#include "meander/compare.hpp"
#include "meander/error.hpp"
#include "meander/statistics.hpp"

namespace meander::bench {
namespace {

constexpr std::int64_t band_rows = 256;  // of a mask at a time

double checked(const Comparison& comparison) {
  if (!comparison.iou) throw LogicError("a mask holds more than two values");
  return *comparison.iou;
}

/// Places the rows of one image in another of the same type.
void paste(const Image& small, Image& large, std::int64_t x, std::int64_t y) {
  const auto size = static_cast<std::int64_t>(size_of(small.type()));
  for (std::int64_t row = 0; row < small.shape().y; ++row) {
    std::memcpy(large.mutable_row_bytes(y + row) + x * size, small.row_bytes(row),
                static_cast<std::size_t>(small.shape().x * size));
  }
}

/// Of a star in a square image, by its pixels.
double share_of_star(std::int64_t side) {
  const Phantom star({.kind = PhantomKind::star, .size = {side, side, 1}});
  return statistics(star.truth_slab(0, side)).mean / highest_of(PixelType::u8);
}

}  // namespace

SegmentScene scene_with(const PhantomOptions& options, const Control& control) {
  const Phantom phantom(options);
  return {phantom.slab(0, options.size.y, part_of(control, 0, 0.8)),
          phantom.truth_slab(0, options.size.y, part_of(control, 0.8, 1))};
}

SegmentScene small_star_scene(PhantomOptions options, double share, const Control& control) {
  constexpr std::int64_t trial = 256;
  const auto [width, height, depth] = options.size;
  options.kind = PhantomKind::constant;
  const Phantom around(options);
  SegmentScene scene{around.slab(0, height, part_of(control, 0, 0.8)),
                     around.truth_slab(0, height, part_of(control, 0.8, 0.9))};
  const double pixels = share * static_cast<double>(width * height) / share_of_star(trial);
  const auto side =
      std::min({static_cast<std::int64_t>(std::lround(std::sqrt(pixels))), width / 2, height / 2});
  options.kind = PhantomKind::star;
  options.size = {side, side, 1};
  options.seed = ~options.seed;  // the star has no noise in common with what is around it
  const SegmentScene star = scene_with(options, part_of(control, 0.9, 1));
  for (const auto& [small, large] :
       {std::pair{star.image, &scene.image}, {star.truth, &scene.truth}})
    paste(small, *large, width * 5 / 8 - side / 2, height * 3 / 8 - side / 2);
  return scene;
}

double iou_of(const Image& found, const Image& truth) { return checked(compare(found, truth)); }

double iou_of(const std::vector<Outline>& found, const Image& truth) {
  std::vector<Polygon> polygons;
  for (const Outline& outline : found) polygons.push_back(outline.polygon);
  Comparer comparer(truth.description(), truth.description(), 0);
  const Shape& shape = truth.shape();
  for (std::int64_t y = 0; y < shape.y; y += band_rows) {
    const std::int64_t end = std::min(y + band_rows, shape.y);
    Image band = Image::allocate({.shape = {shape.x, end - y, 1}, .type = PixelType::u8});
    fill_mask(polygons, band, y);
    comparer.add(band, truth.rows(y, end), y);
  }
  return checked(comparer.result());
}

}  // namespace meander::bench
