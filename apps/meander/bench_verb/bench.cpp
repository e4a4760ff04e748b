// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench_verb/bench.hpp"

#include <fmt/format.h>

namespace meander::app {
namespace {

/// Of all benchmarks and of each.
struct AllBenchOptions {
  BenchOptions all;
  SmoothBenchOptions smooth;
  ReactBenchOptions react;
  DeviceBenchOptions device;
  AccuracyOptions accuracy;
  PlotOptions plot;
};

/// An option that has no effect would only mislead.
template <class Options>
void refuse_if_set(Options& given, const char* whose) {
  Options fresh;
  const auto initial = entries_of(fresh);
  const auto found = entries_of(given);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].get() == initial[i].get()) continue;
    throw InvalidArgument(fmt::format("--{} is for {} alone", found[i].name, whose));
  }
}

void refuse_runs_of_accuracy(const AllBenchOptions& options) {
  if (!options.accuracy.accuracy || options.all.runs == BenchOptions{}.runs) return;
  throw InvalidArgument(
      "--accuracy: found with --runs, expected it without, since nothing is timed");
}

int run(Session& session, AllBenchOptions& options) {
  validate(options.all);
  validate(options.smooth);
  validate(options.device);
  const std::string& what = session.argument(0);
  if (what != "smooth") refuse_if_set(options.smooth, "`bench smooth`");
  if (what != "react") refuse_if_set(options.react, "`bench react`");
  if (what != "device") refuse_if_set(options.device, "`bench device`");
  refuse_runs_of_accuracy(options);
  if (what == "smooth") {
    return run_bench_smooth(session, options.all, options.smooth, options.accuracy, options.plot);
  }
  if (what == "flow") return run_bench_flow(session, options.all, options.accuracy, options.plot);
  if (what == "segment")
    return run_bench_segment(session, options.all, options.accuracy, options.plot);
  refuse_if_set(options.accuracy, "`bench smooth`, `bench flow` and `bench segment`");
  if (options.react.groups) refuse_if_set(options.plot, "`bench react` without --groups");
  if (what == "react") return run_bench_react(session, options.all, options.react, options.plot);
  refuse_if_set(options.plot, "`bench smooth`, `bench react`, `bench flow` and `bench segment`");
  if (what == "device") return run_bench_device(session, options.all, options.device);
  refuse_if_set(session.invocation().device,
                "`bench smooth`, `bench react`, `bench flow`, `bench segment` and `bench device`");
  return run_bench_io(session, options.all);
}

}  // namespace

Verb bench_verb() {
  const auto options = std::make_shared<AllBenchOptions>();
  const auto shared = std::make_shared<Invocation>();
  return {
      .name = "bench",
      .summary = "Measures Meander on this machine against plain baselines in the same run",
      .details =
          "io: reading an image from the page cache against read() of the same bytes, each run "
          "in a fresh process. smooth: every method of smoothing, in nanoseconds for each "
          "pixel and axis, beside a copy of the image (\"copies\" is the time of one axis over "
          "that of one copy) and the exact Gaussian: differences of the image are of its "
          "range, errors of the impulse response of its peak. react: the paper's edge detector "
          "on a device [cpu], in nanoseconds for each cell and step, beside a copy of the states "
          "there, both ways of the cpu, the same arithmetic inside its first-level cache, the "
          "plain loop, the same loop "
          "vectorised by the compiler, integers alone, and the paper's tables. flow: gradient "
          "vector flow of a star (in depth: a head) with noise: the published steps in "
          "nanoseconds for each pixel and step, by storage, beside a copy of the field and the "
          "plain loop; the solvers beside 512 (in depth 100) steps of that loop; memory; the "
          "paper's tables. segment: the region snake on a star with Gaussian noise of SNR 1: "
          "stores and searches beside the published one on one thread, blur + Otsu (with the "
          "scale that suits it best) and one pass over the image; time by parts, memory, "
          "score, and the paper's statements. device: one table in Markdown for any device, with "
          "the images on it already: milliseconds of a whole call, by the device's own "
          "clock and, of networks and explicit flows, with one step a launch, over those of cpu, "
          "the bytes that "
          "plain passes move over the device's copy "
          "rate, and launches, waits, transfers and allocations of a second call. Figures are "
          "medians over runs taken in turn; "
          "below 1 is faster than "
          "the baseline.",
      .example = "meander bench smooth --sigma 2,12,50 --threads 1",
      .arguments = {{.name = "WHAT",
                     .help = "what to measure",
                     .choices = {"io", "smooth", "react", "flow", "segment", "device"}}},
      .options = entries_of(options->all, options->smooth, options->react, options->device,
                            options->accuracy, options->plot, shared->device),
      .run = [options](Session& session) { return run(session, *options); },
      .invocation = shared};
}

}  // namespace meander::app
