// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>

#include "contour/crossings.hpp"
#include "core/message.hpp"
#include "core/parallel_for.hpp"
#include "meander/outline.hpp"

namespace meander {
namespace {

/// Enough rows that passing by the edges of other bands costs little, few enough that the crossings
/// of a band take little memory.
constexpr std::int64_t band_rows = 128;
constexpr std::int64_t bands_at_a_time = 16;
constexpr std::int64_t largest_step = largest_coordinate * grid_steps_per_pixel;

void check_slab(const Image& slab, std::int64_t begin) {
  if (slab.shape().z != 1 || slab.channels() != 1 || slab.type() != PixelType::u8) {
    throw InvalidArgument(message("a mask of ", to_string(slab.shape()), " ", name_of(slab.type()),
                                  " with ", slab.channels(),
                                  " channels was given, expected a 2-D image of one u8 channel"));
  }
  if (begin < 0 || begin + slab.shape().y > largest_coordinate) {
    throw InvalidArgument(message("rows ", begin, " to ", begin + slab.shape().y,
                                  " of a mask were asked for, expected rows within 0 to ",
                                  largest_coordinate));
  }
}

void check_outline(const Polygon& outline) {
  for (const auto& [x, y] : outline.vertices) {
    if (std::max(std::abs(x), std::abs(y)) <= largest_step) continue;
    throw InvalidArgument(message("an outline reaches ", x / grid_steps_per_pixel, ",",
                                  y / grid_steps_per_pixel, ", expected at most ",
                                  largest_coordinate, " pixels in either direction"));
  }
}

/// An odd number of crossings at or left of a pixel means inside, so runs lie between pairs.
void paint(const Polygon& outline, const contour::RowBand& band, std::int64_t begin, Image& slab) {
  std::vector<contour::Crossing> crossings;
  contour::add_crossings(outline, 1, band, crossings);
  contour::sort_crossings(crossings);
  for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
    auto* row = slab.mutable_row<std::uint8_t>(crossings[i].row - begin);
    std::fill(row + crossings[i].column, row + crossings[i + 1].column, std::uint8_t{255});
  }
}

}  // namespace

void fill_mask(std::span<const Polygon> outlines, Image& slab, std::int64_t begin,
               const Control& control) {
  check_slab(slab, begin);
  for (const Polygon& outline : outlines) check_outline(outline);
  const Shape& shape = slab.shape();
  const std::int64_t bands = (shape.y + band_rows - 1) / band_rows;
  for (std::int64_t done = 0; done < bands; done += bands_at_a_time) {
    control.step(static_cast<double>(done) / static_cast<double>(bands));
    parallel_for(std::min(bands_at_a_time, bands - done), [&](std::int64_t task) {
      const std::int64_t first = (done + task) * band_rows;
      const std::int64_t end = std::min(first + band_rows, shape.y);
      for (std::int64_t y = first; y < end; ++y) {
        std::fill_n(slab.mutable_row<std::uint8_t>(y), shape.x, std::uint8_t{0});
      }
      for (const Polygon& outline : outlines) {
        paint(outline, {shape.x, begin + first, begin + end}, begin, slab);
      }
    });
  }
  control.step(1);
}

}  // namespace meander
