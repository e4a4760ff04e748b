// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "io/file/atomic_file.hpp"

namespace meander::io {

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
