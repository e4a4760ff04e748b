// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "backend/cuda/queue.hpp"
#include "backend/staged_copies.hpp"

namespace meander::cuda {

/// What StagedCopies wants of a device.
class CopyLink {
 public:
  struct Buffer {
    char* bytes = nullptr;
    cudaEvent_t done = nullptr;
    bool is_under_way = false;
  };
  explicit CopyLink(Queue& queue) : queue_(queue) {}

  Buffer make(std::size_t bytes);
  void free(Buffer& buffer);
  void start(Buffer& buffer, const engine::View& device, std::int64_t row, std::int64_t count,
             bool is_upload);
  void wait(Buffer& buffer);
  void copy(const engine::View& host, const engine::View& device, bool is_upload);

 private:
  Queue& queue_;
};

using Copies = engine::StagedCopies<CopyLink>;

}  // namespace meander::cuda
