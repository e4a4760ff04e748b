// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <array>
#include <cerrno>
#include <csetjmp>
#include <cstddef>
#include <cstdio>  // jpeglib.h uses FILE and does not include it
#include <vector>

#include "core/host_memory.hpp"
#include "io/file/size_check.hpp"
#include "io/image/orientation.hpp"
#include "io/image/pixel_rows.hpp"
#include "io/image/spacing.hpp"
#include "io/jpeg/jpeg.hpp"

#include <jpeglib.h>

#include <jerror.h>

namespace meander::io {
namespace {

/// libjpeg's error handler, which by default prints and ends the process. This one keeps the
/// message and leaves the failed call by longjmp, which skips destructors, so all calls go through
/// `guarded`, in lambdas that own nothing.
struct JpegFailure : jpeg_error_mgr {
  JpegFailure();
  std::jmp_buf place;
  char text[JMSG_LENGTH_MAX] = "";

  bool is_no_memory() const;
  /// Whether the file is sound but of a kind that libjpeg does not decode.
  bool is_other_kind() const;
};

template <class Calls>
[[nodiscard]] bool guarded(JpegFailure& failure, const Calls& calls) {
  if (setjmp(failure.place) != 0) return false;
  calls();
  return true;
}

[[noreturn]] void leave(j_common_ptr jpeg) {
  auto& failure = *static_cast<JpegFailure*>(jpeg->err);
  failure.format_message(jpeg, failure.text);
  std::longjmp(failure.place, 1);
}

/// Warnings after which pixels are guessed, or are what the buffer held before, are errors. Others
/// tell of oddities that every program reads the same way.
void judge_message(j_common_ptr jpeg, int level) {
  if (level >= 0) return;
  switch (jpeg->err->msg_code) {
    case JWRN_ARITH_BAD_CODE:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_JPEG_EOF:
    case JWRN_MUST_RESYNC:
      leave(jpeg);
    default:
      break;
  }
}

void stay_silent(j_common_ptr) {}

JpegFailure::JpegFailure() : jpeg_error_mgr{} {
  jpeg_std_error(this);
  error_exit = leave;
  emit_message = judge_message;
  output_message = stay_silent;
}

bool JpegFailure::is_no_memory() const { return msg_code == JERR_OUT_OF_MEMORY; }

bool JpegFailure::is_other_kind() const {
  switch (msg_code) {
#if JPEG_LIB_VERSION < 70  // later ones decode it
    case JERR_ARITH_NOTIMPL:
#endif
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_COMPONENT_COUNT:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_IMAGE_TOO_BIG:
    case JERR_SOF_UNSUPPORTED:
      return true;
    default:
      return false;
  }
}

/// Programs write some ten scans. Each goes over the whole image, however few bytes it has.
constexpr int most_scans = 100;
/// The most that a byte may claim to become. Huffman codes of one bit a block and subsampled
/// colours reach some 2000; arithmetic coding of a constant more, but nobody sends those large.
constexpr std::int64_t best_ratio = std::int64_t{1} << 16;

/// libjpeg's reader at a place in the file: opened before the first row, then row after row.
class JpegDecoder {
 public:
  explicit JpegDecoder(const InputFile& file) : file_(file) {
    jpeg_.err = &failure_;
    const bool ready = guarded(failure_, [this] {
      jpeg_create_decompress(&jpeg_);
      set_input();
      jpeg_read_header(&jpeg_, TRUE);
    });
    if (ready) return;
    jpeg_destroy_decompress(&jpeg_);
    refuse();
  }
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;
  ~JpegDecoder() { jpeg_destroy_decompress(&jpeg_); }

  Description description() const {
    return {.shape = {jpeg_.image_width, jpeg_.image_height, 1},
            .channels = channels(),
            .type = PixelType::u8};
  }
  /// JFIF's, where it has a unit.
  std::string print_density() const {
    constexpr int inch = 1, centimetre = 2;
    const bool has_unit = jpeg_.density_unit == inch || jpeg_.density_unit == centimetre;
    if (jpeg_.saw_JFIF_marker == FALSE || !has_unit) return {};
    return density_text(jpeg_.X_density, jpeg_.Y_density,
                        jpeg_.density_unit == inch ? "inch" : "centimetre");
  }
  /// Bytes of coefficients that are held until the last scan has been read.
  std::int64_t held_bytes() {
    if (jpeg_has_multiple_scans(&jpeg_) == FALSE) return 0;
    std::int64_t blocks = 0;
    for (int i = 0; i < jpeg_.num_components; ++i) {
      const jpeg_component_info& one = jpeg_.comp_info[i];
      blocks += std::int64_t{one.width_in_blocks} * one.height_in_blocks;
    }
    return blocks * static_cast<std::int64_t>(sizeof(JBLOCK));
  }
  std::int64_t next_row() const { return jpeg_.output_scanline; }
  std::int64_t row_bytes() const { return std::int64_t{jpeg_.image_width} * channels(); }

  /// Prepares for rows; claims have to be checked before.
  void start(Progress& progress) {
    const bool scans = jpeg_has_multiple_scans(&jpeg_) != FALSE;
    run([&] {
      jpeg_.out_color_space = channels() == 1 ? JCS_GRAYSCALE : JCS_RGB;
      jpeg_.buffered_image = scans ? TRUE : FALSE;
      jpeg_start_decompress(&jpeg_);
    });
    if (!scans) return;
    read_scans(progress);
    run([&] { jpeg_start_output(&jpeg_, jpeg_.input_scan_number); });
  }
  void read_row(std::byte* interleaved) {
    auto* row = reinterpret_cast<JSAMPROW>(interleaved);
    run([&] { jpeg_read_scanlines(&jpeg_, &row, 1); });
  }

 private:
  int channels() const {
    switch (jpeg_.jpeg_color_space) {
      case JCS_GRAYSCALE:
        return 1;
      case JCS_RGB:
      case JCS_YCbCr:
        return 3;
      case JCS_CMYK:
      case JCS_YCCK:
        file_.unsupported("found a JPEG of CMYK inks, expected grey or RGB");
      default:
        file_.unsupported("found a JPEG of ", jpeg_.num_components,
                          " components of no known meaning, expected grey or RGB");
    }
  }

  /// A row of blocks at a time, each with a point at which the work can be cancelled.
  void read_scans(Progress& progress) {
    int outcome = JPEG_SUSPENDED;
    while (outcome != JPEG_REACHED_EOI) {
      run([&] { outcome = jpeg_consume_input(&jpeg_); });
      progress.skip(DCTSIZE * row_bytes());
      if (jpeg_.input_scan_number <= most_scans) continue;
      file_.unsupported("found a JPEG of more than ", most_scans, " scans");
    }
  }

  void set_input() {
    jpeg_.src = &input_;
    jpeg_.client_data = this;
    input_.init_source = [](j_decompress_ptr) {};
    input_.term_source = [](j_decompress_ptr) {};
    input_.resync_to_restart = jpeg_resync_to_restart;
    input_.fill_input_buffer = [](j_decompress_ptr jpeg) { return of(jpeg).fetch(); };
    input_.skip_input_data = [](j_decompress_ptr jpeg, long bytes) { of(jpeg).pass_over(bytes); };
  }
  static JpegDecoder& of(j_decompress_ptr jpeg) {
    return *static_cast<JpegDecoder*>(jpeg->client_data);
  }
  boolean fetch() {
    const std::int64_t got = file_.read_some(offset_, std::as_writable_bytes(std::span(buffer_)));
    if (got < 0) read_error_ = errno;
    if (got <= 0) ERREXIT(&jpeg_, JERR_INPUT_EOF);
    offset_ += got;
    input_.next_input_byte = buffer_.data();
    input_.bytes_in_buffer = static_cast<std::size_t>(got);
    return TRUE;
  }
  void pass_over(long bytes) {
    if (bytes <= 0) return;
    const auto here = std::min(static_cast<std::size_t>(bytes), input_.bytes_in_buffer);
    input_.next_input_byte += here;
    input_.bytes_in_buffer -= here;
    offset_ += bytes - static_cast<long>(here);
  }

  template <class Calls>
  void run(const Calls& calls) {
    if (!guarded(failure_, calls)) refuse();
  }
  [[noreturn]] void refuse() const {
    if (read_error_ != 0) refuse_by_system(file_.path(), "cannot be read", read_error_);
    if (failure_.is_no_memory())
      throw OutOfMemory(file_.path().string() + ": no memory to decode it");
    if (failure_.is_other_kind()) file_.unsupported("JPEG of another kind: ", failure_.text);
    file_.malformed("damaged JPEG: ", failure_.text);
  }

  const InputFile& file_;
  std::int64_t offset_ = 0;
  int read_error_ = 0;
  JpegFailure failure_;
  jpeg_source_mgr input_{};
  std::array<JOCTET, 1 << 15> buffer_;
  jpeg_decompress_struct jpeg_{};
};

/// The orientation in the first EXIF block before the pixels. libjpeg would keep all of those.
int orientation_of(const InputFile& file) {
  constexpr std::uint8_t app1 = 0xe1, start_of_scan = 0xda;
  constexpr std::string_view mark("Exif\0\0", 6);
  std::array<std::uint8_t, 10> head = {};
  std::int64_t at = 2;
  while (file.read_some(at, std::as_writable_bytes(std::span(head))) == std::ssize(head)) {
    if (head[0] != 0xff || head[1] == start_of_scan) return 1;
    const std::int64_t length = head[2] * 256 + head[3];  // of what follows the marker
    const std::string_view name(reinterpret_cast<const char*>(head.data()) + 4, mark.size());
    if (head[1] == app1 && name == mark) {
      std::vector<std::byte> block(static_cast<std::size_t>(std::max<std::int64_t>(length - 8, 0)));
      block.resize(
          static_cast<std::size_t>(std::max<std::int64_t>(file.read_some(at + 10, block), 0)));
      return exif_orientation(block);
    }
    at += head[1] == 0xff ? 1 : 2 + length;  // more than one 0xff may stand before a marker
  }
  return 1;
}

class JpegSource final : public Reader::Source {
 public:
  explicit JpegSource(InputFile opened) : Source(std::move(opened)) {
    JpegDecoder header(file);
    description = header.description();
    orientation = orientation_of(file);
    print_density = header.print_density();
    check_claim(file, description, expanded(file.size(), best_ratio));
    held_bytes_ = header.held_bytes();
  }

  void read(const Corner& from, Image& out, Progress& progress) override {
    if (!decoder_ || from.y < decoder_->next_row()) restart(progress);
    // Held here, so that a decoder that fails or is cancelled on the way is not used again.
    auto decoder = std::move(decoder_);
    while (decoder->next_row() < from.y) {
      decoder->read_row(row_->host);
      progress.skip(decoder->row_bytes());
    }
    for (std::int64_t y = 0; y < out.shape().y; ++y) {
      decoder->read_row(row_->host);
      scatter(row_->host + from.x * pixel_bytes(out), out, {.y = y, .count = out.shape().x});
      progress.add(row_bytes(out));
    }
    decoder_ = std::move(decoder);
  }

 private:
  void restart(Progress& progress) {
    decoder_.reset();
    check_buffer(file, held_bytes_);
    auto decoder = std::make_unique<JpegDecoder>(file);
    decoder->start(progress);
    row_ = engine::host_pool()->take(static_cast<std::size_t>(decoder->row_bytes()));
    decoder_ = std::move(decoder);
  }

  std::unique_ptr<JpegDecoder> decoder_;
  engine::MemoryPtr row_;
  std::int64_t held_bytes_ = 0;
};

}  // namespace

std::unique_ptr<Reader::Source> open_jpeg(InputFile file, const ReadOptions&) {
  return std::make_unique<JpegSource>(std::move(file));
}

}  // namespace meander::io
