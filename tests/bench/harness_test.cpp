// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/harness.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "bench/scaling.hpp"
#include "meander/device.hpp"

namespace meander::bench {
namespace {

/// A candidate whose runs take what the list says, the warm-up first.
Candidate scripted(std::vector<double> seconds, std::size_t baseline) {
  auto next = std::make_shared<std::size_t>(0);
  return {"scripted", 1000, [seconds = std::move(seconds), next] { return seconds.at((*next)++); },
          baseline};
}

TEST(Harness, RatiosAreTakenPairByPairToTheNamedBaseline) {
  const auto rows = compare_in_turn({scripted({99, 1, 2, 4}, 0), scripted({99, 3, 6, 12}, 0),
                                     scripted({99, 10, 20, 30}, 2), scripted({99, 5, 20, 60}, 2)},
                                    3, {});
  EXPECT_EQ(rows[0].ratio.median, 1);
  EXPECT_EQ(rows[1].ratio.low, 3);
  EXPECT_EQ(rows[1].ratio.high, 3);
  EXPECT_EQ(rows[2].ratio.median, 1);
  EXPECT_EQ(rows[3].ratio.median, 1);  // of 0.5, 1 and 2
  EXPECT_EQ(rows[1].seconds.median, 6);
  EXPECT_EQ(rows[1].gigabytes_per_second, 1000 / 6.0 / 1e9);
}

TEST(Harness, AnyTwoRowsCanBeComparedPairByPair) {
  const auto rows = compare_in_turn(
      {scripted({99, 1, 2, 4}, 0), scripted({99, 3, 8, 4}, 0), scripted({99, 6, 4, 2}, 0)}, 3, {});
  EXPECT_EQ(rows[1].runs, (std::vector<double>{3, 8, 4}));
  const Quartiles ratio = ratio_of(rows[2], rows[1]);  // of 2, 0.5 and 0.5
  EXPECT_EQ(ratio.median, 0.5);
  EXPECT_EQ(ratio.high, 2);
}

TEST(Harness, ThePeakOfADeviceIsBeyondWhatItHeld) {
  const Device device = Device::open("cpu");
  const Description description{.shape = {64, 100, 1}, .type = PixelType::u8};
  const Image held = device.allocate(description);
  const std::int64_t peak = device_peak_of(device, [&] {
    const Image one = device.allocate(description), two = device.allocate(description);
  });
  EXPECT_EQ(peak, 2 * padded_bytes(description));
  EXPECT_EQ(device_peak_of(device, [] {}), 0);
}

TEST(Harness, ThreadsAreAsBeforeAfterwards) {
  set_threads(3);
  {
    const ThreadsFor one(1);
    EXPECT_EQ(threads(), 1);
  }
  EXPECT_EQ(threads(), 3);
  set_threads(0);
}

TEST(Harness, QuartilesOfNineAreTheThirdFifthAndSeventh) {
  const Quartiles q = quartiles({9, 1, 8, 2, 7, 3, 6, 4, 5});
  EXPECT_EQ(q.low, 3);
  EXPECT_EQ(q.median, 5);
  EXPECT_EQ(q.high, 7);
}

TEST(Harness, RepeatedWorkTakesFiftyMillisecondsAndTellsTheTimeOfAUnit) {
  EXPECT_EQ(repeats_of(0.2), 1);
  EXPECT_EQ(repeats_of(0.02), 3);
  int runs = 0;
  const auto work = [&] {
    ++runs;
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
  };
  const Candidate candidate = repeated("sleep", 8, Clock::wall, 3, work, 5);
  EXPECT_EQ(runs, 2);
  EXPECT_GE(candidate.run(), 0.02);
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(candidate.bytes, 8);
  EXPECT_EQ(candidate.baseline, 5u);
}

TEST(Harness, APartOfTheProgressIsScaled) {
  std::vector<double> seen;
  const Control whole{.stop = {}, .progress = [&](double share) { seen.push_back(share); }};
  const Control part = part_of(whole, 0.5, 0.75);
  part.step(0);
  part.step(1);
  EXPECT_EQ(seen, (std::vector{0.5, 0.75}));
}

TEST(Harness, ProcessTimeLeavesOutWaiting) {
  const auto sleep = [] { std::this_thread::sleep_for(std::chrono::milliseconds(200)); };
  EXPECT_GE(seconds_of(Clock::wall, sleep), 0.2);
  EXPECT_LT(seconds_of(Clock::process, sleep), 0.1);
}

TEST(Harness, ScalingPutsTheThreadsBack) {
  set_threads(3);
  std::vector<int> seen;
  const Scaling scaling = scaling_of([&] { seen.push_back(threads()); }, 2, {});
  EXPECT_EQ(threads(), 3);
  EXPECT_EQ(scaling.threads, 3);
  // Once to learn its time, then one warm-up and two runs, each with one and with all.
  EXPECT_EQ(seen, (std::vector{1, 1, 3, 1, 3, 1, 3}));
  EXPECT_GT(scaling.spin_speedup, 0);
  EXPECT_DOUBLE_EQ(scaling.share, scaling.speedup / scaling.spin_speedup);
  set_threads(0);
}

}  // namespace
}  // namespace meander::bench
