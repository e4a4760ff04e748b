// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>

#include "contour/parts.hpp"
#include "core/message.hpp"
#include "meander/outline.hpp"

namespace meander {
namespace {

constexpr std::int64_t rows_between_steps = 256;
constexpr std::int64_t vertices_between_steps = std::int64_t{1} << 20;

struct Pixel {
  std::int64_t x, y;
};

/// Up, right, down, left: one further is a quarter turn from the x axis towards the y axis.
constexpr Pixel directions[] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};

Pixel neighbour_of(const Pixel& p, int direction) {
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

template <class T>
class Tracer {
 public:
  Tracer(const Image& mask, const Control& control) : mask_(mask), control_(control) {}

  std::optional<contour::Part> largest_part() const {
    contour::LargestPart largest;
    const auto rows = static_cast<double>(mask_.shape().y);
    std::vector<contour::Run> runs;
    for (std::int64_t y = 0; y < mask_.shape().y; ++y) {
      if (y % rows_between_steps == 0) control_.step(static_cast<double>(y) / rows);
      find_runs(y, runs);
      largest.add_row(runs);
    }
    return largest.finish();
  }

  /// Round the part with it on the right, from the upper side of its first pixel. The line comes to
  /// that side from the left one and leaves it in another direction: it is a vertex.
  Polygon walk(const contour::Part& part) const {
    const Side start{{part.x, part.y}, 0};
    Polygon outline{{start.middle()}};
    std::int64_t walked = 0;
    GridPoint last_step{};
    for (Side side = after(start);; side = after(side)) {
      if (++walked % vertices_between_steps == 0) control_.step(1);
      const GridPoint to = side.middle(), from = outline.vertices.back();
      const GridPoint step = direction_between(from, to);
      if (step == last_step) outline.vertices.pop_back();
      if (to == outline.vertices.front()) return outline;
      outline.vertices.push_back(to);
      last_step = step;
    }
  }

 private:
  static GridPoint direction_between(const GridPoint& from, const GridPoint& to) {
    const auto sign = [](std::int64_t v) { return std::int64_t{v > 0} - std::int64_t{v < 0}; };
    return {sign(to.x - from.x), sign(to.y - from.y)};  // Lines have eight directions.
  }

  static bool is_set(T value) {
    if constexpr (std::is_same_v<T, Half>)
      return (value.bits & 0x7fff) != 0;  // Nor is -0.
    else
      return value != T{0};
  }

  bool holds(const Pixel& p) const {
    const Shape& shape = mask_.shape();
    return p.x >= 0 && p.y >= 0 && p.x < shape.x && p.y < shape.y && is_set(mask_.row<T>(p.y)[p.x]);
  }

  /// Where pixels meet by their corners alone the line stays with its own: parts hang together by
  /// sides.
  Side after(const Side& side) const {
    const int onward = (side.outward + 1) % 4;
    const Pixel next = neighbour_of(side.pixel, onward);
    if (!holds(next)) return {side.pixel, onward};
    const Pixel beyond = neighbour_of(next, side.outward);
    if (!holds(beyond)) return {next, side.outward};
    return {beyond, (onward + 2) % 4};
  }

  void find_runs(std::int64_t y, std::vector<contour::Run>& runs) const {
    const T* row = mask_.row<T>(y);
    const T* end = row + mask_.shape().x;
    runs.clear();
    for (const T* at = std::find_if(row, end, is_set); at != end;) {
      const T* past = std::find_if_not(at, end, is_set);
      runs.push_back({at - row, past - row});
      at = std::find_if(past, end, is_set);
    }
  }

  const Image& mask_;
  const Control& control_;
};

void check_mask(const Image& mask) {
  const Shape& shape = mask.shape();
  if (shape.z != 1 || mask.channels() != 1) {
    throw InvalidArgument(message("a mask of ", to_string(shape), " with ", mask.channels(),
                                  " channels was given, expected a 2-D image of one channel"));
  }
  if (std::max(shape.x, shape.y) > largest_coordinate) {
    throw InvalidArgument(message("a mask of ", to_string(shape),
                                  " was given, expected sides of at most ", largest_coordinate));
  }
}

}  // namespace

Polygon outline_of_mask(const Image& mask, const Control& control) {
  check_mask(mask);
  return visit(mask.type(), [&]<class T>(std::type_identity<T>) {
    const Tracer<T> tracer(mask, control);
    const auto part = tracer.largest_part();
    if (!part) throw InvalidArgument("every pixel of the mask is 0, expected a part that is not");
    Polygon outline = tracer.walk(*part);
    control.step(1);
    return outline;
  });
}

}  // namespace meander
