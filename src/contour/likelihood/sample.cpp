// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/likelihood/sample.hpp"

#include <algorithm>
#include <numeric>

#include "contour/geometry/crossings.hpp"
#include "contour/geometry/segments.hpp"
#include "core/image_state.hpp"

namespace meander::contour {
namespace {

constexpr std::int64_t enough_pixels = std::int64_t{1} << 21;
constexpr std::int64_t margin = 4;
/// A side with fewer pixels away from the outline is taken up to it.
constexpr std::int64_t few_pixels = 256;

std::int64_t rows_apart(const Shape& image) {
  const std::int64_t apart = (image.x * image.y + enough_pixels - 1) / enough_pixels;
  return std::clamp<std::int64_t>(apart, 1, image.y);
}

/// Outlines, and between which heights each of them is.
class Rings {
 public:
  explicit Rings(const std::vector<const Polygon*>& outlines) {
    for (const Polygon* outline : outlines) {
      const Box box = box_around(*outline);
      rings_.push_back({outline, box.low.y, box.high.y});
    }
  }

  /// Columns where their sides cross a row, in order: inside between the first two, …
  std::vector<std::int64_t> columns_in(std::int64_t row, const Shape& image) const {
    std::vector<Crossing> crossings;
    for (const Ring& ring : rings_) {
      const std::int64_t y = row * grid_steps_per_pixel;
      if (y < ring.top || y > ring.bottom) continue;
      add_crossings(*ring.outline, 1, {image.x, row, row + 1}, crossings);
    }
    sort_crossings(crossings);
    std::vector<std::int64_t> columns;
    for (const Crossing& crossing : crossings) columns.push_back(crossing.column);
    return columns;
  }

 private:
  struct Ring {
    const Polygon* outline;
    std::int64_t top, bottom;
  };
  std::vector<Ring> rings_;
};

struct Run {
  std::int64_t begin = 0, end = 0;
};

/// The runs of a row on one side.
std::vector<Run> runs_of(const Rings& rings, std::int64_t row, const Shape& image, bool is_inside) {
  std::vector<std::int64_t> ends = rings.columns_in(row, image);
  if (!is_inside) {
    ends.insert(ends.begin(), 0);
    ends.push_back(image.x);
  }
  std::vector<Run> runs;
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) runs.push_back({ends[i], ends[i + 1]});
  return runs;
}

/// Of runs in order.
std::vector<Run> common(const std::vector<Run>& a, const std::vector<Run>& b) {
  std::vector<Run> both;
  auto p = a.begin();
  auto q = b.begin();
  while (p != a.end() && q != b.end()) {
    const Run run{std::max(p->begin, q->begin), std::min(p->end, q->end)};
    if (run.begin < run.end) both.push_back(run);
    p->end < q->end ? void(++p) : void(++q);
  }
  return both;
}

/// Runs of a row whose pixels are on one side, and those `away` rows and columns off too.
std::vector<Run> safe_runs(const Rings& rings, std::int64_t row, const Shape& image, bool is_inside,
                           std::int64_t away) {
  std::vector<Run> runs = runs_of(rings, row, image, is_inside);
  if (away == 0) return runs;
  for (const std::int64_t other : {row - away, row + away}) {
    if (other < 0 || other >= image.y) continue;
    runs = common(runs, runs_of(rings, other, image, is_inside));
  }
  for (Run& run : runs) {
    if (run.begin > 0) run.begin += away;
    if (run.end < image.x) run.end -= away;
  }
  std::erase_if(runs, [](const Run& run) { return run.begin >= run.end; });
  return runs;
}

void count(const Image& rows, std::int64_t row, const Run& run, Counts& counts) {
  visit(rows.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T>) {
      constexpr int shift = std::is_signed_v<T> ? 32768 : 0;
      const T* pixels = rows.row<T>(row);
      for (std::int64_t x = run.begin; x < run.end; ++x) {
        const std::int64_t number = std::int64_t{pixels[x]} + shift;
        ++counts[static_cast<std::size_t>(number)];
      }
    }
  });
}

Counts count_side(const Sample& sample, const Rings& rings, bool is_inside, std::int64_t away) {
  Counts counts(65536, 0);
  const Shape image{sample.rows.shape().x, sample.rows.shape().y * sample.apart, 1};
  for (std::int64_t row = 0; row < sample.rows.shape().y; ++row) {
    for (const Run& run : safe_runs(rings, row * sample.apart, image, is_inside, away)) {
      count(sample.rows, row, run, counts);
    }
  }
  return counts;
}

}  // namespace

std::int64_t sample_bytes(const Description& image) {
  Description rows = image;
  rows.shape.y = image.shape.y / rows_apart(image.shape);
  return padded_bytes(rows);
}

Sample sample_rows(engine::Backend& backend, const engine::View& pixels) {
  Sample sample;
  sample.apart = rows_apart(pixels.shape);
  engine::View spread = pixels;
  spread.shape.y = pixels.shape.y / sample.apart;
  spread.pitch.row = pixels.pitch.row * sample.apart;
  sample.rows = Image::allocate({.shape = spread.shape, .type = pixels.type});
  backend.read(spread, sample.rows.state().view);
  return sample;
}

SideCounts count_sides(const Sample& sample, const std::vector<const Polygon*>& outlines) {
  const Rings rings(outlines);
  const auto side = [&](bool is_inside) {
    Counts away = count_side(sample, rings, is_inside, margin);
    const bool is_enough = std::accumulate(away.begin(), away.end(), std::int64_t{0}) >= few_pixels;
    return is_enough ? away : count_side(sample, rings, is_inside, 0);
  };
  return {side(true), side(false)};
}

SideCounts count_all(const Sample& sample) {
  SideCounts sides{Counts(65536, 0), Counts(65536, 0)};
  for (std::int64_t row = 0; row < sample.rows.shape().y; ++row) {
    count(sample.rows, row, {0, sample.rows.shape().x}, sides.outside);
  }
  return sides;
}

}  // namespace meander::contour
