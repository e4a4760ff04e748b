// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "bench_verb/bench.hpp"
#include "bench_verb/figures.hpp"
#include "bench_verb/flow_report.hpp"
#include "meander/outline_text.hpp"

namespace meander::app {
namespace {

std::vector<Shape> default_sizes(bool accuracy) {
  if (accuracy) return {{512, 512, 1}};
  std::vector<Shape> sizes;
  for (const std::int64_t side : {256, 512, 1024, 2048, 4096}) sizes.push_back({side, side, 1});
  for (const std::int64_t side : {64, 128, 256}) sizes.push_back({side, side, side});
  return sizes;
}

void say_plan(Session& session, const std::vector<Shape>& sizes, bool accuracy, std::int64_t runs) {
  for (const Shape& size : sizes) {
    session.say(accuracy ? fmt::format("would solve two {} images in 6 ways", to_string(size))
                         : fmt::format("would run the flow of a {} image in 9 ways, {} times each",
                                       to_string(size), runs));
  }
}

void measure(Session& session, const std::vector<Shape>& sizes, int runs,
             const PlotOptions& drawing) {
  SizeShares shares(sizes);
  std::vector<bench::FlowBench> results;
  for (const Shape& size : sizes) {
    const Control control = shares.next(session, size);
    results.push_back(bench::bench_flow(size, session.device(), runs, control));
    report_flow(session, results.back());
    report_flow_memory(session, size,
                       bench::flow_memory(size, session.device(), {.stop = control.stop}));
  }
  report_flow_growth(session, results);
  report_flow_paper(session, results);
  write_plot(session, drawing, [&] { return flow_plot(results); });
}

}  // namespace

int run_bench_flow(Session& session, const BenchOptions& options, const AccuracyOptions& errors,
                   const PlotOptions& drawing) {
  refuse_plot_of_accuracy(errors, drawing, "flow");
  const std::vector<Shape> sizes = options.size.value_or(default_sizes(errors.accuracy));
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
    report_flow_accuracy(session,
                         bench::flow_accuracy(size, session.device(), shares.next(session, size)));
  }
  return done;
}

}  // namespace meander::app
