// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/image/pixel_rows.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <type_traits>
#include <vector>

namespace meander::io {
namespace {

/// Calls `f` with an unsigned integer as wide as a number of the type: only bytes are moved here.
template <class F>
void with_word(std::size_t number_bytes, F&& f) {
  switch (number_bytes) {
    case 1:
      return f(std::uint8_t{});
    case 2:
      return f(std::uint16_t{});
    case 4:
      return f(std::uint32_t{});
    default:
      return f(std::uint64_t{});
  }
}

template <class Word>
Word reversed(Word word) {
  if constexpr (sizeof(Word) == 2) return __builtin_bswap16(word);
  if constexpr (sizeof(Word) == 4) return __builtin_bswap32(word);
  if constexpr (sizeof(Word) == 8) return __builtin_bswap64(word);
  return word;
}

/// Cuts `count` pixels, counted through rows and slices from `first`, into pieces of rows.
template <class F>
void for_each_piece(const Shape& shape, std::int64_t first, std::int64_t count, F&& f) {
  while (count > 0) {
    const std::int64_t row = first / shape.x;
    const std::int64_t x = first % shape.x;
    const std::int64_t part = std::min(count, shape.x - x);
    f(RowPiece{.z = row / shape.y, .y = row % shape.y, .x = x, .count = part});
    first += part;
    count -= part;
  }
}

/// Cuts the whole image into runs of pixels, a cancel point after each.
template <class F>
void for_each_run(const Image& image, Progress& progress, F&& f) {
  const Shape& shape = image.shape();
  const std::int64_t pixels = shape.x * shape.y * shape.z;
  const std::int64_t bytes = pixel_bytes(image);
  const std::int64_t run = std::max<std::int64_t>(1, bytes_per_step / bytes);
  for (std::int64_t first = 0; first < pixels; first += run) {
    const std::int64_t count = std::min(run, pixels - first);
    f(first, count);
    progress.add(count * bytes);
  }
}

/// A list of memory pieces for one system call; neighbours become one piece.
class Pieces {
 public:
  void add(std::byte* address, std::size_t bytes) {
    if (!list_.empty() && end_ == address) {
      list_.back().iov_len += bytes;
    } else {
      list_.push_back({address, bytes});
    }
    end_ = address + bytes;
    bytes_ += bytes;
  }
  bool full() const { return list_.size() == IOV_MAX; }
  std::int64_t bytes() const { return static_cast<std::int64_t>(bytes_); }
  std::span<iovec> list() { return list_; }
  void clear() {
    list_.clear();
    end_ = nullptr;
    bytes_ = 0;
  }

 private:
  std::vector<iovec> list_;
  const std::byte* end_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Lists the memory of a run of pixels and hands it over in lists that one system call can take.
template <class F>
void for_each_list(const Image& image, std::int64_t first, std::int64_t count, Pieces& pieces,
                   F&& transfer) {
  const std::size_t size = size_of(image.type());
  for_each_piece(image.shape(), first, count, [&](const RowPiece& piece) {
    if (pieces.full()) transfer();
    const std::byte* row = image.row_bytes(piece.y, piece.z);
    pieces.add(const_cast<std::byte*>(row) + static_cast<std::size_t>(piece.x) * size,
               static_cast<std::size_t>(piece.count) * size);
  });
  transfer();
}

void read_plane(const InputFile& file, std::int64_t offset, bool swapped, Image& out,
                Progress& progress) {
  const std::size_t size = size_of(out.type());
  Pieces pieces;
  for_each_run(out, progress, [&](std::int64_t first, std::int64_t count) {
    for_each_list(out, first, count, pieces, [&] {
      file.read(offset, pieces.list());
      offset += pieces.bytes();
      pieces.clear();
    });
    if (!swapped || size == 1) return;
    for_each_piece(out.shape(), first, count, [&](const RowPiece& piece) {
      std::byte* row = out.mutable_row_bytes(piece.y, piece.z);
      swap_bytes({row + static_cast<std::size_t>(piece.x) * size,
                  static_cast<std::size_t>(piece.count) * size},
                 size);
    });
  });
}

void write_plane(AtomicFile& file, const Image& in, Progress& progress) {
  Pieces pieces;
  for_each_run(in, progress, [&](std::int64_t first, std::int64_t count) {
    for_each_list(in, first, count, pieces, [&] {
      file.write(pieces.list());
      pieces.clear();
    });
  });
}

}  // namespace

std::int64_t pixel_bytes(const Image& image) {
  return image.channels() * static_cast<std::int64_t>(size_of(image.type()));
}

std::int64_t row_bytes(const Image& image) { return image.shape().x * pixel_bytes(image); }

/// By memcpy, because the images hold floats.
void copy_numbers(const std::byte* from, std::ptrdiff_t from_step, std::byte* to,
                  std::ptrdiff_t to_step, std::int64_t count, std::size_t size) {
  with_word(size, [&]<class Word>(Word) {
    for (std::int64_t i = 0; i < count; ++i) {
      std::memcpy(to + i * to_step, from + i * from_step, sizeof(Word));
    }
  });
}

void scatter(const std::byte* interleaved, Image& out, const RowPiece& piece) {
  const std::size_t size = size_of(out.type());
  const auto step = static_cast<std::ptrdiff_t>(size) * out.channels();
  for (int c = 0; c < out.channels(); ++c) {
    std::byte* row =
        out.mutable_row_bytes(piece.y, piece.z, c) + static_cast<std::size_t>(piece.x) * size;
    copy_numbers(interleaved + static_cast<std::size_t>(c) * size, step, row,
                 static_cast<std::ptrdiff_t>(size), piece.count, size);
  }
}

void gather(const Image& in, const RowPiece& piece, std::byte* interleaved) {
  const std::size_t size = size_of(in.type());
  const auto step = static_cast<std::ptrdiff_t>(size) * in.channels();
  for (int c = 0; c < in.channels(); ++c) {
    const std::byte* row =
        in.row_bytes(piece.y, piece.z, c) + static_cast<std::size_t>(piece.x) * size;
    copy_numbers(row, static_cast<std::ptrdiff_t>(size),
                 interleaved + static_cast<std::size_t>(c) * size, step, piece.count, size);
  }
}

void swap_bytes(std::span<std::byte> numbers, std::size_t number_bytes) {
  with_word(number_bytes, [&]<class Word>(Word word) {
    for (std::size_t i = 0; i < numbers.size(); i += sizeof word) {
      std::memcpy(&word, numbers.data() + i, sizeof word);
      word = reversed(word);
      std::memcpy(numbers.data() + i, &word, sizeof word);
    }
  });
}

void read_raw(const InputFile& file, std::int64_t offset, bool swapped, Image& out,
              Progress& progress) {
  if (out.channels() == 1) return read_plane(file, offset, swapped, out, progress);
  std::vector<std::byte> interleaved;
  for_each_run(out, progress, [&](std::int64_t first, std::int64_t count) {
    interleaved.resize(static_cast<std::size_t>(count * pixel_bytes(out)));
    file.read(offset, interleaved);
    offset += static_cast<std::int64_t>(interleaved.size());
    if (swapped) swap_bytes(interleaved, size_of(out.type()));
    const std::byte* from = interleaved.data();
    for_each_piece(out.shape(), first, count, [&](const RowPiece& piece) {
      scatter(from, out, piece);
      from += piece.count * pixel_bytes(out);
    });
  });
}

void read_raw_rows(const InputFile& file, std::int64_t offset, std::int64_t row_step, bool swapped,
                   Image& out, Progress& progress) {
  if (row_step == row_bytes(out)) return read_raw(file, offset, swapped, out, progress);
  for (std::int64_t y = 0; y < out.shape().y; ++y) {
    Image row = out.rows(y, y + 1);
    read_raw(file, offset + y * row_step, swapped, row, progress);
  }
}

void write_raw(AtomicFile& file, const Image& in, Progress& progress) {
  if (in.channels() == 1) return write_plane(file, in, progress);
  write_raw([&](std::span<const std::byte> bytes) { file.write(bytes); }, in, progress);
}

void write_raw(const std::function<void(std::span<const std::byte>)>& write, const Image& in,
               Progress& progress) {
  std::vector<std::byte> interleaved;
  for_each_run(in, progress, [&](std::int64_t first, std::int64_t count) {
    interleaved.resize(static_cast<std::size_t>(count * pixel_bytes(in)));
    std::byte* to = interleaved.data();
    for_each_piece(in.shape(), first, count, [&](const RowPiece& piece) {
      gather(in, piece, to);
      to += piece.count * pixel_bytes(in);
    });
    write(interleaved);
  });
}

}  // namespace meander::io
