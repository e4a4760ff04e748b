// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "backend/cpu/scan_kernels.hpp"
#include "engine/scan.hpp"
#include "engine/view_lines.hpp"

/// Lines of an image along an axis, up to panel_lanes neighbours at a time, and how they come into
/// a panel and back.
namespace meander::cpu {

/// How the lines of views that differ only in their length along the axis are cut into blocks; the
/// same for any number of threads.
class LineBlocks {
 public:
  LineBlocks(const engine::View& view, engine::Axis axis);

  std::int64_t count() const { return groups_ * blocks_per_group_; }
  engine::Axis axis() const { return axis_; }

  struct Block {
    std::int64_t
        group;  ///< What the lines have in common: slice or row, and channel. Along x: none.
    std::int64_t first;  ///< The first line: a column or, along x, a row of all rows.
    int lines;
  };
  Block block(std::int64_t index) const;

  /// Calls work(block, scratch) for every block, on all threads, with `bytes` of scratch. A task
  /// takes as many blocks as pay for handing it out.
  void for_each(std::int64_t bytes,
                const std::function<void(const Block& block, std::byte* scratch)>& work) const;

 private:
  engine::Axis axis_;
  std::int64_t length_, groups_, blocks_per_group_, lines_per_group_;
};

/// Positions along the lines that are moved at a time: a panel of them stays in the first cache.
inline constexpr std::int64_t chunk_length = engine::scan_chunk;

/// One block's lines in one view.
class BlockLines {
 public:
  BlockLines(const engine::View& view, engine::Axis axis, const LineBlocks::Block& block);

  /// Positions [begin, begin + count) as rows of a panel, count <= chunk_length; lanes without a
  /// line get finite numbers.
  template <class Real>
  void gather(std::int64_t begin, std::int64_t count, Real* panel) const;
  /// Back; the view's type is that of Real.
  template <class Real>
  void scatter(const Real* panel, std::int64_t begin, std::int64_t count) const;

  /// Whether the pixels can be used where they are, as rows of a panel that lie `stride` numbers
  /// apart.
  template <class Real>
  bool is_panel() const;
  template <class Real>
  Real* row(std::int64_t position) const {
    return reinterpret_cast<Real*>(base_ + position * stride_);
  }
  template <class Real>
  std::ptrdiff_t stride() const {
    return stride_ / static_cast<std::ptrdiff_t>(sizeof(Real));
  }

 private:
  template <class Real>
  void gather_rows(std::int64_t begin, std::int64_t count, Real* panel) const;

  PixelType type_;
  bool along_x_;
  int lines_;
  std::byte* base_ = nullptr;  ///< Of lines along y or z: the first pixel of the first.
  std::int64_t stride_ = 0;    ///< Bytes from position to position.
  std::array<std::byte*, panel_lanes> starts_ = {};  ///< Of lines along x; the last one repeated.
};

}  // namespace meander::cpu
