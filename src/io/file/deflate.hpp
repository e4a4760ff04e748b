// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "io/file/atomic_file.hpp"
#include "io/file/input_file.hpp"
#include "io/file/progress.hpp"

namespace meander::io {

/// The most that a byte of a deflated file can become.
inline constexpr std::int64_t deflate_ratio = 1032;

/// What a gzip or zlib stream inside a file holds, from `start` on; gzip may have several members.
/// Reading forwards goes through the stream once; reading backwards begins anew. Never more than
/// what is asked for is kept: memory does not depend on the stream.
class InflateStream {
 public:
  /// `file` must outlive the stream. Nothing is read yet.
  InflateStream(const InputFile& file, std::int64_t start);
  InflateStream(InflateStream&&) noexcept;
  InflateStream& operator=(InflateStream&&) noexcept;
  ~InflateStream();

  /// Fills `into` from `offset` of the content. A damaged stream, or one that ends before that, is
  /// a MalformedFile. `progress` is told of what has to be passed over.
  void read(std::int64_t offset, std::span<std::byte> into, Progress* progress = nullptr);
  /// After the last byte that is wanted: goes on to the end of the stream, where the checksums are.
  /// MalformedFile when those do not fit or are missing. A stream with over a megabyte more is
  /// believed.
  void check_end();
  /// As much as there is, and how much that was: for looking at the front of an unknown file. A
  /// stream that is damaged ends there.
  std::int64_t read_front(std::span<std::byte> into);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

enum class Compression : std::uint8_t { none, gzip, zlib };

/// Appends to a file, compressed or as it is. Level 1, where noisy measurements gain nearly all
/// there is to gain; gzip without name and time, so that equal pixels give equal files.
class DeflateStream {
 public:
  /// `file` must outlive the stream and stay where it is.
  DeflateStream(AtomicFile& file, Compression compression);
  ~DeflateStream();

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  /// Writes what follows the content. Once.
  void finish();
  /// Bytes that have gone into the file.
  std::int64_t written() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace meander::io
