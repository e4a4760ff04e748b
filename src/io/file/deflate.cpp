// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/file/deflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <vector>

namespace meander::io {
namespace {

constexpr std::size_t piece_bytes = 256 << 10;
constexpr int level = 1;

int window_bits(Compression compression) {
  constexpr int largest = 15, with_gzip_header = 16;
  return compression == Compression::gzip ? largest + with_gzip_header : largest;
}

}  // namespace

struct DeflateStream::State {
  State(AtomicFile& target, Compression kind) : file(target), compression(kind) {
    if (compression == Compression::none) return;
    piece.resize(piece_bytes);
    constexpr int default_memory = 8;
    if (deflateInit2(&stream, level, Z_DEFLATED, window_bits(kind), default_memory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (compression != Compression::none) deflateEnd(&stream);
  }

  void put(std::span<const std::byte> bytes) {
    file.write(bytes);
    written += static_cast<std::int64_t>(bytes.size());
  }

  /// Compresses what the stream has been given, until it wants more or, finishing, is done.
  void pump(int flush) {
    int result = Z_OK;
    do {
      stream.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream.avail_out = static_cast<uInt>(piece.size());
      result = ::deflate(&stream, flush);
      put(std::span<const std::byte>(piece).first(piece.size() - stream.avail_out));
    } while (stream.avail_out == 0 && result != Z_STREAM_END);
  }

  AtomicFile& file;
  const Compression compression;
  std::int64_t written = 0;
  std::vector<std::byte> piece;
  z_stream stream{};
};

DeflateStream::DeflateStream(AtomicFile& file, Compression compression)
    : state_(std::make_unique<State>(file, compression)) {}
DeflateStream::~DeflateStream() = default;

void DeflateStream::write(std::span<const std::byte> bytes) {
  if (state_->compression == Compression::none) return state_->put(bytes);
  // zlib counts in 32 bits.
  constexpr std::size_t most = std::size_t{1} << 30;
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(most, bytes.size()));
    state_->stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(part.data()));
    state_->stream.avail_in = static_cast<uInt>(part.size());
    state_->pump(Z_NO_FLUSH);
    bytes = bytes.subspan(part.size());
  }
}

void DeflateStream::finish() {
  if (state_->compression != Compression::none) state_->pump(Z_FINISH);
}

std::int64_t DeflateStream::written() const { return state_->written; }

}  // namespace meander::io
