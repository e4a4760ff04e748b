// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cuda/backend.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <bit>

#include "core/message.hpp"

namespace meander::cuda {
namespace {

engine::MemoryPool::Source source_of(const std::shared_ptr<Queue>& queue,
                                     const std::string& device) {
  return {[queue, device](std::size_t bytes) {
            queue->select();
            void* address = nullptr;
            if (cudaMalloc(&address, bytes) != cudaSuccess) {
              cudaGetLastError();  // the failure must not surface again at the next launch
              throw OutOfMemory(message(device, " has no ", bytes, " bytes left"));
            }
            return engine::Memory{.host = nullptr, .handle = address, .bytes = bytes};
          },
          // Waits for what still uses it.
          [](const engine::Memory& block) { cudaFree(block.handle); }, false,
          [queue] {
            queue->select();
            std::size_t left = 0, all = 0;
            if (cudaMemGetInfo(&left, &all) != cudaSuccess) {
              cudaGetLastError();  // a launch will tell
              return std::uint64_t{1} << 62;
            }
            // Blocks are cut from pages, and code takes some.
            constexpr std::uint64_t kept = std::uint64_t{64} << 20;
            return left > kept ? left - kept : 0;
          }};
}

/// Page-locked memory that kernels reach under the same address.
engine::MemoryPool::Source mapped_source(const std::shared_ptr<Queue>& queue,
                                         const std::string& device) {
  return {[queue, device](std::size_t bytes) {
            queue->select();
            void* address = nullptr;
            if (cudaHostAlloc(&address, bytes, cudaHostAllocMapped) != cudaSuccess) {
              cudaGetLastError();
              throw OutOfMemory(message(device, " has no ", bytes, " bytes of mapped memory left"));
            }
            return engine::Memory{
                .host = static_cast<std::byte*>(address), .handle = address, .bytes = bytes};
          },
          [](const engine::Memory& block) { cudaFreeHost(block.handle); }};
}

/// The least that any device has, where the driver does not say.
BlockRoom room_of(int ordinal) {
  int bytes = 48 << 10, processors = 1;
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, ordinal);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, ordinal);
  return {.shared_bytes = static_cast<std::size_t>(bytes), .processors = processors};
}

}  // namespace

CudaBackend::CudaBackend(int ordinal, const DeviceInfo& info, double bytes_per_second)
    : info_(info),
      room_(room_of(ordinal)),
      queue_(std::make_shared<Queue>(ordinal, info.name)),
      copies_(*queue_),
      pool_(std::make_shared<engine::MemoryPool>(info.name, source_of(queue_, info.name),
                                                 info.memory_bytes)),
      mapped_(std::make_shared<engine::MemoryPool>(info.name, mapped_source(queue_, info.name),
                                                   info.memory_bytes)),
      bytes_per_second_(bytes_per_second) {}

double CudaBackend::device_seconds(const std::function<void()>& work) {
  return queue_->device_seconds(work);
}

DeviceCounters CudaBackend::counters() const {
  DeviceCounters all = queue_->counters();
  all.allocations = pool_->allocations() + mapped_->allocations();
  return all;
}

void CudaBackend::write(const engine::View& host, const engine::View& device) {
  copies_.upload(host, device);
}

void CudaBackend::read(const engine::View& device, const engine::View& host) {
  copies_.download(device, host);
}

engine::MemoryPtr CudaBackend::mapped_block(std::size_t bytes) {
  return mapped_->take(std::max<std::size_t>(256, std::bit_ceil(bytes)));
}

}  // namespace meander::cuda
