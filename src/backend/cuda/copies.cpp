// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cuda/copies.hpp"

#include <algorithm>
#include <utility>

namespace meander::cuda {
namespace {

const char* name_of_copy(bool is_upload) { return is_upload ? "upload" : "download"; }

/// Rows of the device, those of a slice at a time, and rows in host memory that lie `pitch` apart.
cudaError_t enqueue(const engine::View& device, std::int64_t row, std::int64_t count, char* host,
                    std::size_t pitch, bool is_upload, cudaStream_t stream) {
  const auto device_pitch = static_cast<std::size_t>(device.pitch.row);
  const std::size_t width = engine::row_bytes(device);
  for (const std::int64_t end = row + count; row < end;) {
    const std::int64_t slice_end = (row / device.shape.y + 1) * device.shape.y;
    const auto rows = static_cast<std::size_t>(std::min(end, slice_end) - row);
    char* there = static_cast<char*>(device.memory->handle) + device.row_offset(row);
    const cudaError_t code = is_upload ? cudaMemcpy2DAsync(there, device_pitch, host, pitch, width,
                                                           rows, cudaMemcpyHostToDevice, stream)
                                       : cudaMemcpy2DAsync(host, pitch, there, device_pitch, width,
                                                           rows, cudaMemcpyDeviceToHost, stream);
    if (code != cudaSuccess) return code;
    host += rows * pitch;
    row += static_cast<std::int64_t>(rows);
  }
  return cudaSuccess;
}

}  // namespace

CopyLink::Buffer CopyLink::make(std::size_t bytes) {
  queue_.select();
  Buffer buffer;
  void* address = nullptr;
  if (cudaEventCreateWithFlags(&buffer.done, cudaEventDisableTiming) == cudaSuccess &&
      cudaHostAlloc(&address, bytes, cudaHostAllocDefault) == cudaSuccess) {
    buffer.bytes = static_cast<char*>(address);
    return buffer;
  }
  cudaGetLastError();  // the failure must not surface again at the next launch
  if (buffer.done != nullptr) cudaEventDestroy(buffer.done);
  return {};
}

void CopyLink::free(Buffer& buffer) {
  cudaEventDestroy(buffer.done);
  cudaFreeHost(buffer.bytes);
}

void CopyLink::start(Buffer& buffer, const engine::View& device, std::int64_t row,
                     std::int64_t count, bool is_upload) {
  const std::size_t width = engine::row_bytes(device);
  queue_.transfer(name_of_copy(is_upload), static_cast<std::size_t>(count) * width,
                  [&](cudaStream_t stream) {
                    const cudaError_t code =
                        enqueue(device, row, count, buffer.bytes, width, is_upload, stream);
                    return code == cudaSuccess ? cudaEventRecord(buffer.done, stream) : code;
                  });
  buffer.is_under_way = true;
}

void CopyLink::wait(Buffer& buffer) {
  if (!std::exchange(buffer.is_under_way, false)) return;
  queue_.wait("transfer", [&] { return cudaEventSynchronize(buffer.done); });
}

void CopyLink::copy(const engine::View& host, const engine::View& device, bool is_upload) {
  queue_.transfer(name_of_copy(is_upload), engine::pixel_bytes(host), [&](cudaStream_t stream) {
    cudaError_t code = cudaSuccess;
    for (std::int64_t row = 0; row < host.rows() && code == cudaSuccess; row += host.shape.y) {
      code = enqueue(device, row, host.shape.y, reinterpret_cast<char*>(host.host_row(row)),
                     static_cast<std::size_t>(host.pitch.row), is_upload, stream);
    }
    return code;
  });
  // What goes up from pageable memory has been read when the call returns.
  if (!is_upload) queue_.finish();
}

}  // namespace meander::cuda
