// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/harness.hpp"
#include "bench/scaling.hpp"
#include "meander/segment.hpp"

/// The region snake on a star of 16 bits with Gaussian noise of SNR 1.
namespace meander::bench {

/// What is measured, in this order.
///
/// - paper: cumulated images of every pixel and the published search, on one thread of the cpu: the
///   baseline.
/// - base32_classic, full_pyramid, base32_pyramid: the other pairs of store and search; like the
///   first they are told that the noise is Gaussian.
/// - defaults: segment() as a user calls it, the family of the noise found too.
/// - otsu: blur + Otsu, see blurred_otsu.
/// - read: a pass over the image, see read_pass.
enum class SegmentWay : std::uint8_t {
  paper,
  base32_classic,
  full_pyramid,
  base32_pyramid,
  defaults,
  otsu,
  read
};
inline constexpr SegmentWay segment_ways[] = {SegmentWay::paper,        SegmentWay::base32_classic,
                                              SegmentWay::full_pyramid, SegmentWay::base32_pyramid,
                                              SegmentWay::defaults,     SegmentWay::otsu,
                                              SegmentWay::read};
const char* name_of(SegmentWay way);
/// Of those that call segment().
bool is_snake(SegmentWay way);
SegmentOptions options_of(SegmentWay way);

/// How a search went.
struct SegmentCourse {
  SegmentFigures figures;
  std::int64_t nodes = 0;
  Quartiles build, search;  ///< Seconds of SegmentFigures, over all runs.
  /// Part of a run that is spent in the backend on sums along edges and over triangles: what the
  /// paper calls the criterion, but for the logarithms. On the cpu only, from a run of its own.
  std::optional<double> sums_share;

  double build_share() const { return build.median / (build.median + search.median); }
  double seconds_of_iteration() const;
};

/// Bytes for each pixel beyond the image.
struct SegmentMemory {
  std::optional<double> estimated;  ///< What estimate_bytes says; none for blur + Otsu.
  double measured = 0;              ///< Peak of the device's pool.
  /// Peak of a child process that does nothing else, and the seconds that it takes with memory
  /// nobody has touched before. On the cpu only.
  std::optional<ChildCost> child;
};

struct SegmentRow {
  SegmentWay way = SegmentWay::paper;
  std::string skipped;  ///< Why there are no figures; mostly empty.
  Quartiles seconds;
  std::optional<Quartiles> over_paper;  ///< Its time over that of the baseline, pair by pair.
  Quartiles over_read;                  ///< Over that of one pass over the image, pair by pair.
  std::optional<double> iou;            ///< Of what it found and the star; none of `read`.
  std::optional<SegmentCourse> course;  ///< Of segment().
  std::optional<SegmentMemory> memory;
};

struct SegmentBench {
  Shape size;
  std::string device;
  Clock clock = Clock::wall;
  int runs = 0;
  double otsu_sigma = 0;
  std::vector<SegmentRow> rows;    ///< One for each way.
  std::optional<Scaling> scaling;  ///< Of base32_pyramid, with more than one thread of the cpu.

  const SegmentRow& row(SegmentWay way) const { return rows.at(static_cast<std::size_t>(way)); }
  double pixels() const { return static_cast<double>(size.x * size.y); }
};

/// All ways in turn on one image, `runs` times up to 5 Mpixel, at most 5 times up to 40 and at most
/// 3 times beyond. One thread of the cpu is timed by process time, all else by the wall clock; a
/// timing takes at least 50 ms. Stores that do not fit into the device's budget are skipped with
/// the reason. Memory beside segment()'s own: 3 bytes a pixel, 9 more for blur + Otsu.
SegmentBench bench_segment(const Shape& size, const Device& device, int runs,
                           const Control& control);
/// Bytes of host memory without which it throws OutOfMemory: the image and its mask.
std::int64_t segment_bench_bytes(const Shape& size);

/// The scales that blur + Otsu may choose from, by its score against the truth, which a user would
/// not have: all in its favour.
inline constexpr double otsu_sigmas[] = {2, 3, 5, 8};

struct IouSpread {
  double least = 1, mean = 0;
};
struct SegmentAccuracy {
  std::string image;
  NoiseModel noise = NoiseModel::gaussian;    ///< What `given` was told.
  IouSpread given, automatic, polygon, otsu;  ///< `polygon`: given, and without curves.
  double nodes = 0;                           ///< Of `given`, on average.
  std::int64_t chosen = 0;  ///< In how many of the images `automatic` chose that family.
  double otsu_sigma = 0;    ///< The best of them in the mean.
};
struct SegmentAccuracies {
  Shape size;
  int seeds = 0;
  std::vector<SegmentAccuracy> rows;
};
/// Stars of SNR 2, 1, 0.5 and 0.25; of the background's mean but 1.5 times its sigma; in speckle of
/// one look, 1.3 times as bright as the background; those of SNR 2 and 1 with 0.13 % of the pixels;
/// and flowers, whose outline is smooth, in all but the last.
SegmentAccuracies segment_accuracy(const Shape& size, int seeds, const Device& device,
                                   const Control& control);

}  // namespace meander::bench
