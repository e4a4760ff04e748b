// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "io/file/input_file.hpp"
#include "io/image/source.hpp"

namespace meander::io {

/// Windows bitmaps, for input only: palettes of 1, 4 and 8 bits, also run-length encoded, as grey
/// or RGB, and colours of 16, 24 and 32 bits as RGB, or RGBA where the header has a mask for alpha.
bool is_bmp(const InputFile& file);
std::unique_ptr<Reader::Source> open_bmp(InputFile file, const ReadOptions& options);

/// The bits of one colour in a pixel of 16 or 32 bits.
struct BmpField {
  int shift = 0;
  std::uint32_t most = 0;  ///< The largest value; 0 when the file has no such colour.
};

/// What stands before the pixels of a bitmap, checked but for the size of the pixels.
struct BmpHeader {
  std::int64_t width = 0;
  std::int64_t height = 0;
  bool top_down = false;
  int bits = 0;                                      ///< Of a pixel.
  bool runs = false;                                 ///< Run-length encoded.
  std::int64_t pixels = 0;                           ///< Where in the file they begin.
  std::vector<std::array<std::uint8_t, 3>> palette;  ///< Red, green, blue; empty beyond 8 bits.
  std::array<BmpField, 4> fields;                    ///< Red, green, blue, alpha of 16 and 32 bits.

  bool has_grey_palette() const;
  int channels() const;
  /// Rows are padded to whole words of 32 bits.
  std::int64_t row_bytes() const { return (width * bits + 31) / 32 * 4; }
};

/// Whether the file begins as a bitmap does; the two letters alone may begin any text.
bool begins_like_bmp(const InputFile& file);

/// Throws MalformedFile and Unsupported.
BmpHeader read_bmp_header(const InputFile& file);

}  // namespace meander::io
