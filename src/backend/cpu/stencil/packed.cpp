// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <vector>

#include "backend/cpu/flush_denormals.hpp"
#include "backend/cpu/stencil/stencil.hpp"
#include "core/parallel_for.hpp"
#include "engine/ghost.hpp"
#include "meander/device.hpp"

namespace meander::cpu {
namespace {

constexpr std::int64_t slices_kept = 3;
constexpr std::int64_t cells_kept = std::int64_t{1} << 16;  // a quarter of a megabyte of floats

/// Rows [first_row, last_row) of slices [first_slice, last_slice).
struct Tile {
  std::int64_t first_row, last_row, first_slice, last_slice;
};

/// Takes a tile through one step. The lines that its cells look at are kept as floats, of three
/// slices at a time; what stands beyond the grid is kept like any other line.
class PackedStep {
 public:
  PackedStep(const Grid<float>& grid, const StencilNumbers<float>& numbers, const engine::View& in,
             const engine::View& fields, const engine::View& out, const Tile& tile)
      : grid_(grid), numbers_(numbers), in_(in), fields_(fields), out_(out), tile_(tile) {
    const bool is_half = in.type == PixelType::f16;
    widen_ = is_half ? kernels().packed->widen_half : kernels().packed->widen_part;
    narrow_ = is_half ? kernels().packed->narrow_half : kernels().packed->narrow_part;
    // Lines of a power of two would share the same few places of the cache.
    pitch_ = in.shape.x / cells_per_cache_line * cells_per_cache_line + 2 * cells_per_cache_line;
    const std::int64_t lines = (grid.has_depth() ? slices_kept : 1) * rows_kept() * grid.states();
    static thread_local std::vector<float> memory;  // a megabyte or so, kept
    const auto cells =
        static_cast<std::size_t>((lines + most_stencil_fields + most_stencil_states) * pitch_);
    if (memory.size() < cells) memory.resize(cells);
    kept_ = memory.data();
    fields_kept_ = kept_ + lines * pitch_;
    next_kept_ = fields_kept_ + most_stencil_fields * pitch_;
  }

  void run() const {
    if (grid_.has_depth()) {
      widen_slice(tile_.first_slice - 1);
      widen_slice(tile_.first_slice);
    }
    for (std::int64_t z = tile_.first_slice; z < tile_.last_slice; ++z) {
      if (grid_.work().stop.stop_requested()) return;
      widen_slice(grid_.has_depth() ? z + 1 : z);
      for (std::int64_t y = tile_.first_row; y < tile_.last_row; ++y) make_line(y, z);
    }
  }

 private:
  std::int64_t rows_kept() const { return tile_.last_row - tile_.first_row + 2; }

  float* kept_line(int state, std::int64_t y, std::int64_t z) const {
    const std::int64_t slice = grid_.has_depth() ? (z + slices_kept) % slices_kept : 0;
    const std::int64_t row = slice * rows_kept() + (y - tile_.first_row + 1);
    return kept_ + (row * grid_.states() + state) * pitch_;
  }

  void widen_slice(std::int64_t z) const {
    const std::int64_t from_z = engine::ghost_index(z, in_.shape.z, grid_.border());
    for (std::int64_t y = tile_.first_row - 1; y <= tile_.last_row; ++y) {
      const std::int64_t from_y = engine::ghost_index(y, in_.shape.y, grid_.border());
      for (int s = 0; s < grid_.states(); ++s) {
        float* line = kept_line(s, y, z);
        if (from_y < 0 || from_z < 0) {
          std::fill_n(line, in_.shape.x, numbers_.border_value);
        } else {
          widen_(packed_line(in_, s, from_y, from_z), line, in_.shape.x);
        }
      }
    }
  }

  static std::int16_t* packed_line(const engine::View& view, int channel, std::int64_t y,
                                   std::int64_t z) {
    return reinterpret_cast<std::int16_t*>(
        view.host_row((channel * view.shape.z + z) * view.shape.y + y));
  }

  void make_line(std::int64_t y, std::int64_t z) const {
    StencilLine<float> line;
    line.begin = 0;
    line.end = line.length = in_.shape.x;
    for (int s = 0; s < grid_.states(); ++s) {
      line.centre[s] = kept_line(s, y, z);
      line.next[s] = next_kept_ + s * pitch_;
      line.before[0][s] = kept_line(s, y - 1, z);
      line.after[0][s] = kept_line(s, y + 1, z);
      line.before[1][s] = kept_line(s, y, z - 1);
      line.after[1][s] = kept_line(s, y, z + 1);
    }
    for (int f = 0; f < engine::facts_of(grid_.work().rule).fields; ++f) {
      float* field = fields_kept_ + f * pitch_;
      widen_(packed_line(fields_, f, y, z), field, in_.shape.x);
      line.field[f] = field;
    }
    {
      const FlushDenormals flush;  // not while lines are converted: halves may be small
      grid_.function()(line, numbers_);
    }
    for (int s = 0; s < grid_.states(); ++s) {
      narrow_(line.next[s], packed_line(out_, s, y, z), in_.shape.x);
    }
  }

  const Grid<float>& grid_;
  const StencilNumbers<float>& numbers_;
  const engine::View &in_, &fields_, &out_;
  const Tile tile_;
  PackedKernels::Widen widen_;
  PackedKernels::Narrow narrow_;
  std::int64_t pitch_;  ///< Cells from a kept line to the next.
  float *kept_, *fields_kept_, *next_kept_;
};

}  // namespace

/// Tiles as high as what is kept allows, for two rows around each are converted twice; but enough
/// for all threads.
void step_packed(const Grid<float>& grid, std::int64_t step, const engine::View& in,
                 const engine::View& fields, const engine::View& out) {
  const Shape& shape = in.shape;
  const bool is_deep = grid.has_depth();
  const std::int64_t cells_per_row = shape.x * grid.states() * (is_deep ? slices_kept : 1);
  const std::int64_t rows = std::clamp<std::int64_t>(cells_kept / cells_per_row - 2, 1,
                                                     (shape.y + threads() - 1) / threads());
  const std::int64_t tiles = (shape.y + rows - 1) / rows;
  const std::int64_t parts =
      is_deep ? std::min<std::int64_t>(shape.z, tiles < threads() ? threads() : 1) : shape.z;
  const StencilNumbers<float> numbers = grid.numbers_of_step(step);
  parallel_for(tiles * parts, [&](std::int64_t task) {
    const std::int64_t first_row = task % tiles * rows, part = task / tiles;
    const Tile tile{first_row, std::min(first_row + rows, shape.y), shape.z * part / parts,
                    shape.z * (part + 1) / parts};
    PackedStep(grid, numbers, in, fields, out, tile).run();
  });
}

}  // namespace meander::cpu
