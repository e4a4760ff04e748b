// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "meander/device.hpp"

namespace meander::engine {

/// A block of device memory, owned through a shared_ptr whose deleter gives it back to its pool.
struct Memory {
  std::byte* host = nullptr;  ///< Its address where the host can reach it, else null.
  void* handle = nullptr;     ///< What the backend's driver knows it by (a cl_mem), else null.
  std::size_t bytes = 0;
};
using MemoryPtr = std::shared_ptr<Memory>;

/// Hands out blocks of one device within a budget and keeps returned ones for reuse, so that
/// repeated work allocates nothing. Blocks may outlive the pool's owner. Thread-safe.
class MemoryPool : public std::enable_shared_from_this<MemoryPool> {
 public:
  struct Source {
    /// Returns a block with `bytes` set, or throws OutOfMemory.
    std::function<Memory(std::size_t bytes)> allocate;
    std::function<void(const Memory&)> release;
    /// Whether it is the system's memory, and not one that a driver has failed to give.
    bool is_system = false;
    /// Bytes that are still free, where a driver tells: other programs may use the device too.
    std::function<std::uint64_t()> left = nullptr;
  };

  MemoryPool(std::string owner, Source source, std::uint64_t budget);
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  /// At least `bytes` bytes, uninitialised. Throws OutOfMemory with need, use and budget, and
  /// DeviceError when a driver has none left within the budget.
  MemoryPtr take(std::size_t bytes);
  MemoryUse use() const;
  /// What can be taken now: of the budget, and of what others have left.
  std::uint64_t available() const;
  /// Blocks taken from the source so far; the first of them starts a device.
  std::int64_t allocations() const;
  void set_budget(std::uint64_t bytes);
  void reset_peak();

 private:
  bool fits(std::size_t bytes) const;
  Memory take_block(std::size_t bytes);
  Memory allocate(std::size_t bytes);
  void give_back(const Memory& block);
  void release_idle_until(std::uint64_t target);

  const std::string owner_;
  const Source source_;
  mutable std::mutex mutex_;
  std::multimap<std::size_t, Memory> idle_;
  std::uint64_t idle_bytes_ = 0;
  std::uint64_t in_use_ = 0;
  std::uint64_t peak_ = 0;
  std::uint64_t budget_;
  std::int64_t allocations_ = 0;
};

}  // namespace meander::engine
