// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench.hpp"

#include <fmt/format.h>

namespace meander::app {
namespace {

BenchOptions options;
SmoothBenchOptions smooth_options;

/// An option that has no effect would only mislead.
template <class Options>
void refuse_if_set(Options& given) {
  Options fresh;
  const auto initial = entries_of(fresh);
  const auto found = entries_of(given);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].get() == initial[i].get()) continue;
    throw InvalidArgument(fmt::format("--{} is for `bench smooth` alone", found[i].name));
  }
}

int run(Session& session) {
  validate(options);
  validate(smooth_options);
  if (session.argument(0) == "smooth") return run_bench_smooth(session, options, smooth_options);
  refuse_if_set(smooth_options);
  refuse_if_set(device_options);
  return run_bench_io(session, options);
}

}  // namespace

Verb bench_verb() {
  return {.name = "bench",
          .summary = "Measures Meander on this machine against plain baselines in the same run",
          .details =
              "io: reading an image from the page cache against read() of the same bytes, each run "
              "in a fresh process. smooth: every method of smoothing, in nanoseconds for each "
              "pixel and axis, beside a copy of the image (\"copies\" is the time of one axis over "
              "that of one copy) and the exact Gaussian: differences of the image are of its "
              "range, errors of the impulse response of its peak. Figures are medians over runs "
              "taken in turn; below 1 is faster than the baseline.",
          .example = "meander bench smooth --sigma 2,12,50 --threads 1",
          .arguments = {{.name = "WHAT", .help = "what to measure", .choices = {"io", "smooth"}}},
          .options = entries_of(options, smooth_options, device_options),
          .run = run};
}

}  // namespace meander::app
