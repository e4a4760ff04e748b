// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <algorithm>

#include "bench/react/paper.hpp"
#include "bench_verb/bench.hpp"
#include "bench_verb/figures.hpp"
#include "bench_verb/react_report.hpp"
#include "meander/outline_text.hpp"

namespace meander::app {
namespace {

std::int64_t cells_of(const Shape& size) { return size.x * size.y; }

std::vector<Shape> paper_sizes(bool all) {
  std::vector<Shape> sizes;
  if (all) {
    for (const auto& entry : bench::paper_final) sizes.push_back({entry.side, entry.side, 1});
  } else {
    for (const auto& entry : bench::paper_times) sizes.push_back({entry.side, entry.side, 1});
  }
  return sizes;
}

/// What is to be measured, checked and reported.
std::vector<Shape> sizes_of(Session& session, const BenchOptions& options,
                            const ReactBenchOptions& react) {
  if (react.paper && options.size) {
    throw InvalidArgument("--paper: found with --size, expected it alone");
  }
  if (react.paper && react.groups) {
    throw InvalidArgument("--groups: found with --paper, expected it alone");
  }
  const std::vector<Shape> of_groups{{128, 128, 1}, {256, 256, 1}, {512, 512, 1}};
  const std::vector<Shape> sizes =
      options.size.value_or(react.groups ? of_groups : paper_sizes(react.paper));
  for (const Shape& size : sizes) {
    if (size.z == 1) continue;
    throw InvalidArgument(
        fmt::format("--size: found {}, expected a plane for react", to_string(size)));
  }
  session.report().set_option("size", OptionText<std::vector<Shape>>::format(sizes));
  return sizes;
}

std::vector<bench::ReactResult> measure(Session& session, const std::vector<Shape>& sizes,
                                        int runs) {
  SizeShares shares(sizes, 0.1);
  std::vector<bench::ReactResult> results;
  for (const Shape& size : sizes) {
    results.push_back(bench::bench_react(size, session.device(), runs, shares.next(session, size)));
    report_react(session, results.back());
  }
  return results;
}

void measure_groups(Session& session, const std::vector<Shape>& sizes, int runs) {
  SizeShares shares(sizes);
  for (const Shape& size : sizes) {
    report_react_groups(
        session, size,
        bench::react_groups(size, session.device(), runs, shares.next(session, size)));
  }
}

}  // namespace

int run_bench_react(Session& session, const BenchOptions& options, const ReactBenchOptions& react,
                    const PlotOptions& drawing) {
  const std::vector<Shape> sizes = sizes_of(session, options, react);
  if (session.common().dry_run) {
    for (const Shape& size : sizes) {
      session.say(fmt::format("would run the edge detector on a {} image in {}, {} times each",
                              to_string(size), react.groups ? "groups of many shapes" : "9 ways",
                              options.runs));
    }
    return done;
  }
  if (react.groups) {
    measure_groups(session, sizes, static_cast<int>(options.runs));
    return done;
  }
  // Its other ways are those of the processor.
  std::string& named = session.invocation().device.device;
  if (named == DeviceOptions{}.device) named = "cpu";
  // The smallest is enough to tell how exact integers are.
  const Shape& smallest =
      *std::min_element(sizes.begin(), sizes.end(),
                        [](const Shape& a, const Shape& b) { return cells_of(a) < cells_of(b); });
  const auto accuracy = bench::react_accuracy(smallest, session.control(0, 0.1));
  const auto results = measure(session, sizes, static_cast<int>(options.runs));
  report_react_paper(session, results);
  report_react_accuracy(session, smallest, accuracy);
  write_plot(session, drawing, [&] { return react_plot(results); });
  return done;
}

}  // namespace meander::app
