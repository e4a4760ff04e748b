// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/scaling.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "core/parallel_for.hpp"

namespace meander::bench {
namespace {

constexpr std::int64_t pieces = 64;

/// A chain of dependent operations on registers; the sum is kept so that none can be left out.
void spin(std::int64_t steps) {
  std::atomic<std::uint64_t> kept{0};
  parallel_for(pieces, [&](std::int64_t piece) {
    auto state = static_cast<std::uint64_t>(piece);
    for (std::int64_t i = 0; i < steps; ++i) state = state * 6364136223846793005ULL + 1;
    kept += state;
  });
}

double seconds_with(int count, const std::function<void()>& work) {
  const ThreadsFor held(count);
  return seconds_of(Clock::wall, work);
}

/// Steps of `spin` that take about as long as the work does.
std::int64_t steps_for(double seconds) {
  constexpr std::int64_t trial = 100000;
  const double cost = seconds_with(1, [] { spin(trial); });
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(trial * seconds / cost));
}

}  // namespace

ThreadsFor::ThreadsFor(int count) {
  set_threads(count);
  parallel_for(pieces, [](std::int64_t) {});  // threads are made at first use
}

Scaling scaling_of(const std::function<void()>& work, int runs, const Control& control) {
  const int all = threads();
  const std::int64_t steps = steps_for(seconds_with(1, work));
  const auto spinning = [steps] { spin(steps); };
  const std::vector<Row> rows =
      compare_in_turn({{"work, one thread", 0, [&] { return seconds_with(1, work); }, 0},
                       {"work", 0, [&] { return seconds_with(all, work); }, 0},
                       {"spin, one thread", 0, [&] { return seconds_with(1, spinning); }, 2},
                       {"spin", 0, [&] { return seconds_with(all, spinning); }, 2}},
                      runs, control);
  Scaling scaling{.threads = all,
                  .speedup = 1 / rows[1].ratio.median,
                  .spin_speedup = 1 / rows[3].ratio.median};
  scaling.share = scaling.speedup / scaling.spin_speedup;
  return scaling;
}

std::optional<Scaling> scaling_on(const Device& device, double seconds,
                                  const std::function<void()>& work, int runs,
                                  const Control& control) {
  if (threads() == 1 || device.name() != "cpu") return std::nullopt;
  const auto repeated_work = [&, repeats = repeats_of(seconds)] {
    for (std::int64_t i = 0; i < repeats; ++i) work();
  };
  return scaling_of(repeated_work, runs, {.stop = control.stop, .progress = {}});
}

}  // namespace meander::bench
