// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "bench/harness.hpp"
#include "bench/scaling.hpp"
#include "bench_verb/bench.hpp"
#include "session/session.hpp"

/// What all benchmarks say alike.
namespace meander::app {

Json quartiles_json(const bench::Quartiles& q);
Json scaling_json(const bench::Scaling& scaling);

/// One way to do a step among others: its time, and its time over ours.
template <class Row>
Json step_json(const Row& row) {
  return {{"name", name_of(row.way)},
          {"nanoseconds", row.nanoseconds.median},
          {"nanoseconds_quartiles", quartiles_json(row.nanoseconds)},
          {"over_ours", row.over_ours.median},
          {"over_ours_quartiles", quartiles_json(row.over_ours)},
          {"bytes", row.bytes},
          {"gigabytes_per_second", row.gigabytes_per_second}};
}

const char* clock_name(bench::Clock clock);
/// "0.9 to 1.1".
std::string between(const bench::Quartiles& q, int digits);
/// "1.00 (0.90 to 1.10)".
std::string with_quartiles(const bench::Quartiles& q);
/// "WHAT on 2 threads: 1.90 times one thread; …".
std::string scaling_text(const std::string& what, const bench::Scaling& scaling);

/// Throws InvalidArgument for --plot beside --accuracy, which nothing is drawn of.
void refuse_plot_of_accuracy(const AccuracyOptions& errors, const PlotOptions& drawing,
                             const char* benchmark);
/// The file of --plot, if it was given; `plot` makes its text.
template <class Plot>
void write_plot(Session& session, const PlotOptions& drawing, Plot plot) {
  if (drawing.plot.empty()) return;
  session.report().timed("write", [&] { io::write_text(drawing.plot, plot()); });
  session.report().add_output(drawing.plot);
}

/// A part of the progress for each of some sizes, by their pixels; what comes before them has taken
/// the share `begin`.
class SizeShares {
 public:
  explicit SizeShares(const std::vector<Shape>& sizes, double begin = 0);
  Control next(Session& session, const Shape& size);

 private:
  double begin_, all_ = 0, done_ = 0;
};

}  // namespace meander::app
