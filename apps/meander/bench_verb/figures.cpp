// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench_verb/figures.hpp"

#include <fmt/format.h>

namespace meander::app {
namespace {

double pixels_of(const Shape& size) { return static_cast<double>(size.x * size.y * size.z); }

}  // namespace

Json quartiles_json(const bench::Quartiles& q) { return {q.low, q.median, q.high}; }

Json scaling_json(const bench::Scaling& scaling) {
  return {{"threads", scaling.threads},
          {"speedup", scaling.speedup},
          {"spin_speedup", scaling.spin_speedup},
          {"share", scaling.share}};
}

const char* clock_name(bench::Clock clock) {
  return clock == bench::Clock::process ? "process" : "wall";
}

std::string between(const bench::Quartiles& q, int digits) {
  return fmt::format("{:.{}f} to {:.{}f}", q.low, digits, q.high, digits);
}

std::string with_quartiles(const bench::Quartiles& q) {
  return fmt::format("{:.2f} ({})", q.median, between(q, 2));
}

std::string scaling_text(const std::string& what, const bench::Scaling& scaling) {
  return fmt::format(
      "{} on {} threads: {:.2f} times one thread; a kernel that only computes {:.2f}; share {:.2f}",
      what, scaling.threads, scaling.speedup, scaling.spin_speedup, scaling.share);
}

void refuse_plot_of_accuracy(const AccuracyOptions& errors, const PlotOptions& drawing,
                             const char* benchmark) {
  if (!errors.accuracy || drawing.plot.empty()) return;
  throw InvalidArgument(
      fmt::format("--plot: found with --accuracy, expected it without for {}", benchmark));
}

SizeShares::SizeShares(const std::vector<Shape>& sizes, double begin) : begin_(begin) {
  for (const Shape& size : sizes) all_ += pixels_of(size);
}

Control SizeShares::next(Session& session, const Shape& size) {
  const auto share = [&] { return begin_ + (1 - begin_) * done_ / all_; };
  const double from = share();
  done_ += pixels_of(size);
  return session.control(from, share());
}

}  // namespace meander::app
