// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "io/file/atomic_file.hpp"
#include "io/file/input_file.hpp"
#include "io/file/progress.hpp"
#include "meander/image.hpp"

/// Pixels between files, where the channels of a pixel are neighbours, and images, where each
/// channel is a plane of its own.
namespace meander::io {

/// Part of one row of an image.
struct RowPiece {
  std::int64_t z = 0;
  std::int64_t y = 0;
  std::int64_t x = 0;
  std::int64_t count = 0;
};

/// Bytes of one pixel, all channels together.
std::int64_t pixel_bytes(const Image& image);

/// Bytes of one row of pixels in a file.
std::int64_t row_bytes(const Image& image);

/// `count` numbers of `size` bytes, one every so many bytes on either side.
void copy_numbers(const std::byte* from, std::ptrdiff_t from_step, std::byte* to,
                  std::ptrdiff_t to_step, std::int64_t count, std::size_t size);

/// Interleaved pixels into a piece of a row, and back.
void scatter(const std::byte* interleaved, Image& out, const RowPiece& piece);
void gather(const Image& in, const RowPiece& piece, std::byte* interleaved);

/// Reverses the bytes of each number.
void swap_bytes(std::span<std::byte> numbers, std::size_t number_bytes);

/// Fills `out` from uncompressed interleaved pixels, rows and slices following each other without
/// gaps from `offset`. One channel goes from the file straight into its rows, without a copy on the
/// way.
void read_raw(const InputFile& file, std::int64_t offset, bool swapped, Image& out,
              Progress& progress);

/// The same where only a part of each row is wanted: its first pixel is at `offset`, and the rows
/// of the file are `row_step` bytes apart. One slice.
void read_raw_rows(const InputFile& file, std::int64_t offset, std::int64_t row_step, bool swapped,
                   Image& out, Progress& progress);

/// Appends pixels in the same order.
void write_raw(AtomicFile& file, const Image& in, Progress& progress);
/// The same by way of a buffer, for what is not a plain file.
void write_raw(const std::function<void(std::span<const std::byte>)>& write, const Image& in,
               Progress& progress);

}  // namespace meander::io
