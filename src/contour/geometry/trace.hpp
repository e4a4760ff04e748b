// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "meander/outline.hpp"

namespace meander::contour {

/// Pixels [begin, end) of a row, all of one kind: only runs of one kind hang together.
struct Run {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t kind = 1;
};

/// Pixels that hang together by their sides.
struct Part {
  std::int64_t pixels;
  std::int64_t x, y;  ///< The first of its pixels in the topmost row.
};

/// All runs of an image whose rows come one after the other, from the top, and which of them hang
/// together.
class Parts {
 public:
  /// The runs of the next row, from left to right. Neighbours that meet are of different kinds.
  void add_row(std::span<const Run> runs);
  /// In the order in which they came.
  const std::vector<Run>& runs() const { return runs_; }
  std::int64_t row_of(std::size_t run) const;
  /// The run of row y that begins at x; there must be one.
  std::size_t run_at(std::int64_t x, std::int64_t y) const;
  /// The first run of the part that a run belongs to.
  std::size_t part_of(std::size_t run);

 private:
  void unite(std::size_t a, std::size_t b);

  std::vector<Run> runs_;
  std::vector<std::size_t> parents_;  ///< A forest over runs_; a root is its own parent.
  std::vector<std::size_t> rows_{0};  ///< Where each row begins in runs_, and the next one will.
};

/// Finds the largest part of a mask whose rows come one after the other, from the top. Only the
/// parts that reach the last row are kept, so memory is that of the runs of two rows.
class LargestPart {
 public:
  /// The runs of the next row, from left to right, with a gap between neighbours.
  void add_row(std::span<const Run> runs);
  /// Of parts of one size the first, by row and column. None when there was no run.
  std::optional<Part> finish();

 private:
  std::size_t root_of(std::size_t part);
  void unite(std::size_t a, std::size_t b);
  void unite_with_row_above(std::span<const Run> runs, std::size_t first_new);
  void keep_parts_of(std::span<const Run> runs, std::size_t first_new);

  struct RunOfPart : Run {
    std::size_t part;
  };
  std::vector<RunOfPart> above_;
  std::vector<Part> parts_;           ///< Those of the row above, then the runs of the new row.
  std::vector<std::size_t> parents_;  ///< A forest over parts_; a root is its own parent.
  std::vector<Part> kept_;
  std::vector<std::size_t> new_names_;
  std::optional<Part> largest_;
  std::int64_t row_ = 0;
};

// How rings are walked along the pixels of a mask or of an image of labels.

struct Pixel {
  std::int64_t x, y;
};

/// Up, right, down, left: one further is a quarter turn from the x axis towards the y axis.
enum Direction : int { up, right, down, left };
inline constexpr Pixel directions[] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};

inline Pixel neighbour_of(const Pixel& p, int direction) {
  return {p.x + directions[direction].x, p.y + directions[direction].y};
}

/// A pixel of the part and the direction in which its neighbour is not of it.
struct Side {
  Pixel pixel;
  int outward;
  GridPoint middle() const {
    const Pixel& d = directions[outward];
    constexpr std::int64_t half = grid_steps_per_pixel / 2;
    return {pixel.x * grid_steps_per_pixel + d.x * half,
            pixel.y * grid_steps_per_pixel + d.y * half};
  }
};

/// 1 for pixels that are set, whatever their value, NaN too; 0 for 0.
struct IsSet {
  template <class T>
  std::int64_t operator()(T value) const {
    if constexpr (std::is_same_v<T, Half>)
      return (value.bits & 0x7fff) != 0;  // Nor is -0.
    else
      return value != T{0};
  }
};

/// Pixels of type T hang together where KindOf gives one number, other than 0, for neighbours.
template <class T, class KindOf>
class Tracer {
 public:
  Tracer(const Image& image, const Control& control) : image_(image), control_(control) {}

  /// Of each row from the top: `add_row(runs)`. Progress runs to `last`.
  template <class AddRow>
  void for_each_row(double last, const AddRow& add_row) const {
    const double per_row = last / static_cast<double>(image_.shape().y);
    std::vector<Run> runs;
    for (std::int64_t y = 0; y < image_.shape().y; ++y) {
      if (y % rows_between_steps == 0) control_.step(static_cast<double>(y) * per_row);
      find_runs(y, runs);
      add_row(runs);
    }
  }

  /// Round the part with it on the right. The line must turn at `start`; calls `on_side` with every
  /// side. `progress` is reported on the way.
  template <class OnSide>
  Polygon walk(const Side& start, double progress, const OnSide& on_side) const {
    const std::int64_t kind = kind_at(start.pixel);
    Polygon ring{{start.middle()}};
    std::int64_t walked = 0;
    GridPoint last_step{};
    for (Side side = after(start, kind);; side = after(side, kind)) {
      if (++walked % sides_between_steps == 0) control_.step(progress);
      on_side(side);
      const GridPoint to = side.middle(), from = ring.vertices.back();
      const GridPoint step = direction_between(from, to);
      if (step == last_step) ring.vertices.pop_back();
      if (to == ring.vertices.front()) return ring;
      ring.vertices.push_back(to);
      last_step = step;
    }
  }

 private:
  static constexpr std::int64_t rows_between_steps = 256;
  static constexpr std::int64_t sides_between_steps = std::int64_t{1} << 20;

  static GridPoint direction_between(const GridPoint& from, const GridPoint& to) {
    const auto sign = [](std::int64_t v) { return std::int64_t{v > 0} - std::int64_t{v < 0}; };
    return {sign(to.x - from.x), sign(to.y - from.y)};  // Lines have eight directions.
  }

  /// 0 beyond the border.
  std::int64_t kind_at(const Pixel& p) const {
    const Shape& shape = image_.shape();
    const bool is_within = p.x >= 0 && p.y >= 0 && p.x < shape.x && p.y < shape.y;
    return is_within ? KindOf()(image_.row<T>(p.y)[p.x]) : 0;
  }

  /// Where pixels meet by their corners alone the line stays with its own: parts hang together by
  /// sides.
  Side after(const Side& side, std::int64_t kind) const {
    const int onward = (side.outward + 1) % 4;
    const Pixel next = neighbour_of(side.pixel, onward);
    if (kind_at(next) != kind) return {side.pixel, onward};
    const Pixel beyond = neighbour_of(next, side.outward);
    if (kind_at(beyond) != kind) return {next, side.outward};
    return {beyond, (onward + 2) % 4};
  }

  void find_runs(std::int64_t y, std::vector<Run>& runs) const {
    const T* row = image_.row<T>(y);
    const std::int64_t width = image_.shape().x;
    runs.clear();
    for (std::int64_t begin = 0, end = 0; begin < width; begin = end) {
      const std::int64_t kind = KindOf()(row[begin]);
      do {
        ++end;
      } while (end < width && KindOf()(row[end]) == kind);
      if (kind != 0) runs.push_back({begin, end, kind});
    }
  }

  const Image& image_;
  const Control& control_;
};

/// Throws InvalidArgument for volumes, several channels and long sides, as outline_of_mask says.
void check_mask(const Image& mask);

}  // namespace meander::contour
