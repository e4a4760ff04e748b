// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "engine/memory.hpp"

namespace meander::engine {
namespace {

/// A source that counts, and that fails when told to.
struct Counting {
  int allocated = 0;
  int released = 0;
  bool fail = false;

  std::shared_ptr<MemoryPool> pool(std::uint64_t budget) {
    return std::make_shared<MemoryPool>(
        "test",
        MemoryPool::Source{[this](std::size_t bytes) {
                             if (fail) throw OutOfMemory("no more");
                             ++allocated;
                             return Memory{.host = static_cast<std::byte*>(std::malloc(bytes)),
                                           .bytes = bytes};
                           },
                           [this](const Memory& block) {
                             ++released;
                             std::free(block.host);
                           }},
        budget);
  }
};

TEST(MemoryPool, ReusesReturnedBlocks) {
  Counting source;
  const auto pool = source.pool(10000);
  for (int i = 0; i < 5; ++i) pool->take(1000);
  EXPECT_EQ(source.allocated, 1);
  const auto slightly_smaller = pool->take(900);
  EXPECT_EQ(source.allocated, 1);
  EXPECT_EQ(slightly_smaller->bytes, 1000u);
}

TEST(MemoryPool, NeverHandsOutABlockTwice) {
  Counting source;
  const auto pool = source.pool(10000);
  const auto a = pool->take(100);
  const auto b = pool->take(100);
  EXPECT_NE(a->host, b->host);
}

TEST(MemoryPool, DoesNotWasteALargeBlockOnASmallNeed) {
  Counting source;
  const auto pool = source.pool(10000);
  pool->take(5000);
  EXPECT_EQ(pool->take(100)->bytes, 100u);
}

TEST(MemoryPool, KeepsItsBudgetAndSaysWhatWasNeeded) {
  Counting source;
  const auto pool = source.pool(1000);
  const auto held = pool->take(600);
  try {
    pool->take(500);
    FAIL();
  } catch (const OutOfMemory& error) {
    EXPECT_STREQ(error.what(),
                 "test needs 500 bytes more with 600 in use, beyond its budget of 1000 bytes");
    EXPECT_EQ(error.about.device, "test");
  }
  EXPECT_EQ(pool->use().in_use, 600u);
  EXPECT_NO_THROW(pool->take(400));
}

/// Idle blocks count: what is held and what is kept for reuse stay within the budget together.
TEST(MemoryPool, FreesIdleBlocksRatherThanExceedTheBudget) {
  Counting source;
  const auto pool = source.pool(1000);
  pool->take(700);
  const auto other = pool->take(400);
  EXPECT_EQ(source.released, 1);
}

TEST(MemoryPool, LoweringTheBudgetFreesIdleBlocks) {
  Counting source;
  const auto pool = source.pool(1000);
  pool->take(700);
  pool->set_budget(600);
  EXPECT_EQ(source.released, 1);
  EXPECT_THROW(pool->take(601), OutOfMemory);
}

TEST(MemoryPool, TracksPeak) {
  Counting source;
  const auto pool = source.pool(1000);
  { const auto a = pool->take(300), b = pool->take(200); }
  EXPECT_EQ(pool->use().in_use, 0u);
  EXPECT_EQ(pool->use().peak, 500u);
}

TEST(MemoryPool, BlocksOutliveTheirOwner) {
  Counting source;
  auto pool = source.pool(1000);
  auto block = pool->take(10);
  pool.reset();
  EXPECT_EQ(source.released, 0);
  block.reset();
  EXPECT_EQ(source.released, 1);
}

TEST(MemoryPool, AFailedAllocationLeavesTheBooksRight) {
  Counting source;
  const auto pool = source.pool(1000);
  source.fail = true;
  EXPECT_THROW(pool->take(100), DeviceError);  // no budget would have helped
  source.fail = false;
  EXPECT_EQ(pool->use().in_use, 0u);
  EXPECT_NO_THROW(pool->take(1000));
  EXPECT_EQ(pool->allocations(), 1);
}

/// A device that has less than the budget says.
TEST(MemoryPool, GivesUpIdleBlocksWhenTheDeviceIsFull) {
  std::size_t left = 1000;
  const auto pool = std::make_shared<MemoryPool>(
      "test",
      MemoryPool::Source{[&](std::size_t bytes) {
                           if (bytes > left) throw OutOfMemory("full");
                           left -= bytes;
                           return Memory{.host = nullptr, .bytes = bytes};
                         },
                         [&](const Memory& block) { left += block.bytes; }},
      2000);
  pool->take(800);
  EXPECT_NO_THROW(pool->take(400));
  EXPECT_THROW(pool->take(1200), DeviceError);
}

/// Others use the device too.
TEST(MemoryPool, WhatIsAvailableIsWithinTheBudgetAndWhatOthersLeft) {
  std::uint64_t left = 5000;
  const auto pool = std::make_shared<MemoryPool>(
      "test",
      MemoryPool::Source{.allocate =
                             [&](std::size_t bytes) {
                               left -= bytes;
                               return Memory{.host = nullptr, .bytes = bytes};
                             },
                         .release = [&](const Memory& block) { left += block.bytes; },
                         .left = [&] { return left; }},
      2000);
  EXPECT_EQ(pool->available(), 2000u);
  auto held = pool->take(500);
  EXPECT_EQ(pool->available(), 1500u);
  left = 100;
  EXPECT_EQ(pool->available(), 100u);
  held.reset();  // kept for reuse
  EXPECT_EQ(pool->available(), 600u);
  EXPECT_EQ(Counting().pool(300)->available(), 300u);
}

TEST(MemoryPool, TheSystemsMemoryIsNoDevicesFault) {
  const auto pool = std::make_shared<MemoryPool>(
      "test",
      MemoryPool::Source{.allocate = [](std::size_t) -> Memory { throw OutOfMemory("full"); },
                         .release = [](const Memory&) {},
                         .is_system = true},
      1000);
  EXPECT_THROW(pool->take(100), OutOfMemory);
  EXPECT_EQ(pool->allocations(), 0);
}

TEST(MemoryPool, HugeRequestsDoNotWrapAround) {
  Counting source;
  const auto pool = source.pool(1000);
  const auto held = pool->take(10);
  EXPECT_THROW(pool->take(SIZE_MAX), OutOfMemory);
  EXPECT_THROW(pool->take(SIZE_MAX - 9), OutOfMemory);
}

}  // namespace
}  // namespace meander::engine
