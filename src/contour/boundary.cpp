// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/boundary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace meander {
namespace {

/// Finds the pixel of a boundary that is nearest to another pixel.
class NearestPixel {
 public:
  explicit NearestPixel(const BoundaryPixels& pixels)
      : pixels_(pixels), first_(pixels.front().y), last_(pixels.back().y) {
    row_ends_.assign(static_cast<std::size_t>(last_ - first_ + 1), 0);
    for (std::size_t i = 0; i < pixels.size(); ++i) row_ends_[row_of(pixels[i].y)] = i + 1;
    for (std::size_t i = 1; i < row_ends_.size(); ++i) {
      row_ends_[i] = std::max(row_ends_[i], row_ends_[i - 1]);
    }
  }

  /// Goes away from the pixel's row until no row can have a nearer one.
  std::int64_t squared_distance(BoundaryPixel pixel) const {
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    std::int64_t rows = std::max({std::int64_t{0}, first_ - pixel.y, pixel.y - last_});
    for (; rows * rows < best; ++rows) {
      look_in(pixel.y - rows, pixel.x, rows, best);
      if (rows > 0) look_in(pixel.y + rows, pixel.x, rows, best);
    }
    return best;
  }

 private:
  std::size_t row_of(std::int64_t y) const { return static_cast<std::size_t>(y - first_); }

  void look_in(std::int64_t y, std::int32_t x, std::int64_t rows, std::int64_t& best) const {
    if (y < first_ || y > last_) return;
    const auto begin = pixels_.begin() + (y > first_ ? difference(row_ends_[row_of(y) - 1]) : 0);
    const auto end = pixels_.begin() + difference(row_ends_[row_of(y)]);
    const auto right = std::lower_bound(
        begin, end, x,
        [](const BoundaryPixel& pixel, std::int32_t value) { return pixel.x < value; });
    const auto look_at = [&](const BoundaryPixel& pixel) {
      const std::int64_t columns = std::int64_t{pixel.x} - x;
      best = std::min(best, rows * rows + columns * columns);
    };
    if (right != end) look_at(*right);
    if (right != begin) look_at(*std::prev(right));
  }

  static std::ptrdiff_t difference(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

  const BoundaryPixels& pixels_;
  const std::int64_t first_, last_;
  std::vector<std::size_t> row_ends_;
};

}  // namespace

void BoundaryRows::add_run(std::int64_t label, std::int64_t begin, std::int64_t end) {
  if (label == 0) return;
  const auto last = static_cast<std::int32_t>(end);
  if (!below_.empty() && below_.back().label == label && below_.back().end == begin) {
    below_.back().end = last;
  } else {
    below_.push_back({label, static_cast<std::int32_t>(begin), last});
  }
}

void BoundaryRows::add_pixels(BoundaryPixels& pixels, std::int32_t begin, std::int32_t end) {
  for (std::int32_t x = begin; x < end; ++x) pixels.push_back({x, y_});
  count_ += end - begin;
}

/// Tells the pixels of the row in the middle: what of a run lies between runs of its label.
void BoundaryRows::end_row() {
  auto above = above_.begin(), below = below_.begin();
  for (const Run& run : row_) {
    BoundaryPixels& pixels = pixels_[run.label];
    std::int32_t told = run.begin;
    while (above != above_.end() && below != below_.end()) {
      const std::int32_t begin = std::max({run.begin + 1, above->begin, below->begin});
      const std::int32_t end = std::min({run.end - 1, above->end, below->end});
      if (begin < end && above->label == run.label && below->label == run.label) {
        add_pixels(pixels, told, begin);
        told = end;
      }
      if (std::min(above->end, below->end) >= run.end) break;
      ++(above->end < below->end ? above : below);
    }
    add_pixels(pixels, told, run.end);
  }
  ++y_;
  above_.swap(row_);
  row_.swap(below_);
  below_.clear();
}

BoundaryDistance boundary_distance(const BoundaryPixels& a, const BoundaryPixels& b,
                                   const Control& control) {
  std::vector<std::int64_t> squares;
  squares.reserve(a.size() + b.size());
  const NearestPixel in_a(a), in_b(b);
  const Control stop{.stop = control.stop, .progress = {}};
  const auto add = [&](const BoundaryPixels& from, const NearestPixel& to) {
    for (const BoundaryPixel& pixel : from) {
      stop.step(0);
      squares.push_back(to.squared_distance(pixel));
    }
  };
  add(a, in_b);
  add(b, in_a);
  const auto root = [](std::int64_t square) { return std::sqrt(static_cast<double>(square)); };
  BoundaryDistance result;
  for (const std::int64_t square : squares) result.mean += root(square);
  result.mean /= static_cast<double>(squares.size());
  const double place = 0.95 * static_cast<double>(squares.size() - 1);
  const auto lower = squares.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(squares.begin(), lower, squares.end());
  const auto upper = std::min_element(lower + 1, squares.end());
  result.percentile_95 = std::lerp(root(*lower), root(*upper), place - std::floor(place));
  result.max = root(*std::max_element(lower, squares.end()));
  return result;
}

}  // namespace meander
