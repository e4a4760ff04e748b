// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/boundary.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace meander {
namespace {

/// Finds the pixel of a boundary that is nearest to another pixel: by a tree of boxes around them,
/// each halved along its longer side.
class NearestPixel {
 public:
  NearestPixel(const BoundaryPixels& pixels, const Control& stop)
      : pixels_(pixels), nearest_(pixels.front()) {
    std::size_t leaves = 1;
    while (leaves * pixels_in_leaf < pixels.size()) leaves *= 2;
    boxes_.resize(2 * leaves);
    divide({0, pixels.size(), 1}, stop);
  }

  /// Fast for pixels near the one before: what was nearest to that bounds the search.
  std::int64_t squared_distance(BoundaryPixel pixel) {
    asked_ = pixel;
    best_ = squared_distance_to(nearest_);
    look_in({0, pixels_.size(), 1});
    return best_;
  }

 private:
  static constexpr std::size_t pixels_in_leaf = 8;

  struct Box {
    std::int32_t left, top, right, bottom;
  };
  /// Pixels [begin, end) and the index of their box; those of its halves are twice that and one
  /// more.
  struct Part {
    std::size_t begin, end, box;
    std::array<Part, 2> halves() const {
      const std::size_t middle = begin + (end - begin) / 2;
      return {{{begin, middle, 2 * box}, {middle, end, 2 * box + 1}}};
    }
  };

  void divide(const Part& part, const Control& stop) {
    stop.step(0);
    const auto at = [&](std::size_t i) { return pixels_.begin() + static_cast<std::ptrdiff_t>(i); };
    Box box{at(part.begin)->x, at(part.begin)->y, at(part.begin)->x, at(part.begin)->y};
    for (auto pixel = at(part.begin); pixel != at(part.end); ++pixel) {
      box.left = std::min(box.left, pixel->x), box.right = std::max(box.right, pixel->x);
      box.top = std::min(box.top, pixel->y), box.bottom = std::max(box.bottom, pixel->y);
    }
    boxes_[part.box] = box;
    if (part.end - part.begin <= pixels_in_leaf) return;
    const bool is_wide = box.right - box.left > box.bottom - box.top;
    const auto halves = part.halves();
    std::nth_element(at(part.begin), at(halves[1].begin), at(part.end),
                     [&](const BoundaryPixel& a, const BoundaryPixel& b) {
                       return is_wide ? a.x < b.x : a.y < b.y;
                     });
    for (const Part& half : halves) divide(half, stop);
  }

  static std::int64_t squared_length(std::int64_t x, std::int64_t y) { return x * x + y * y; }
  std::int64_t squared_distance_to(const BoundaryPixel& pixel) const {
    return squared_length(std::int64_t{pixel.x} - asked_.x, std::int64_t{pixel.y} - asked_.y);
  }
  std::int64_t squared_distance_to(const Box& box) const {
    return squared_length(std::max({0, box.left - asked_.x, asked_.x - box.right}),
                          std::max({0, box.top - asked_.y, asked_.y - box.bottom}));
  }

  void look_in(const Part& part) {
    if (part.end - part.begin <= pixels_in_leaf) {
      for (std::size_t i = part.begin; i < part.end; ++i) look_at(pixels_[i]);
      return;
    }
    std::array<Part, 2> halves = part.halves();
    const auto away = [this](const Part& half) { return squared_distance_to(boxes_[half.box]); };
    if (away(halves[1]) < away(halves[0])) std::swap(halves[0], halves[1]);
    for (const Part& half : halves) {
      if (away(half) < best_) look_in(half);
    }
  }
  void look_at(const BoundaryPixel& pixel) {
    const std::int64_t square = squared_distance_to(pixel);
    if (square >= best_) return;
    best_ = square;
    nearest_ = pixel;
  }

  BoundaryPixels pixels_;
  std::vector<Box> boxes_;
  BoundaryPixel nearest_;  ///< To the pixel that was asked for last.
  BoundaryPixel asked_{};  ///< That one.
  std::int64_t best_ = 0;  ///< The square of their distance.
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
  const Control stop{.stop = control.stop, .progress = {}};
  NearestPixel in_a(a, stop), in_b(b, stop);
  const auto add = [&](const BoundaryPixels& from, NearestPixel& to) {
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
