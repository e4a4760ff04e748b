// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "core/parallel_for.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <numeric>
#include <set>
#include <stop_token>
#include <thread>
#include <vector>

#include "meander/device.hpp"

namespace meander {
namespace {

class ParallelFor : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_threads(GetParam()); }
  void TearDown() override { set_threads(0); }
};

TEST_P(ParallelFor, RunsEveryIndexOnce) {
  for (const int count : {0, 1, 2, 7, 1000}) {
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(count));
    parallel_for(count, [&](std::int64_t i) { ++runs[static_cast<std::size_t>(i)]; });
    for (const auto& times : runs) EXPECT_EQ(times, 1);
  }
}

TEST_P(ParallelFor, ManyShortJobsInARow) {
  std::vector<std::int64_t> sums(64);
  for (int round = 0; round < 2000; ++round) {
    parallel_for(64, [&](std::int64_t i) { sums[static_cast<std::size_t>(i)] += i; });
  }
  for (std::size_t i = 0; i < sums.size(); ++i)
    EXPECT_EQ(sums[i], static_cast<std::int64_t>(i) * 2000);
}

TEST_P(ParallelFor, RethrowsTheFirstExceptionAndGoesOnWorking) {
  std::atomic<int> begun = 0;
  EXPECT_THROW(parallel_for(100000,
                            [&](std::int64_t) {
                              ++begun;
                              throw std::runtime_error("bad");
                            }),
               std::runtime_error);
  EXPECT_LE(begun, GetParam());
  std::atomic<int> after = 0;
  parallel_for(10, [&](std::int64_t) { ++after; });
  EXPECT_EQ(after, 10);
}

TEST_P(ParallelFor, BeginsNoTaskAfterAStop) {
  std::stop_source source;
  std::atomic<int> begun = 0;
  const auto work = [&] {
    parallel_for(100000, [&](std::int64_t) {
      ++begun;
      source.request_stop();
    });
  };
  {
    const StopScope scope(source.get_token());
    EXPECT_THROW(work(), Cancelled);
    EXPECT_THROW(parallel_for(1, [&](std::int64_t) { ++begun; }), Cancelled);
    const StopScope none({});
    std::atomic<int> others = 0;
    parallel_for(10, [&](std::int64_t) { ++others; });
    EXPECT_EQ(others, 10);
  }
  EXPECT_LE(begun, GetParam());
  EXPECT_NO_THROW(work());
  EXPECT_GE(begun, 100000);
}

TEST_P(ParallelFor, NestedCallsRunSerially) {
  std::atomic<int> total = 0;
  parallel_for(8, [&](std::int64_t) {
    const auto self = std::this_thread::get_id();
    parallel_for(8, [&](std::int64_t) {
      EXPECT_EQ(std::this_thread::get_id(), self);
      ++total;
    });
  });
  EXPECT_EQ(total, 64);
}

TEST_P(ParallelFor, CallersOnSeveralThreadsTakeTurns) {
  std::atomic<int> total = 0;
  {
    std::vector<std::jthread> callers;
    for (int c = 0; c < 4; ++c) {
      callers.emplace_back([&] {
        for (int round = 0; round < 50; ++round) parallel_for(20, [&](std::int64_t) { ++total; });
      });
    }
  }
  EXPECT_EQ(total, 4 * 50 * 20);
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelFor, testing::Values(1, 2, 3, 8));

TEST(ParallelForThreads, UsesMoreThanOneThread) {
  set_threads(2);
  std::atomic<int> inside = 0;
  // Each task waits for the other: with one thread this would never end.
  parallel_for(2, [&](std::int64_t) {
    ++inside;
    while (inside < 2) std::this_thread::yield();
  });
  EXPECT_EQ(inside, 2);
  set_threads(0);
}

/// Whether a forked child does a parallel_for of its own; one that hangs is ended by a signal.
bool works_in_a_child() {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    std::atomic<int> mine = 0;
    parallel_for(100, [&](std::int64_t) { ++mine; });
    _exit(mine == 100 ? 0 : 1);
  }
  int status = -1;
  return waitpid(child, &status, 0) == child && status == 0;
}

TEST(ParallelForThreads, WorksInAForkedChild) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer does not support threads in a forked child";
#endif
  // Another number of threads each time, so that the parent has just started its own when it forks.
  for (int round = 0; round < 20; ++round) {
    set_threads(3 + round % 2);
    std::atomic<int> total = 0;
    parallel_for(2, [&](std::int64_t) { ++total; });
    ASSERT_TRUE(works_in_a_child()) << "round " << round;
    EXPECT_EQ(total, 2);
  }
  set_threads(0);
}

}  // namespace
}  // namespace meander
