// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <tiffio.h>

#include <memory>
#include <vector>

#include "engine/memory.hpp"
#include "io/file/progress.hpp"
#include "io/image/pixel_rows.hpp"
#include "io/image/source.hpp"
#include "io/tiff/page.hpp"

namespace meander::io {

/// Pages that need decoding, by libtiff: compressed, tiled or with reversed bits.
class TiffDecoder {
 public:
  explicit TiffDecoder(const InputFile& file);

  /// Fills `out`, a 2-D image, with the part of the page that starts at `from`.
  void read(const TiffPage& page, const Corner& from, Image& out, Progress& progress);

  /// Throws Unsupported when this libtiff cannot decompress the page.
  static void check_codec(const InputFile& file, const TiffPage& page);

 private:
  struct Close {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
  };
  void open(const TiffPage& page);
  void select(const TiffPage& page);
  void read_rows(const TiffPage& page, int plane, const Corner& from, Image& out,
                 Progress& progress);
  void read_tiles(const TiffPage& page, int plane, const Corner& from, Image& out,
                  Progress& progress);
  void put(const TiffPage& page, const std::byte* row, std::int64_t first, Image& out,
           const RowPiece& piece);
  void copy_tile(const TiffPage& page, std::int64_t tile_x, std::int64_t tile_y, const Corner& from,
                 Image& out);
  /// Runs calls into libtiff that say whether they succeeded.
  template <class Calls>
  void run(const Calls& calls);
  [[noreturn]] void refuse() const;

  static tmsize_t read_bytes(thandle_t self, void* into, tmsize_t bytes);
  static tmsize_t write_bytes(thandle_t self, void* from, tmsize_t bytes);
  static toff_t seek(thandle_t self, toff_t offset, int whence);
  static int close(thandle_t self);
  static toff_t size(thandle_t self);
  static int keep_error(TIFF* tiff, void* self, const char* module, const char* format,
                        va_list values);
  static int keep_damage(TIFF* tiff, void* self, const char* module, const char* format,
                         va_list values);

  const InputFile& file_;
  std::int64_t offset_ = 0;
  char error_[160] = "";
  bool no_memory_ = false;
  bool is_damaged_ = false;
  int read_error_ = 0;
  std::unique_ptr<TIFF, Close> tiff_;
  std::int64_t largest_block_ = 0;  ///< What this handle may allocate at once.
  std::uint64_t page_ = 0;          ///< Position of the selected page's directory.
  std::int64_t next_row_ = -1;      ///< That libtiff can decode without starting a strip again.
  int next_plane_ = 0;
  engine::MemoryPtr buffer_;
  std::vector<std::byte> unpacked_;  ///< Small samples of a part of a row, a byte each.
};

}  // namespace meander::io
