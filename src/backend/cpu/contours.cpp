// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#include "backend/cpu/engines.hpp"
#include "backend/cpu/isa.hpp"
#include "core/parallel_for.hpp"

namespace meander::cpu {
namespace {

using engine::CumulatedSums;
using engine::RegionSums;
using engine::View;

/// Enough work to pay for handing a task out.
constexpr std::int64_t pixels_per_task = std::int64_t{1} << 16;

const ContourKernels& contour() { return *kernels().contour; }
std::size_t type_of(const View& pixels) { return static_cast<std::size_t>(pixels.type); }

std::uint64_t* words_of(const CumulatedSums& grid, std::int64_t row) {
  return reinterpret_cast<std::uint64_t*>(grid.sums.host_row(row));
}

/// What is done with one row of pixels.
struct CumulateRow {
  ContourKernels::CumulateRow kernel = nullptr;
  std::int64_t stride = 1;
};

/// In groups of the largest power of two that the cells may be cut into.
CumulateRow in_groups_of(const View& pixels, std::int64_t group, std::int64_t step) {
  const int power =
      std::min(std::countr_zero(static_cast<std::uint64_t>(group)), contour_groups - 1);
  return {contour().cumulate_row[type_of(pixels)][power], step >> power};
}

/// Sums of blocks of one row of them, at first each on its own behind the place of its prefix.
class BlockRow {
 public:
  BlockRow(const CumulatedSums& blocks, std::int64_t row)
      : words_(blocks.sums.memory ? words_of(blocks, row) : nullptr),
        count_(blocks.words_in_row()) {
    if (words_ != nullptr) std::fill(words_, words_ + count_, 0);
  }
  std::uint64_t* sums() const { return words_ != nullptr ? words_ + 2 : nullptr; }
  void cumulate() const {
    if (words_ == nullptr) return;
    for (std::int64_t i = 2; i < count_; ++i) words_[i] += words_[i - 2];
  }

 private:
  std::uint64_t* words_;
  std::int64_t count_;
};

/// One pass over the pixels: of each row the store and the blocks while it is in the cache, in one
/// go where a step is made of whole blocks.
class Cumulation {
 public:
  Cumulation(const View& pixels, const CumulatedSums& rows, const CumulatedSums& blocks)
      : pixels_(pixels), rows_(rows), blocks_(blocks) {
    const bool both = rows.sums.memory && blocks.sums.memory;
    together_ = both && rows.step % blocks.block == 0;
    by_rows_ = in_groups_of(pixels, together_ ? blocks.block : rows.step, rows.step);
    by_blocks_ = in_groups_of(pixels, blocks.block, blocks.block);
  }

  /// A band is a row of blocks; without blocks it is a row of pixels.
  std::int64_t rows_in_band() const { return blocks_.sums.memory ? blocks_.block : 1; }
  std::int64_t bands() const { return (pixels_.shape.y + rows_in_band() - 1) / rows_in_band(); }
  void run(std::int64_t band) const {
    const BlockRow block(blocks_, band);
    const std::int64_t end = std::min((band + 1) * rows_in_band(), pixels_.shape.y);
    for (std::int64_t y = band * rows_in_band(); y < end; ++y) {
      const std::byte* row = pixels_.host_row(y);
      const std::int64_t count = pixels_.shape.x;
      if (rows_.sums.memory) {
        by_rows_.kernel(row, count, by_rows_.stride, words_of(rows_, y),
                        together_ ? block.sums() : nullptr);
      }
      if (block.sums() != nullptr && !together_) {
        by_blocks_.kernel(row, count, by_blocks_.stride, nullptr, block.sums());
      }
    }
    block.cumulate();
  }

 private:
  const View& pixels_;
  const CumulatedSums& rows_;
  const CumulatedSums& blocks_;
  bool together_ = false;
  CumulateRow by_rows_, by_blocks_;
};

/// Calls work(row) for every row, in tasks of enough pixels.
template <class Work>
void for_rows(std::int64_t rows, std::int64_t pixels_in_row, Work&& work) {
  const std::int64_t in_task = std::max<std::int64_t>(1, pixels_per_task / pixels_in_row);
  parallel_for((rows + in_task - 1) / in_task, [&](std::int64_t task) {
    const std::int64_t end = std::min((task + 1) * in_task, rows);
    for (std::int64_t row = task * in_task; row < end; ++row) work(row);
  });
}

void coarsen_row(const CumulatedSums& fine, const CumulatedSums& coarse, std::int64_t row) {
  const std::uint64_t* upper = words_of(fine, 2 * row);
  const bool has_lower = 2 * row + 1 < fine.rows();
  const std::uint64_t* lower = has_lower ? words_of(fine, 2 * row + 1) : nullptr;
  std::uint64_t* words = words_of(coarse, row);
  for (std::int64_t column = 0; column <= coarse.columns(); ++column) {
    const std::int64_t from = 2 * std::min(2 * column, fine.columns());
    words[2 * column] = upper[from] + (has_lower ? lower[from] : 0);
    words[2 * column + 1] = upper[from + 1] + (has_lower ? lower[from + 1] : 0);
  }
}

constexpr RowRange all_rows{0, std::int64_t{1} << 62};

/// Rows that an edge or a triangle covers, and about how long it takes, in rows of an edge.
struct Work {
  RowRange rows;
  std::int64_t cost;
};

/// Such as a thread does in the time it takes to wake another.
constexpr std::int64_t cost_of_task = 4096;

/// The rows between two heights, with one more at either end so that rounding does not matter.
/// `unit` is a power of two.
RowRange rows_about(std::int64_t low, std::int64_t high, std::int64_t unit, std::int64_t rows) {
  const int shift = std::countr_zero(static_cast<std::uint64_t>(unit));
  return {std::clamp<std::int64_t>((low >> shift) - 1, 0, rows),
          std::clamp<std::int64_t>((high >> shift) + 2, 0, rows)};
}

/// A batch of edges or triangles in tasks of about equal cost: several whole ones, or a part of a
/// long one, for integer sums may be taken apart and added in any order.
class Batch {
 public:
  void add(std::size_t item, const Work& work) {
    if (work.cost >= 2 * cost_of_task) return add_parts(item, work);
    if (open_cost_ == 0) tasks_.push_back({.first = item});
    tasks_.back().end = item + 1;
    open_cost_ += work.cost;
    if (open_cost_ >= cost_of_task) open_cost_ = 0;
  }

  /// results[item] = sum(item, rows of it). Small batches, of which a search makes thousands, are
  /// done here and now.
  template <class Sum>
  void run(RegionSums* results, Sum&& sum) {
    const auto run_task = [&](Task& task) {
      if (task.is_part) {
        task.sums = sum(task.first, task.rows);
      } else {
        for (std::size_t i = task.first; i < task.end; ++i) results[i] = sum(i, all_rows);
      }
    };
    if (tasks_.size() <= 2) {
      std::for_each(tasks_.begin(), tasks_.end(), run_task);
    } else {
      parallel_for(static_cast<std::int64_t>(tasks_.size()),
                   [&](std::int64_t task) { run_task(tasks_[static_cast<std::size_t>(task)]); });
    }
    add_up(results);
  }

 private:
  struct Task {
    std::size_t first = 0, end = 0;
    bool is_part = false;
    RowRange rows{};    ///< Of a part.
    RegionSums sums{};  ///< Of a part.
  };

  void add_parts(std::size_t item, const Work& work) {
    const std::int64_t rows = work.rows.end - work.rows.first;
    const std::int64_t parts = std::min(work.cost / cost_of_task, rows);
    for (std::int64_t part = 0; part < parts; ++part) {
      const RowRange range{work.rows.first + rows * part / parts,
                           work.rows.first + rows * (part + 1) / parts};
      tasks_.push_back({.first = item, .end = item + 1, .is_part = true, .rows = range});
    }
    open_cost_ = 0;
  }
  void add_up(RegionSums* results) const {
    for (const Task& task : tasks_) {
      if (task.is_part) results[task.first] = {};
    }
    for (const Task& task : tasks_) {
      if (task.is_part) results[task.first] += task.sums;
    }
  }

  std::vector<Task> tasks_;
  std::int64_t open_cost_ = 0;  ///< Of the last task; 0 when the next item begins another.
};

Corner corner(const GridPoint& point) { return {point.x, point.y}; }
RegionSums sums_of(const PixelTotals& totals) { return {totals.count, totals.sum, totals.squares}; }

PixelRows rows_of(const View& pixels, const Shape& image) {
  return {pixels.memory ? pixels.host_row(0) : nullptr, pixels.pitch.row, image.x, image.y};
}

Work work_of(const CumulatedSums& sums, const engine::ContourEdge& edge) {
  const auto [low, high] = std::minmax(edge.from.y, edge.to.y);
  const RowRange rows = rows_about(low, high, sums.unit(), sums.rows());
  return {rows, 8 + rows.end - rows.first};
}

Work work_of(const View& pixels, const engine::ContourTriangle& t) {
  const std::int64_t top = std::min(std::min(t.a.y, t.b.y), t.c.y);
  const std::int64_t bottom = std::max(std::max(t.a.y, t.b.y), t.c.y);
  const RowRange rows = rows_about(top, bottom, grid_steps_per_pixel, pixels.shape.y);
  const std::int64_t height = rows.end - rows.first;
  const std::int64_t area = std::abs(doubled_area(corner(t.a), corner(t.b), corner(t.c))) / 2 /
                            (grid_steps_per_pixel * grid_steps_per_pixel);
  // Eight pixels in about the time of a row.
  return {rows, 16 + height + std::min(area, height * pixels.shape.x) / 8};
}

}  // namespace

void cumulate(const View& pixels, const CumulatedSums& rows, const CumulatedSums& blocks) {
  const Cumulation cumulation(pixels, rows, blocks);
  for_rows(cumulation.bands(), pixels.shape.x * cumulation.rows_in_band(),
           [&](std::int64_t band) { cumulation.run(band); });
}

void coarsen(const CumulatedSums& fine, const CumulatedSums& coarse) {
  for_rows(coarse.rows(), 4 * coarse.words_in_row(),
           [&](std::int64_t row) { coarsen_row(fine, coarse, row); });
}

void sum_edges(const CumulatedSums& sums, std::span<const engine::ContourEdge> edges,
               RegionSums* results) {
  const SumRows plain{sums.sums.host_row(0), sums.sums.pitch.row, sums.columns(),
                      sums.rows(),           sums.block,          sums.step,
                      sums.unit(),           sums.origin(),       rows_of(sums.pixels, sums.image)};
  const auto sum_edge = contour().sum_edge[sums.step > 1 ? type_of(sums.pixels) : 0];
  Batch batch;
  for (std::size_t i = 0; i < edges.size(); ++i) batch.add(i, work_of(sums, edges[i]));
  batch.run(results, [&](std::size_t i, RowRange rows) {
    return sums_of(sum_edge(plain, corner(edges[i].from), corner(edges[i].to), rows));
  });
}

void sum_triangles(const View& pixels, std::span<const engine::ContourTriangle> triangles,
                   RegionSums* results) {
  const PixelRows plain = rows_of(pixels, pixels.shape);
  const auto sum_triangle = contour().sum_triangle[type_of(pixels)];
  Batch batch;
  for (std::size_t i = 0; i < triangles.size(); ++i) batch.add(i, work_of(pixels, triangles[i]));
  batch.run(results, [&](std::size_t i, RowRange rows) {
    const engine::ContourTriangle& t = triangles[i];
    return sums_of(sum_triangle(plain, corner(t.a), corner(t.b), corner(t.c), rows));
  });
}

namespace {

using engine::ContourEnds;
using engine::MovingBatch;
using engine::MovingContour;
using engine::View;

static_assert(snake_band == engine::weights_of_open_point);

ForceRows rows_of(const View& force) {
  return {force.host_row(0), force.host_row(force.shape.y), force.pitch.row, force.shape.x,
          force.shape.y};
}

SnakePlan plan_of(const MovingContour& c, const MovingBatch& batch) {
  const bool is_open = c.ends != ContourEnds::closed;
  return {.points = c.points,
          .origin_x = c.origin_x,
          .origin_y = c.origin_y,
          .is_open = is_open,
          .has_fixed_ends = c.ends == ContourEnds::fixed,
          .taps = is_open ? 0 : c.taps,
          .step = c.step,
          .balloon = c.balloon,
          .tension = c.tension,
          .rigidity = c.rigidity,
          .normal = c.normal,
          .weights = batch.weights.data() + c.first_weight};
}

void move_contour(const ForceRows& force, const MovingBatch& batch, const MovingContour& contour) {
  const SnakePlan plan = plan_of(contour, batch);
  const SnakeRoom room = room_of(plan);
  std::vector<float> numbers(static_cast<std::size_t>(snake_lines * room.length));
  float* x = numbers.data() + room.margin;
  float* y = x + room.length;
  float* batch_x = batch.x.data() + contour.first;
  float* batch_y = batch.y.data() + contour.first;
  std::copy_n(batch_x, plan.points, x);
  std::copy_n(batch_y, plan.points, y);
  kernels().snake->move(force, plan, batch.steps, numbers.data());
  std::copy_n(x, plan.points, batch_x);
  std::copy_n(y, plan.points, batch_y);
}

}  // namespace

/// One task a contour, which depends on nothing but itself.
void move_contours(const View& force, const MovingBatch& batch) {
  const ForceRows rows = rows_of(force);
  parallel_for(static_cast<std::int64_t>(batch.contours.size()), [&](std::int64_t i) {
    move_contour(rows, batch, batch.contours[static_cast<std::size_t>(i)]);
  });
}

}  // namespace meander::cpu
