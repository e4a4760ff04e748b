// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "session/timed_compute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace meander::app {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(const Device& device, const std::function<void()>& compute) {
  device.synchronize();
  const auto begin = Clock::now();
  compute();
  device.synchronize();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

void timed_compute(Session& session, const std::optional<std::int64_t>& repeat,
                   const std::function<void()>& compute) {
  const Device& device = session.device();
  if (repeat) seconds_of(device, compute);
  std::vector<double> runs;
  for (std::int64_t run = 0; run < repeat.value_or(1); ++run) {
    runs.push_back(seconds_of(device, compute));
  }
  session.report().set_seconds("compute", median(runs));
  if (!repeat) return;
  session.report().set_seconds("compute_runs", runs);
  std::string all;
  for (const double seconds : runs)
    all += fmt::format("{}{:.6f}", all.empty() ? "" : ", ", seconds);
  session.say(
      fmt::format("computed {} times: {:.6f} s, the median of {}", runs.size(), median(runs), all));
}

}  // namespace meander::app
