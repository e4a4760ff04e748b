// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "core/host_queue.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <latch>
#include <thread>

#include "core/parallel_for.hpp"
#include "meander/device.hpp"

namespace meander::engine {
namespace {

/// A queue reads its mode when it is made.
class DeferredQueue : public testing::Test {
 protected:
  void SetUp() override { setenv("MEANDER_QUEUE", "deferred", 1); }
  void TearDown() override { unsetenv("MEANDER_QUEUE"); }
};

TEST(HostQueue, RunsAtOnce) {
  HostQueue queue;
  int value = 0;
  queue.run("set", {}, [&] { value = 1; });
  EXPECT_EQ(value, 1);
}

/// One thread's task uses the pool while a task of the pool, begun by another thread, waits for the
/// queue: as when two threads segment and smooth.
TEST(HostQueue, TasksOfItAndOfThePoolMayWaitForEachOther) {
  set_threads(2);
  HostQueue queue;
  std::latch both_began(2);
  std::atomic<int> done = 0;
  std::jthread other([&] {
    parallel_for(2, [&](std::int64_t i) {
      if (i == 0) both_began.arrive_and_wait();
      queue.finish();
      ++done;
    });
  });
  queue.run("use the pool", {}, [&] {
    both_began.arrive_and_wait();
    parallel_for(2, [&](std::int64_t) { ++done; });
  });
  other.join();
  EXPECT_EQ(done, 4);
  set_threads(0);
}

TEST_F(DeferredQueue, RunsInOrderAtTheWait) {
  HostQueue queue;
  std::string order;
  queue.run("a", {}, [&] { order += 'a'; });
  queue.run("b", {}, [&] { order += 'b'; });
  EXPECT_EQ(order, "");
  queue.finish();
  EXPECT_EQ(order, "ab");
  queue.finish();
  EXPECT_EQ(order, "ab");
}

TEST_F(DeferredQueue, KeepsBlocksAliveUntilTheyHaveBeenUsed) {
  HostQueue queue;
  auto block = std::make_shared<Memory>();
  const std::weak_ptr<Memory> watch = block;
  queue.run("use", {block}, [&] { EXPECT_FALSE(watch.expired()); });
  block.reset();
  EXPECT_FALSE(watch.expired());
  queue.finish();
  EXPECT_TRUE(watch.expired());
}

TEST_F(DeferredQueue, ALateErrorNamesItsOperationAndDropsTheRest) {
  HostQueue queue;
  bool ran = false;
  queue.run("reduce", {}, [] { throw std::runtime_error("lost"); });
  queue.run("convert", {}, [&] { ran = true; });
  try {
    queue.finish();
    FAIL();
  } catch (const DeviceError& error) {
    EXPECT_STREQ(error.what(), "reduce failed: lost");
  }
  EXPECT_FALSE(ran);
  EXPECT_NO_THROW(queue.finish());
}

}  // namespace
}  // namespace meander::engine
