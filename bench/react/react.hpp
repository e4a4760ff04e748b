// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/harness.hpp"
#include "bench/scaling.hpp"
#include "meander/image.hpp"

/// The paper's edge detector on a device in float32: nanoseconds for each cell and step.
namespace meander::bench {

/// What is measured, in this order.
///
/// - ours: the device's engine as a user gets it, 200 steps at a time; rows, ring: the two ways of
///   `cpu`.
/// - copy: the least that a step at a time must move, two numbers a cell read and written, on the
///   device. core: the `cpu` engine's row function on lines that stay in the first-level cache, on
///   all threads at once.
/// - plain: the paper's loop, scalar, on one thread; vectorised: the same text as the compiler
///   vectorises it for the engine's instruction set, on one thread.
/// - fixed16, fixed32: integers alone, vectorised by the compiler, on all threads.
enum class ReactWay : std::uint8_t {
  ours,
  rows,
  ring,
  copy,
  core,
  plain,
  vectorised,
  fixed16,
  fixed32
};
const char* name_of(ReactWay way);

struct ReactRow {
  ReactWay way = ReactWay::ours;
  Quartiles nanoseconds;            ///< For each cell and step.
  Quartiles over_ours;              ///< Its time over ours, pair by pair.
  int bytes = 0;                    ///< That a cell and step reads and writes in memory, at least.
  double gigabytes_per_second = 0;  ///< Of those.
};

struct ReactResult {
  Shape size;
  Clock clock = Clock::wall;
  std::string level;               ///< Instruction set.
  std::string notes;               ///< How the engine did it, and why.
  std::vector<ReactRow> rows;      ///< One for each way.
  double seconds = 0;              ///< Ours for 200 steps.
  std::optional<Scaling> scaling;  ///< With more than one thread.

  const ReactRow& row(ReactWay way) const { return rows.at(static_cast<std::size_t>(way)); }
  /// Of copy and core the one that takes longer.
  ReactWay larger_bound() const;
  /// Our time over that of another, pair by pair.
  Quartiles ours_over(ReactWay way) const;
};

/// All ways in turn on one plane. One thread of `cpu` is timed by process time, all else by the
/// wall clock. A timing takes at least 50 ms. Throws InvalidArgument for a volume. Memory: 88 bytes
/// a cell.
ReactResult bench_react(const Shape& size, const Device& device, int runs, const Control& control);

/// 200 steps by groups of work items of one shape.
struct ReactGroups {
  std::string name;
  int width = 0, height = 0;  ///< Of a group; 0 for the first two, which are the engine's own ways.
  bool is_alone = false;      ///< A single group.
  Quartiles seconds = {};
  Quartiles over_ours = {};  ///< Over what a user gets, pair by pair.
};
/// The engine as a user gets it, then one step a launch: as the engine does it, in groups of other
/// shapes, those that the device takes, with a cell an item, and for images up to 256x256 once by a
/// single work item. Throws Unsupported for a device that has no groups. Memory: 24 bytes a cell.
std::vector<ReactGroups> react_groups(const Shape& size, const Device& device, int runs,
                                      const Control& control);

/// How far u is from what the engine computes in float64 after 200 steps.
struct ReactAccuracy {
  std::string arithmetic;
  double rms = 0, max = 0;
  std::int64_t signs = 0;  ///< Cells whose u has another sign.
};
/// Of the engine in float32 and of both kinds of integers, on the picture that is timed.
std::vector<ReactAccuracy> react_accuracy(const Shape& size, const Control& control);

}  // namespace meander::bench
