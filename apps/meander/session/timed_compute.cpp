// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "session/timed_compute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

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

}  // namespace

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void timed_compute(Session& session, const std::optional<std::int64_t>& repeat,
                   const std::function<void()>& compute) {
  const Device& device = session.device();
  if (repeat) seconds_of(device, compute);
  std::vector<double> runs;
  for (std::int64_t run = 0; run < repeat.value_or(1); ++run) {
    runs.push_back(seconds_of(device, compute));
  }
  session.report().set_seconds("compute", median_of(runs));
  if (!repeat) return;
  session.report().set_seconds("compute_runs", runs);
  std::string all;
  for (const double seconds : runs)
    all += fmt::format("{}{:.6f}", all.empty() ? "" : ", ", seconds);
  session.say(fmt::format("computed {} times: {:.6f} s, the median of {}", runs.size(),
                          median_of(runs), all));
}

}  // namespace meander::app
