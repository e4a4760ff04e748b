// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "bench_verb/bench.hpp"
#include "bench_verb/figures.hpp"
#include "bench_verb/segment_report.hpp"
#include "meander/outline_text.hpp"

namespace meander::app {
namespace {

constexpr int seeds = 10;  // of every kind of image whose accuracy is measured

std::vector<Shape> squares(std::initializer_list<std::int64_t> sides) {
  std::vector<Shape> sizes;
  for (const std::int64_t side : sides) sizes.push_back({side, side, 1});
  return sizes;
}

void refuse_volumes(const std::vector<Shape>& sizes) {
  for (const Shape& size : sizes) {
    if (size.z == 1) continue;
    throw InvalidArgument(
        fmt::format("--size: found {}, expected planes for segment", to_string(size)));
  }
}

/// Those that were asked for, or those of the default list that memory allows.
std::vector<Shape> sizes_of(Session& session, const BenchOptions& options, bool accuracy) {
  if (options.size) {
    refuse_volumes(*options.size);
    return *options.size;
  }
  if (accuracy) return squares({1024});
  std::vector<Shape> sizes;
  const auto budget = static_cast<std::int64_t>(Device::open("cpu").memory().budget);
  for (const Shape& size : squares({1024, 2048, 4096, 6000, 12000})) {
    if (const auto bytes = bench::segment_bench_bytes(size); bytes <= budget) {
      sizes.push_back(size);
    } else {
      session.say(fmt::format("{} is left out: its image and mask need {} bytes, the budget is {}",
                              to_string(size), bytes, budget));
      session.report().result()["left_out"].push_back(to_string(size));
    }
  }
  return sizes;
}

void say_plan(Session& session, const std::vector<Shape>& sizes, bool accuracy, std::int64_t runs) {
  for (const Shape& size : sizes) {
    session.say(accuracy ? fmt::format("would segment 14 kinds of {} images, {} of each, in 4 ways",
                                       to_string(size), seeds)
                         : fmt::format("would segment a {} image in {} ways, at most {} times each",
                                       to_string(size), std::size(bench::segment_ways), runs));
  }
}

void measure(Session& session, const std::vector<Shape>& sizes, int runs,
             const PlotOptions& drawing) {
  std::vector<bench::SegmentBench> results;
  SizeShares shares(sizes);
  for (const Shape& size : sizes) {
    const Control control = shares.next(session, size);
    results.push_back(bench::bench_segment(size, session.device(), runs, control));
    report_segment(session, results.back());
  }
  report_segment_growth(session, results);
  report_segment_paper(session, results);
  write_plot(session, drawing, [&] { return segment_plot(results); });
}

}  // namespace

int run_bench_segment(Session& session, const BenchOptions& options, const AccuracyOptions& errors,
                      const PlotOptions& drawing) {
  refuse_plot_of_accuracy(errors, drawing, "segment");
  const std::vector<Shape> sizes = sizes_of(session, options, errors.accuracy);
  session.report().set_option("size", OptionText<std::vector<Shape>>::format(sizes));
  if (session.common().dry_run) {
    say_plan(session, sizes, errors.accuracy, options.runs);
    return done;
  }
  if (!errors.accuracy) {
    measure(session, sizes, static_cast<int>(options.runs), drawing);
    return done;
  }
  SizeShares shares(sizes);
  for (const Shape& size : sizes) {
    const Control control = shares.next(session, size);
    report_segment_accuracy(session,
                            bench::segment_accuracy(size, seeds, session.device(), control));
  }
  return done;
}

}  // namespace meander::app
