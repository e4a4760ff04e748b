// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <mutex>

#include "core/parallel_for.hpp"
#include "engine/view.hpp"

namespace meander::engine {

inline std::size_t row_bytes(const View& view) {
  return static_cast<std::size_t>(view.shape.x) * size_of(view.type);
}
inline std::size_t pixel_bytes(const View& view) {
  return row_bytes(view) * static_cast<std::size_t>(view.rows());
}

/// Copies between host memory and a device's. Large ones go through a ring of page-locked buffers,
/// which all threads fill or empty while others are on their way: from pageable memory drivers copy
/// with one thread. Thread-safe.
///
/// A Link to a device has
///   Buffer, with `char* bytes`; make(bytes), a Buffer or one without bytes; free(buffer);
///   start(buffer, view, row, count, is_upload): enqueues the copy of rows that the buffer holds
///   one after the other; wait(buffer): until that has ended; copy(host, device, is_upload): all at
///   once; `host` may be changed, or has arrived, afterwards.
template <class Link>
class StagedCopies {
 public:
  template <class... Arguments>
  explicit StagedCopies(Arguments&... arguments) : link_(arguments...) {}
  ~StagedCopies() {
    for (auto& buffer : ring_) {
      if (buffer.bytes != nullptr) link_.free(buffer);
    }
  }
  StagedCopies(const StagedCopies&) = delete;
  StagedCopies& operator=(const StagedCopies&) = delete;

  /// `host` may be changed when it returns, which may be before all of it has arrived.
  void upload(const View& host, const View& device) {
    const std::lock_guard lock(mutex_);
    if (!has_ring_for(host)) return link_.copy(host, device, true);
    const std::int64_t count = rows_of_buffer(host);
    for (std::int64_t row = 0; row < host.rows(); row += count) {
      const std::int64_t rows = std::min(count, host.rows() - row);
      auto& buffer = buffer_of(row / count);
      link_.wait(buffer);
      share_rows(host, rows, [&](std::int64_t i, std::size_t bytes) {
        std::memcpy(buffer.bytes + static_cast<std::size_t>(i) * bytes, host.host_row(row + i),
                    bytes);
      });
      link_.start(buffer, device, row, rows, true);
    }
  }

  /// Waits.
  void download(const View& device, const View& host) {
    const std::lock_guard lock(mutex_);
    if (!has_ring_for(host)) return link_.copy(host, device, false);
    const std::int64_t count = rows_of_buffer(host);
    const std::int64_t pieces = (host.rows() + count - 1) / count;
    const auto rows_of = [&](std::int64_t piece) {
      return std::min(count, host.rows() - piece * count);
    };
    for (std::int64_t piece = 0; piece < pieces + buffers; ++piece) {
      auto& buffer = buffer_of(piece);
      link_.wait(buffer);
      if (const std::int64_t arrived = piece - buffers; arrived >= 0 && arrived < pieces) {
        share_rows(host, rows_of(arrived), [&](std::int64_t i, std::size_t bytes) {
          std::memcpy(host.host_row(arrived * count + i),
                      buffer.bytes + static_cast<std::size_t>(i) * bytes, bytes);
        });
      }
      if (piece < pieces) link_.start(buffer, device, piece * count, rows_of(piece), false);
    }
  }

 private:
  static constexpr std::int64_t buffers = 3;
  static constexpr std::size_t buffer_bytes = std::size_t{8} << 20;
  /// Below this the driver's own way is as fast. Page-locking the ring takes milliseconds, which an
  /// image that is twice its size makes up for.
  static constexpr std::size_t least = std::size_t{1} << 20,
                               least_for_ring = buffers * 2 * buffer_bytes;
  static constexpr std::size_t bytes_per_task = std::size_t{256} << 10;

  auto& buffer_of(std::int64_t piece) { return ring_[static_cast<std::size_t>(piece % buffers)]; }
  static std::int64_t rows_of_buffer(const View& view) {
    return static_cast<std::int64_t>(buffer_bytes / row_bytes(view));
  }
  /// Page-locked memory may be scarce; the driver's way needs none.
  bool has_ring_for(const View& view) {
    const std::size_t bytes = pixel_bytes(view);
    if (bytes < least || row_bytes(view) > buffer_bytes) return false;
    if (ring_.back().bytes != nullptr) return true;
    if (bytes < least_for_ring) return false;
    // The last one is made last, so that where it is there all are.
    for (auto& buffer : ring_) {
      if (buffer.bytes == nullptr) buffer = link_.make(buffer_bytes);
      if (buffer.bytes == nullptr) return false;
    }
    return true;
  }
  template <class CopyRow>
  static void share_rows(const View& view, std::int64_t count, CopyRow copy_row) {
    const std::size_t bytes = row_bytes(view);
    const std::int64_t rows =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes_per_task / bytes));
    parallel_for((count + rows - 1) / rows, [&](std::int64_t task) {
      const std::int64_t end = std::min((task + 1) * rows, count);
      for (std::int64_t row = task * rows; row < end; ++row) copy_row(row, bytes);
    });
  }

  Link link_;
  std::mutex mutex_;
  std::array<typename Link::Buffer, static_cast<std::size_t>(buffers)> ring_{};
};

}  // namespace meander::engine
