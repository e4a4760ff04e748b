// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/file/deflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <vector>

namespace meander::io {
namespace {

constexpr std::size_t bytes_read_at_once = 64 << 10;
constexpr int any_header = 15 + 32;  // the largest window; gzip or zlib by the header

}  // namespace

struct InflateStream::State {
  State(const InputFile& opened, std::int64_t begin) : file(opened), start(begin), next(begin) {
    if (inflateInit2(&stream, any_header) != Z_OK) throw std::bad_alloc();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { inflateEnd(&stream); }

  void rewind() {
    inflateReset(&stream);
    stream.avail_in = 0;
    next = start;
    position = 0;
    at_end = false;
    fault = nullptr;
  }

  /// Inflates into `into` and returns how much; less than asked for only at the end or at a fault.
  std::size_t inflate_some(std::span<std::byte> into) {
    stream.next_out = reinterpret_cast<Bytef*>(into.data());
    stream.avail_out = static_cast<uInt>(into.size());
    while (stream.avail_out > 0 && !at_end && fault == nullptr) step();
    const std::size_t done = into.size() - stream.avail_out;
    position += static_cast<std::int64_t>(done);
    return done;
  }

  void step() {
    if (stream.avail_in == 0) refill();
    const int result = ::inflate(&stream, Z_NO_FLUSH);
    if (result == Z_STREAM_END) return end_member();
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result == Z_BUF_ERROR && next >= file.size()) {
      fault = "the compressed data ends too early";
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      fault = "the compressed data is damaged";
    }
  }

  void refill() {
    const auto count = std::min<std::int64_t>(bytes_read_at_once, file.size() - next);
    if (count <= 0) return;
    piece.resize(static_cast<std::size_t>(count));
    file.read(next, piece);
    next += count;
    stream.next_in = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_in = static_cast<uInt>(count);
  }

  /// Another gzip member may follow; anything else behind the end is not ours.
  void end_member() {
    if (stream.avail_in == 0) refill();
    constexpr Bytef gzip_magic = 0x1f;
    at_end = stream.avail_in == 0 || *stream.next_in != gzip_magic;
    if (!at_end) inflateReset(&stream);
  }

  const InputFile& file;
  const std::int64_t start;
  std::int64_t next;          ///< Of the file, behind what `piece` holds.
  std::int64_t position = 0;  ///< Of the content.
  bool at_end = false;
  const char* fault = nullptr;
  std::vector<std::byte> piece;
  z_stream stream{};
};

InflateStream::InflateStream(const InputFile& file, std::int64_t start)
    : state_(std::make_unique<State>(file, start)) {}
InflateStream::InflateStream(InflateStream&&) noexcept = default;
InflateStream& InflateStream::operator=(InflateStream&&) noexcept = default;
InflateStream::~InflateStream() = default;

void InflateStream::read(std::int64_t offset, std::span<std::byte> into, Progress* progress) {
  if (offset < state_->position) state_->rewind();
  const auto need = [&](std::span<std::byte> part) {
    if (state_->inflate_some(part) == part.size()) return;
    state_->file.malformed(
        state_->fault != nullptr ? state_->fault : "the compressed data ends too early", ": found ",
        state_->position, " bytes in it, expected at least ",
        offset + static_cast<std::int64_t>(into.size()));
  };
  std::vector<std::byte> passed_over;
  while (state_->position < offset) {
    passed_over.resize(static_cast<std::size_t>(
        std::min<std::int64_t>(bytes_read_at_once, offset - state_->position)));
    need(passed_over);
    if (progress != nullptr) progress->skip(static_cast<std::int64_t>(passed_over.size()));
  }
  // zlib counts in 32 bits.
  constexpr std::size_t most = std::size_t{1} << 30;
  while (!into.empty()) {
    const auto part = into.first(std::min(most, into.size()));
    need(part);
    into = into.subspan(part.size());
  }
}

void InflateStream::check_end() {
  constexpr int most_pieces = 16;
  std::vector<std::byte> unwanted(bytes_read_at_once);
  for (int i = 0; i < most_pieces && !state_->at_end; ++i) {
    state_->inflate_some(unwanted);
    if (state_->fault != nullptr) state_->file.malformed(state_->fault);
  }
}

std::int64_t InflateStream::read_front(std::span<std::byte> into) {
  state_->rewind();
  return static_cast<std::int64_t>(state_->inflate_some(into));
}

namespace {

constexpr std::size_t bytes_written_at_once = 256 << 10;
constexpr int level = 1;

int window_bits(Compression compression) {
  constexpr int largest = 15, with_gzip_header = 16;
  return compression == Compression::gzip ? largest + with_gzip_header : largest;
}

}  // namespace

struct DeflateStream::State {
  State(AtomicFile& target, Compression kind) : file(target), compression(kind) {
    if (compression == Compression::none) return;
    piece.resize(bytes_written_at_once);
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
