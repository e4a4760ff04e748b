// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/tiff/decoder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <new>
#include <string_view>

#include "core/host_memory.hpp"

namespace meander::io {
namespace {

constexpr std::int64_t working_room = 32 << 20;  // dictionaries and tables of the codecs

TiffDecoder& decoder(thandle_t self) { return *static_cast<TiffDecoder*>(self); }

struct FreeOptions {
  void operator()(TIFFOpenOptions* options) const { TIFFOpenOptionsFree(options); }
};

/// libjpeg and the decoders of faxes go on after damage, with whatever their buffers hold, and only
/// tell of it; the pixels would depend on what was decoded before.
bool is_damage(const char* module, std::string_view text) {
  if (module == nullptr) return false;
  const std::string_view name = module;
  if (name.starts_with("Fax")) return true;
  return name == "JPEGLib" && (text.starts_with("Corrupt") || text.starts_with("Premature"));
}

std::int64_t buffer_bytes(const TiffPage& page) {
  const std::int64_t row = page.chunk_row_bytes();
  return page.tiled ? row * page.chunk_height : row;
}

}  // namespace

TiffDecoder::TiffDecoder(const InputFile& file) : file_(file) {}

tmsize_t TiffDecoder::read_bytes(thandle_t self, void* into, tmsize_t bytes) {
  TiffDecoder& me = decoder(self);
  const std::int64_t got = me.file_.read_some(
      me.offset_, {static_cast<std::byte*>(into), static_cast<std::size_t>(bytes)});
  if (got > 0) me.offset_ += got;
  if (got < 0) me.read_error_ = errno;
  return got;
}

tmsize_t TiffDecoder::write_bytes(thandle_t, void*, tmsize_t) { return -1; }

toff_t TiffDecoder::seek(thandle_t self, toff_t offset, int whence) {
  TiffDecoder& me = decoder(self);
  const std::int64_t base = whence == SEEK_SET   ? 0
                            : whence == SEEK_CUR ? me.offset_
                                                 : me.file_.size();
  std::int64_t target = 0;
  if (__builtin_add_overflow(base, static_cast<std::int64_t>(offset), &target) || target < 0) {
    errno = EINVAL;
    return static_cast<toff_t>(-1);
  }
  me.offset_ = target;
  return static_cast<toff_t>(target);
}

int TiffDecoder::close(thandle_t) { return 0; }

toff_t TiffDecoder::size(thandle_t self) { return static_cast<toff_t>(decoder(self).file_.size()); }

int TiffDecoder::keep_error(TIFF*, void* self, const char* module, const char* format,
                            va_list values) {
  auto& me = *static_cast<TiffDecoder*>(self);
  // The first message is the cause; the others follow from it.
  if (errno == ENOMEM) me.no_memory_ = true;
  if (is_damage(module, "")) me.is_damaged_ = true;
  if (me.error_[0] == 0) std::vsnprintf(me.error_, sizeof me.error_, format, values);
  return 1;
}

int TiffDecoder::keep_damage(TIFF*, void* self, const char* module, const char* format,
                             va_list values) {
  auto& me = *static_cast<TiffDecoder*>(self);
  char text[sizeof me.error_];
  std::vsnprintf(text, sizeof text, format, values);
  const std::string_view warning = text;
  if (!is_damage(module, warning)) return 1;
  me.is_damaged_ = true;
  if (me.error_[0] == 0) warning.copy(me.error_, warning.size());
  return 1;
}

template <class Calls>
void TiffDecoder::run(const Calls& calls) {
  errno = 0;
  if (!calls() || is_damaged_) refuse();
}

void TiffDecoder::refuse() const {
  if (read_error_ != 0) refuse_by_system(file_.path(), "cannot be read", read_error_);
  if (no_memory_ || errno == ENOMEM) {
    throw OutOfMemory(message(file_.path().string(), ": no memory to decode it"));
  }
  file_.malformed("damaged TIFF: ", error_[0] != 0 ? error_ : "its pixels cannot be decoded");
}

void TiffDecoder::check_codec(const InputFile& file, const TiffPage& page) {
  if (TIFFIsCODECConfigured(page.compression) != 0) return;
  const TIFFCodec* codec = TIFFFindCODEC(page.compression);
  file.unsupported("found TIFF compression ", page.compression, " (",
                   codec != nullptr ? codec->name : "unknown",
                   "), expected one that the installed libtiff can read");
}

void TiffDecoder::open(const TiffPage& page) {
  largest_block_ = std::max(file_.size(), buffer_bytes(page)) + working_room;
  const std::unique_ptr<TIFFOpenOptions, FreeOptions> options(TIFFOpenOptionsAlloc());
  if (!options) throw std::bad_alloc();
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), largest_block_);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keep_error, this);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), keep_damage, this);
  // h: leave the directories alone until one is asked for. m: no memory map, which a file that
  // shrinks would turn into a crash. O: load positions of strips as they are needed.
  run([&] {
    tiff_.reset(TIFFClientOpenExt(file_.path().c_str(), "rhmO", this, read_bytes, write_bytes, seek,
                                  close, size, nullptr, nullptr, options.get()));
    return tiff_ != nullptr;
  });
}

void TiffDecoder::select(const TiffPage& page) {
  std::ranges::fill(error_, '\0');
  no_memory_ = is_damaged_ = false;
  const std::int64_t bytes = buffer_bytes(page);
  if (!tiff_ || bytes > largest_block_) {
    page_ = 0;
    open(page);
  }
  if (page_ != page.position) {
    next_row_ = -1;
    page_ = 0;
    run([&] { return TIFFSetSubDirectory(tiff_.get(), page.position) != 0; });
    page_ = page.position;
  }
  // Both readings of the tags have to agree before libtiff fills a buffer of ours.
  TIFF* tiff = tiff_.get();
  const auto found = page.tiled ? TIFFTileSize64(tiff) : TIFFScanlineSize64(tiff);
  if ((TIFFIsTiled(tiff) != 0) != page.tiled || found != static_cast<std::uint64_t>(bytes)) {
    file_.malformed("TIFF tags contradict each other: found chunks of ", found, " bytes, expected ",
                    bytes);
  }
  if (!buffer_ || buffer_->bytes < static_cast<std::size_t>(bytes)) {
    buffer_ = engine::host_pool()->take(static_cast<std::size_t>(bytes));
  }
}

void TiffDecoder::read(const TiffPage& page, const Corner& from, Image& out, Progress& progress) {
  select(page);
  const int planes = page.separate_planes ? page.samples : 1;
  for (int plane = 0; plane < planes; ++plane) {
    Image part = page.separate_planes ? out.channel(plane) : out;
    if (page.tiled) {
      read_tiles(page, plane, from, part, progress);
    } else {
      read_rows(page, plane, from, part, progress);
    }
  }
}

/// Codecs decode a strip from its first row on; rows before the wanted ones are decoded and
/// dropped. Row by row, so that one strip that holds the whole image does not need its memory
/// twice.
void TiffDecoder::read_rows(const TiffPage& page, int plane, const Corner& from, Image& out,
                            Progress& progress) {
  const std::int64_t first_row = from.y;
  const bool continues = next_plane_ == plane && next_row_ == first_row;
  std::int64_t row = continues ? first_row : first_row / page.chunk_height * page.chunk_height;
  const std::int64_t end = first_row + out.shape().y;
  const std::int64_t bytes = page.chunk_row_bytes();
  next_row_ = -1;
  for (; row < end; ++row) {
    run([&] {
      return TIFFReadScanline(tiff_.get(), buffer_->host, static_cast<std::uint32_t>(row),
                              static_cast<std::uint16_t>(plane)) == 1;
    });
    if (row < first_row) {
      progress.skip(bytes);
      continue;
    }
    put(page, buffer_->host, from.x, out, {.y = row - first_row, .count = out.shape().x});
    progress.add(row_bytes(out));
  }
  next_row_ = end;
  next_plane_ = plane;
}

void TiffDecoder::read_tiles(const TiffPage& page, int plane, const Corner& from, Image& out,
                             Progress& progress) {
  const std::int64_t end = from.y + out.shape().y;
  const std::int64_t first_tile = from.y / page.chunk_height;
  const std::int64_t last_tile = (end - 1) / page.chunk_height;
  const std::int64_t first_across = from.x / page.chunk_width;
  const std::int64_t last_across = (from.x + out.shape().x - 1) / page.chunk_width;
  const std::int64_t per_plane = page.chunks_across() * page.chunks_down();
  for (std::int64_t tile_y = first_tile; tile_y <= last_tile; ++tile_y) {
    for (std::int64_t tile_x = first_across; tile_x <= last_across; ++tile_x) {
      const std::int64_t index = plane * per_plane + tile_y * page.chunks_across() + tile_x;
      const tmsize_t bytes = buffer_bytes(page);
      run([&] {
        return TIFFReadEncodedTile(tiff_.get(), static_cast<std::uint32_t>(index), buffer_->host,
                                   bytes) == bytes;
      });
      copy_tile(page, tile_x, tile_y, from, out);
      progress.skip(bytes);
    }
    const std::int64_t done = std::min(end, (tile_y + 1) * page.chunk_height) -
                              std::max(from.y, tile_y * page.chunk_height);
    progress.add(done * row_bytes(out));
  }
}

/// A piece of a row of the page, from its pixel `first` on.
void TiffDecoder::put(const TiffPage& page, const std::byte* row, std::int64_t first, Image& out,
                      const RowPiece& piece) {
  if (!page.has_small_samples()) return scatter(row + first * pixel_bytes(out), out, piece);
  unpacked_.resize(static_cast<std::size_t>(piece.count));
  const auto mask = static_cast<unsigned>((1 << page.bits) - 1);
  for (std::int64_t i = 0; i < piece.count; ++i) {
    const std::int64_t bit = (first + i) * page.bits;
    const auto shift = static_cast<unsigned>(8 - page.bits - bit % 8);
    unpacked_[static_cast<std::size_t>(i)] =
        static_cast<std::byte>(std::to_integer<unsigned>(row[bit / 8]) >> shift & mask);
  }
  scatter(unpacked_.data(), out, piece);
}

/// The part of the tile in the buffer that lies in `out`.
void TiffDecoder::copy_tile(const TiffPage& page, std::int64_t tile_x, std::int64_t tile_y,
                            const Corner& from, Image& out) {
  const std::int64_t left = tile_x * page.chunk_width;
  const std::int64_t top = tile_y * page.chunk_height;
  const std::int64_t x = std::max(left, from.x);
  const std::int64_t count = std::min(left + page.chunk_width, from.x + out.shape().x) - x;
  const std::int64_t end = std::min(top + page.chunk_height, from.y + out.shape().y);
  for (std::int64_t row = std::max(top, from.y); row < end; ++row) {
    put(page, buffer_->host + (row - top) * page.chunk_row_bytes(), x - left, out,
        {.y = row - from.y, .x = x - from.x, .count = count});
  }
}

}  // namespace meander::io
