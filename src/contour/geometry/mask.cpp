// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>

#include "contour/geometry/crossings.hpp"
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

void check_slab(const Image& slab, PixelType type, std::int64_t begin) {
  if (slab.shape().z != 1 || slab.channels() != 1 || slab.type() != type) {
    throw InvalidArgument(message(
        "a mask of ", to_string(slab.shape()), " ", name_of(slab.type()), " with ", slab.channels(),
        " channels was given, expected a 2-D image of one ", name_of(type), " channel"));
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

/// Rings that are painted together: a pixel is inside when an odd number of them hold it. That is
/// what a region covers, because its holes lie in the outer ring and apart.
template <class T>
class RingSet {
 public:
  RingSet(const Polygon& outline, T value) : value_(value) { add(outline); }
  RingSet(const Region& region, T value) : RingSet(region.outer, value) {
    for (const Polygon& hole : region.holes) add(hole);
  }

  /// An odd number of crossings at or left of a pixel means inside, so runs lie between pairs.
  void paint(const contour::RowBand& band, std::int64_t begin, Image& slab) const {
    if (low_ >= band.y_end * grid_steps_per_pixel || high_ < band.y_begin * grid_steps_per_pixel) {
      return;
    }
    std::vector<contour::Crossing> crossings;
    for (const Polygon* ring : rings_) contour::add_crossings(*ring, 1, band, crossings);
    contour::sort_crossings(crossings);
    for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
      T* row = slab.mutable_row<T>(crossings[i].row - begin);
      std::fill(row + crossings[i].column, row + crossings[i + 1].column, value_);
    }
  }

 private:
  void add(const Polygon& ring) {
    check_outline(ring);
    rings_.push_back(&ring);
    for (const GridPoint& p : ring.vertices) {
      low_ = std::min(low_, p.y), high_ = std::max(high_, p.y);
    }
  }

  std::vector<const Polygon*> rings_;
  T value_;
  std::int64_t low_ = largest_step, high_ = -largest_step;
};

template <class T>
void paint(const std::vector<RingSet<T>>& shapes, Image& slab, std::int64_t begin,
           const Control& control) {
  check_slab(slab, pixel_type_of<T>(), begin);
  const Shape& shape = slab.shape();
  const std::int64_t bands = (shape.y + band_rows - 1) / band_rows;
  for (std::int64_t done = 0; done < bands; done += bands_at_a_time) {
    control.step(static_cast<double>(done) / static_cast<double>(bands));
    parallel_for(std::min(bands_at_a_time, bands - done), [&](std::int64_t task) {
      const std::int64_t first = (done + task) * band_rows;
      const std::int64_t end = std::min(first + band_rows, shape.y);
      for (std::int64_t y = first; y < end; ++y) {
        std::fill_n(slab.mutable_row<T>(y), shape.x, T{0});
      }
      for (const auto& painted : shapes) {
        painted.paint({shape.x, begin + first, begin + end}, begin, slab);
      }
    });
  }
  control.step(1);
}

const Region& shape_of(const LabelledRegion& object) { return object.region; }
template <class Outline>
const Outline& shape_of(const Outline& outline) {
  return outline;
}

template <class Outline>
void paint_mask(std::span<const Outline> outlines, Image& slab, std::int64_t begin,
                const Control& control) {
  std::vector<RingSet<std::uint8_t>> shapes;
  for (const Outline& outline : outlines) shapes.emplace_back(shape_of(outline), std::uint8_t{255});
  paint(shapes, slab, begin, control);
}

}  // namespace

void fill_mask(std::span<const Polygon> outlines, Image& slab, std::int64_t begin,
               const Control& control) {
  paint_mask(outlines, slab, begin, control);
}

void fill_mask(std::span<const Region> regions, Image& slab, std::int64_t begin,
               const Control& control) {
  paint_mask(regions, slab, begin, control);
}

void fill_mask(std::span<const LabelledRegion> regions, Image& slab, std::int64_t begin,
               const Control& control) {
  paint_mask(regions, slab, begin, control);
}

void fill_labels(std::span<const LabelledRegion> regions, Image& slab, std::int64_t begin,
                 const Control& control) {
  std::vector<RingSet<std::uint16_t>> shapes;
  for (const auto& [label, region] : regions) {
    if (label < 1 || label > 65535) {
      throw InvalidArgument(message("a region has label ", label, ", expected 1 to 65535"));
    }
    shapes.emplace_back(region, static_cast<std::uint16_t>(label));
  }
  paint(shapes, slab, begin, control);
}

}  // namespace meander
