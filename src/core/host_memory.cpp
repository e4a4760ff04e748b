// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "core/host_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "core/message.hpp"

namespace meander::engine {
namespace {

constexpr std::size_t row_alignment = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;

Memory allocate(std::size_t bytes) {
  const bool large = bytes >= 4 * huge_page;
  const std::size_t alignment = large ? huge_page : row_alignment;
  const std::size_t rounded = (bytes + row_alignment - 1) / row_alignment * row_alignment;
  // posix_memalign, not aligned_alloc: the size need not be a multiple of the alignment.
  void* address = nullptr;
  if (rounded < bytes || posix_memalign(&address, alignment, rounded) != 0) {
    throw OutOfMemory(message("the system has no ", bytes, " bytes left"));
  }
  // A hint only: fewer page faults when an image is first touched.
  if (large) madvise(address, rounded, MADV_HUGEPAGE);
  return {.host = static_cast<std::byte*>(address), .handle = nullptr, .bytes = rounded};
}

}  // namespace

std::uint64_t physical_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

const std::shared_ptr<MemoryPool>& host_pool() {
  static const auto* pool = new std::shared_ptr<MemoryPool>(std::make_shared<MemoryPool>(
      "host memory",
      MemoryPool::Source{.allocate = allocate,
                         .release = [](const Memory& block) { std::free(block.host); },
                         .is_system = true},
      physical_memory_bytes()));
  return *pool;
}

void copy_pixels(const View& from, const View& to) {
  const auto bytes = static_cast<std::size_t>(from.shape.x) * size_of(from.type);
  for (std::int64_t row = 0; row < from.rows(); ++row) {
    std::memcpy(to.host_row(row), from.host_row(row), bytes);
  }
}

}  // namespace meander::engine
