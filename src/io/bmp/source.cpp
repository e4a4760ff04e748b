// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cstring>
#include <vector>

#include "core/host_memory.hpp"
#include "io/bmp/bmp.hpp"
#include "io/file/progress.hpp"
#include "io/file/size_check.hpp"
#include "io/image/pixel_rows.hpp"

namespace meander::io {
namespace {

/// The bytes of a file from a place on, some at a time.
class Bytes {
 public:
  Bytes(const InputFile& file, std::int64_t begin) : file_(file), next_(begin) {}
  std::uint8_t take() {
    if (at_ == held_.size()) fetch();
    return held_[at_++];
  }

 private:
  void fetch() {
    held_.resize(
        static_cast<std::size_t>(std::clamp<std::int64_t>(file_.size() - next_, 0, 1 << 16)));
    if (held_.empty())
      file_.malformed("found BMP runs that end at byte ", file_.size(), " before the image does");
    file_.read(next_, std::as_writable_bytes(std::span(held_)));
    next_ += std::ssize(held_);
    at_ = 0;
  }

  const InputFile& file_;
  std::int64_t next_;
  std::vector<std::uint8_t> held_;
  std::size_t at_ = 0;
};

class RunDecoder {
 public:
  RunDecoder(const InputFile& file, const BmpHeader& header, std::uint8_t* out)
      : bytes_(file, header.pixels), header_(header), out_(out) {}

  void decode(Progress& progress) {
    while (!ended_ && y_ < header_.height) {
      const int count = bytes_.take();
      const int value = bytes_.take();
      if (count > 0) {
        for (int i = 0; i < count; ++i) put(part_of(value, i));
      } else if (value > 2) {
        copy(value);
      } else {
        escape(value);
      }
      progress.skip(2);
    }
  }

 private:
  /// Two pixels of 4 bits in a byte take turns.
  int part_of(int value, int i) const {
    if (header_.bits == 8) return value;
    return i % 2 == 0 ? value >> 4 : value & 15;
  }
  void put(int index) {
    if (x_ < header_.width) out_[y_ * header_.width + x_] = static_cast<std::uint8_t>(index);
    x_ = std::min(x_ + 1, header_.width);
  }
  /// Pixels as they are, filled up to whole words of 16 bits.
  void copy(int count) {
    const int per_byte = 8 / header_.bits;
    const int stored = (count + per_byte - 1) / per_byte;
    for (int i = 0, value = 0; i < count; ++i) {
      if (i % per_byte == 0) value = bytes_.take();
      put(part_of(value, i));
    }
    if (stored % 2 != 0) bytes_.take();
  }
  void escape(int kind) {
    constexpr int end_of_row = 0, end_of_image = 1;
    if (kind == end_of_row) {
      x_ = 0;
      ++y_;
    } else if (kind == end_of_image) {
      ended_ = true;
    } else {
      x_ = std::min(x_ + bytes_.take(), header_.width);
      y_ += bytes_.take();
    }
  }

  Bytes bytes_;
  const BmpHeader& header_;
  std::uint8_t* const out_;
  std::int64_t x_ = 0, y_ = 0;
  bool ended_ = false;
};

/// Run-length encoded pixels of 4 or 8 bits as a byte each, the bottom row first. What the runs
/// pass over is 0, and what they put beyond the end of a row is left out, as other programs have
/// it. Throws MalformedFile when the file ends before the image does.
void decode_bmp_runs(const InputFile& file, const BmpHeader& header, std::uint8_t* out,
                     Progress& progress) {
  std::memset(out, 0, static_cast<std::size_t>(header.width * header.height));
  RunDecoder(file, header, out).decode(progress);
}

/// The most that a byte of runs may claim to become. A run of two bytes has 255 pixels, and a step
/// over what nothing is said of may pass 255 rows.
constexpr std::int64_t best_ratio = std::int64_t{1} << 16;

std::uint8_t scaled(std::uint32_t pixel, const BmpField& field) {
  if (field.most == 0) return 0;
  return static_cast<std::uint8_t>(std::uint64_t{pixel >> field.shift & field.most} * 255 /
                                   field.most);
}

class BmpSource final : public Reader::Source {
 public:
  explicit BmpSource(InputFile opened) : Source(std::move(opened)), header_(read_bmp_header(file)) {
    description.shape = {header_.width, header_.height, 1};
    description.channels = header_.channels();
    description.type = PixelType::u8;
    has_alpha = description.channels % 2 == 0;
    check_size();
    step_ = header_.row_bytes();
  }

  void read(const Corner& from, Image& out, Progress& progress) override {
    if (header_.runs && !indices_) decode_runs(progress);
    std::vector<std::uint8_t> stored(static_cast<std::size_t>(step_));
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(row_bytes(out)));
    for (std::int64_t y = 0; y < out.shape().y; ++y) {
      fetch_row(from.y + y, stored);
      for (std::int64_t x = 0; x < out.shape().x; ++x) {
        put_pixel(stored, from.x + x, pixels.data() + x * out.channels(), out.channels());
      }
      scatter(std::as_bytes(std::span(pixels)).data(), out, {.y = y, .count = out.shape().x});
      progress.add(row_bytes(out));
    }
  }

 private:
  void check_size() const {
    const std::int64_t left = file.size() - header_.pixels;
    if (left < 1) {
      file.malformed("found a BMP of ", file.size(), " bytes with its pixels at ", header_.pixels);
    }
    if (header_.runs) return check_claim(file, description, expanded(left, best_ratio));
    const std::int64_t rows = left / header_.row_bytes();
    if (rows >= header_.height) return;
    check_budget(file, description);
    file.malformed("found a BMP with room for ", rows, " rows, expected ", header_.height);
  }

  void fetch_row(std::int64_t y, std::span<std::uint8_t> into) const {
    const std::int64_t row = header_.top_down ? y : header_.height - 1 - y;
    if (indices_) {
      std::memcpy(into.data(), indices_->host + row * step_, into.size());
    } else {
      file.read(header_.pixels + row * step_, std::as_writable_bytes(into));
    }
  }

  /// A step over pixels may go to any row, so runs are decoded whole, once, to a byte a pixel.
  void decode_runs(Progress& progress) {
    const std::int64_t bytes = header_.width * header_.height;
    check_buffer(file, bytes);
    const auto whole = engine::host_pool()->take(static_cast<std::size_t>(bytes));
    decode_bmp_runs(file, header_, reinterpret_cast<std::uint8_t*>(whole->host), progress);
    indices_ = whole;
    step_ = header_.width;
  }

  void put_pixel(std::span<const std::uint8_t> row, std::int64_t x, std::uint8_t* to,
                 int channels) const {
    if (!header_.palette.empty()) return put_entry(index_at(row, x), to, channels);
    const std::uint8_t* const at = row.data() + x * header_.bits / 8;
    if (header_.bits == 24) {
      std::reverse_copy(at, at + 3, to);
      return;
    }
    std::uint32_t pixel = at[0] + at[1] * 256u;
    if (header_.bits == 32) pixel += at[2] * 65536u + at[3] * 16777216u;
    for (int c = 0; c < channels; ++c)
      to[c] = scaled(pixel, header_.fields[static_cast<std::size_t>(c)]);
  }

  std::size_t index_at(std::span<const std::uint8_t> row, std::int64_t x) const {
    const int bits = header_.runs ? 8 : header_.bits;
    const std::int64_t place = x * bits;  // of its highest bit
    const auto shift = static_cast<int>(8 - bits - place % 8);
    return row[static_cast<std::size_t>(place / 8)] >> shift & ((1u << bits) - 1);
  }
  void put_entry(std::size_t index, std::uint8_t* to, int channels) const {
    if (index >= header_.palette.size()) {
      file.malformed("found entry ", index, " of a BMP palette of ", header_.palette.size());
    }
    std::copy_n(header_.palette[index].begin(), channels, to);
  }

  const BmpHeader header_;
  std::int64_t step_ = 0;      ///< Bytes from row to row, of the file or of what was decoded.
  engine::MemoryPtr indices_;  ///< Of runs, bottom row first.
};

}  // namespace

bool is_bmp(const InputFile& file) { return begins_like_bmp(file); }

std::unique_ptr<Reader::Source> open_bmp(InputFile file, const ReadOptions&) {
  return std::make_unique<BmpSource>(std::move(file));
}

}  // namespace meander::io
