// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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

}  // namespace meander::contour
