// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <memory>
#include <new>
#include <utility>

#include "core/message.hpp"
#include "engine/memory.hpp"

namespace meander::engine {

MemoryPool::MemoryPool(std::string owner, Source source, std::uint64_t budget)
    : owner_(std::move(owner)), source_(std::move(source)), budget_(budget) {}

MemoryPool::~MemoryPool() {
  for (const auto& [bytes, block] : idle_) source_.release(block);
}

bool MemoryPool::fits(std::size_t bytes) const {
  return bytes <= budget_ && in_use_ <= budget_ - bytes;
}

MemoryPtr MemoryPool::take(std::size_t bytes) {
  std::unique_lock lock(mutex_);
  if (!fits(bytes)) {
    throw OutOfMemory(message(owner_, " needs ", bytes, " bytes more with ", in_use_,
                              " in use, beyond its budget of ", budget_, " bytes"),
                      {.device = source_.is_system ? "cpu" : owner_});
  }
  auto block = std::make_unique<Memory>();
  *block = take_block(bytes);
  in_use_ += block->bytes;
  peak_ = std::max(peak_, in_use_);
  lock.unlock();  // a pointer that finds no memory for its count gives the block back, which locks
  auto give = [pool = shared_from_this()](Memory* taken) {
    pool->give_back(*taken);
    delete taken;
  };
  return MemoryPtr(block.release(), std::move(give));
}

Memory MemoryPool::take_block(std::size_t bytes) {
  // A block up to a quarter too large is better than a new one; a larger one would waste the
  // budget.
  const auto idle = idle_.lower_bound(bytes);
  if (idle != idle_.end() && idle->first <= bytes + bytes / 4 && fits(idle->first)) {
    const Memory block = idle->second;
    idle_bytes_ -= block.bytes;
    idle_.erase(idle);
    return block;
  }
  release_idle_until(budget_ - bytes - in_use_);
  try {
    try {
      return allocate(bytes);
    } catch (const OutOfMemory&) {
      // There is less than the budget says, others use it too: give up what is kept for reuse.
      release_idle_until(0);
      return allocate(bytes);
    }
  } catch (const OutOfMemory& failure) {
    if (source_.is_system) throw;
    throw DeviceError(failure.what(), {.device = owner_});  // no budget would have helped
  }
}

Memory MemoryPool::allocate(std::size_t bytes) {
  const Memory block = source_.allocate(bytes);
  ++allocations_;
  return block;
}

void MemoryPool::give_back(const Memory& block) {
  const std::lock_guard lock(mutex_);
  in_use_ -= block.bytes;
  try {
    idle_.emplace(block.bytes, block);
    idle_bytes_ += block.bytes;
  } catch (const std::bad_alloc&) {
    source_.release(block);  // no memory to remember it with
  }
  release_idle_until(budget_ > in_use_ ? budget_ - in_use_ : 0);
}

void MemoryPool::release_idle_until(std::uint64_t target) {
  while (idle_bytes_ > target) {
    const auto largest = std::prev(idle_.end());
    source_.release(largest->second);
    idle_bytes_ -= largest->first;
    idle_.erase(largest);
  }
}

MemoryUse MemoryPool::use() const {
  const std::lock_guard lock(mutex_);
  return {.in_use = in_use_, .peak = peak_, .budget = budget_};
}

std::uint64_t MemoryPool::available() const {
  const std::lock_guard lock(mutex_);
  const std::uint64_t within_budget = budget_ > in_use_ ? budget_ - in_use_ : 0;
  if (!source_.left) return within_budget;
  return std::min(within_budget, idle_bytes_ + source_.left());
}

std::int64_t MemoryPool::allocations() const {
  const std::lock_guard lock(mutex_);
  return allocations_;
}

void MemoryPool::reset_peak() {
  const std::lock_guard lock(mutex_);
  peak_ = in_use_;
}

void MemoryPool::set_budget(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  budget_ = bytes;
  release_idle_until(budget_ > in_use_ ? budget_ - in_use_ : 0);
}

}  // namespace meander::engine
