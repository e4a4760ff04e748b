// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "core/host_memory.hpp"
#include "io/file/input_file.hpp"
#include "io/file/size_check.hpp"
#include "io/image/orientation.hpp"
#include "io/image/pixel_rows.hpp"
#include "io/image/spacing.hpp"
#include "io/png/guard.hpp"
#include "io/png/png.hpp"
#include "io/png/spacing.hpp"

namespace meander::io {
namespace {

constexpr png_uint_32 longest_axis = 0x7fffffff;
constexpr png_alloc_size_t largest_chunk = 8 << 20;  // of text, profiles and the like
constexpr png_uint_32 most_chunks = 128;
constexpr std::int64_t best_deflate_ratio = 1032;  // 258 bytes from 2 bits, zlib's bound

/// libpng sets memory aside for a chunk, however long it claims to be, before it looks whether the
/// file has it. Those from the pixels on are read piece by piece.
void check_chunks(const InputFile& file) {
  std::array<png_byte, 8> head = {};
  std::int64_t at = 8;
  while (file.read_some(at, std::as_writable_bytes(std::span(head))) == std::ssize(head)) {
    const std::int64_t length = png_get_uint_32(head.data());
    const std::string_view name(reinterpret_cast<const char*>(head.data()) + 4, 4);
    if (name == "IDAT") return;
    if (length > file.size() - at) {
      file.malformed("found a PNG chunk of ", length, " bytes at byte ", at, " of ", file.size());
    }
    if (length > static_cast<std::int64_t>(largest_chunk)) {
      file.unsupported("found a PNG chunk '", printable(name), "' of ", length,
                       " bytes, expected at most ", largest_chunk);
    }
    at += length + 12;
  }
}

/// libpng's reader at a place in the file: opened before the first row, then row after row.
class PngDecoder {
 public:
  explicit PngDecoder(const InputFile& file) : file_(file) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure_, png_fail, png_ignore_warning);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    const bool ready = info_ != nullptr && guarded(png_, [this] { read_header(); });
    if (ready) return;
    png_destroy_read_struct(&png_, &info_, nullptr);
    refuse();
  }
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;
  ~PngDecoder() { png_destroy_read_struct(&png_, &info_, nullptr); }

  Description description() const {
    const int color = png_get_color_type(png_, info_);
    Description found;
    found.shape = {png_get_image_width(png_, info_), png_get_image_height(png_, info_), 1};
    found.type = png_get_bit_depth(png_, info_) == 16 ? PixelType::u16 : PixelType::u8;
    found.channels = png_get_channels(png_, info_);
    if (color == PNG_COLOR_TYPE_PALETTE) {
      found.channels = (has_grey_palette() ? 1 : 3) + (has_transparency() ? 1 : 0);
    }
    found.spacing = spacing_of(density(), exact_spacing());
    return found;
  }
  /// Pixels per metre that are no spacing.
  std::string print_density() const {
    const auto found = density();
    if (!found || !found->per_metre || spacing_of(found, exact_spacing()) != Spacing{}) return {};
    return density_text(found->x, found->y, "metre");
  }
  int orientation() const {
    png_uint_32 bytes = 0;
    png_bytep block = nullptr;
    if (png_get_eXIf_1(png_, info_, &bytes, &block) == 0) return 1;
    return exif_orientation(std::as_bytes(std::span(block, bytes)));
  }
  bool interlaced() const { return png_get_interlace_type(png_, info_) != PNG_INTERLACE_NONE; }
  /// Bytes that the compressed stream must yield.
  std::int64_t stored_bytes() const {
    return expanded(static_cast<std::int64_t>(png_get_rowbytes(png_, info_)),
                    png_get_image_height(png_, info_));
  }
  std::int64_t next_row() const { return next_row_; }

  /// Prepares for rows; libpng allocates a few of them here, so claims have to be checked before.
  void start() {
    run([this] {
      if (png_get_color_type(png_, info_) == PNG_COLOR_TYPE_PALETTE) {
        png_set_palette_to_rgb(png_);
        if (has_transparency()) png_set_tRNS_to_alpha(png_);
        // Of equal colours libpng takes the one, whatever the weights.
        if (has_grey_palette()) png_set_rgb_to_gray_fixed(png_, PNG_ERROR_ACTION_NONE, -1, -1);
      } else if (png_get_bit_depth(png_, info_) < 8) {
        png_set_expand_gray_1_2_4_to_8(png_);
      }
      if (std::endian::native == std::endian::little) png_set_swap(png_);
      passes_ = png_set_interlace_handling(png_);
      png_read_update_info(png_, info_);
    });
  }
  int passes() const { return passes_; }
  /// The next row of the pass; a later pass adds to what an earlier one has left there.
  void read_row(std::byte* interleaved) {
    run([&] { png_read_row(png_, reinterpret_cast<png_bytep>(interleaved), nullptr); });
    ++next_row_;
  }
  std::size_t row_bytes() const { return png_get_rowbytes(png_, info_); }

 private:
  void read_header() {
    png_set_read_fn(png_, this, fetch);
    png_set_user_limits(png_, longest_axis, longest_axis);
    png_set_chunk_malloc_max(png_, largest_chunk);
    png_set_chunk_cache_max(png_, most_chunks);
    png_read_info(png_, info_);
  }
  static void fetch(png_structp png, png_bytep into, std::size_t bytes) {
    auto* self = static_cast<PngDecoder*>(png_get_io_ptr(png));
    const std::int64_t got =
        self->file_.read_some(self->offset_, {reinterpret_cast<std::byte*>(into), bytes});
    if (got < 0) self->read_error_ = errno;
    if (got < 0) png_error(png, "the system could not read it");
    if (got != static_cast<std::int64_t>(bytes)) png_error(png, "the file ends too early");
    self->offset_ += got;
  }

  template <class Calls>
  void run(const Calls& calls) {
    if (!guarded(png_, calls)) refuse();
  }
  [[noreturn]] void refuse() const {
    if (read_error_ != 0) refuse_by_system(file_.path(), "cannot be read", read_error_);
    if (failure_.no_memory || failure_.text[0] == 0)
      throw OutOfMemory(file_.path().string() + ": no memory to decode it");
    file_.malformed("damaged PNG: ", failure_.text);
  }

  bool has_transparency() const { return png_get_valid(png_, info_, PNG_INFO_tRNS) != 0; }
  bool has_grey_palette() const {
    png_colorp colours = nullptr;
    int count = 0;
    if (png_get_PLTE(png_, info_, &colours, &count) == 0) return false;
    return std::all_of(colours, colours + count, [](const png_color& one) {
      return one.red == one.green && one.green == one.blue;
    });
  }
  std::optional<PngDensity> density() const {
    png_uint_32 x = 0, y = 0;
    int unit = PNG_RESOLUTION_UNKNOWN;
    if (png_get_pHYs(png_, info_, &x, &y, &unit) == 0) return std::nullopt;
    return PngDensity{.x = x, .y = y, .per_metre = unit == PNG_RESOLUTION_METER};
  }
  std::string_view exact_spacing() const {
    png_textp texts = nullptr;
    const int count = png_get_text(png_, info_, &texts, nullptr);
    for (int i = 0; i < count; ++i) {
      if (texts[i].key == exact_spacing_key && texts[i].text != nullptr) return texts[i].text;
    }
    return {};
  }

  const InputFile& file_;
  std::int64_t offset_ = 0;
  std::int64_t next_row_ = 0;
  int passes_ = 1;
  int read_error_ = 0;
  PngFailure failure_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

class PngSource final : public Reader::Source {
 public:
  explicit PngSource(InputFile opened) : Source(std::move(opened)) {
    check_chunks(file);
    const PngDecoder header(file);
    description = header.description();
    interlaced_ = header.interlaced();
    orientation = header.orientation();
    print_density = header.print_density();
    has_alpha = description.channels % 2 == 0;
    // What the stream has to yield is less than the pixels where bits or a palette are expanded.
    const std::int64_t most = expanded(file.size(), best_deflate_ratio);
    check_claim(file, description, header.stored_bytes() <= most ? INT64_MAX : most);
  }

  void read(const Corner& from, Image& out, Progress& progress) override {
    if (interlaced_) return copy_rows(from, out, progress);
    if (!decoder_ || from.y < decoder_->next_row()) restart();
    // Held here, so that a decoder that fails or is cancelled on the way is not used again.
    auto decoder = std::move(decoder_);
    const auto bytes = static_cast<std::int64_t>(decoder->row_bytes());
    while (decoder->next_row() < from.y) {
      decoder->read_row(row_->host);
      progress.skip(bytes);
    }
    for (std::int64_t y = 0; y < out.shape().y; ++y) {
      decoder->read_row(row_->host);
      scatter(row_->host + from.x * pixel_bytes(out), out, {.y = y, .count = out.shape().x});
      progress.add(row_bytes(out));
    }
    decoder_ = std::move(decoder);
  }

 private:
  void restart() {
    decoder_ = std::make_unique<PngDecoder>(file);
    decoder_->start();
    row_ = engine::host_pool()->take(decoder_->row_bytes());
  }
  /// Passes of an interlaced image touch rows all over it, so it is decoded whole, once.
  void copy_rows(const Corner& from, Image& out, Progress& progress) {
    if (!whole_) decode_whole(progress);
    const std::byte* first = whole_->host + from.x * pixel_bytes(out);
    for (std::int64_t y = 0; y < out.shape().y; ++y) {
      scatter(first + (from.y + y) * row_length_, out, {.y = y, .count = out.shape().x});
      progress.add(row_bytes(out));
    }
  }
  void decode_whole(Progress& progress) {
    PngDecoder decoder(file);
    decoder.start();
    row_length_ = static_cast<std::int64_t>(decoder.row_bytes());
    const std::int64_t rows = description.shape.y;
    const auto whole = engine::host_pool()->take(static_cast<std::size_t>(rows * row_length_));
    for (std::int64_t row = 0; row < rows * decoder.passes(); ++row) {
      decoder.read_row(whole->host + row % rows * row_length_);
      progress.skip(row_length_ / decoder.passes());
    }
    whole_ = whole;
  }

  bool interlaced_ = false;
  std::unique_ptr<PngDecoder> decoder_;
  engine::MemoryPtr row_;
  engine::MemoryPtr whole_;
  std::int64_t row_length_ = 0;
};

}  // namespace

std::unique_ptr<Reader::Source> open_png(InputFile file, const ReadOptions&) {
  return std::make_unique<PngSource>(std::move(file));
}

}  // namespace meander::io
