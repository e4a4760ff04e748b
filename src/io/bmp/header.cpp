// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/bmp/bmp.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <string_view>

namespace meander::io {
namespace {

// Bytes of the headers behind the 14 of the file's: OS/2 1 and 2, Windows 3, two that Photoshop
// writes, and versions 4 and 5.
constexpr std::int64_t file_header = 14, core_header = 12, os2_header = 64, info_header = 40;
constexpr std::int64_t header_sizes[] = {core_header, 16, os2_header, info_header,
                                         52,          56, 108,        124};
enum Compression : std::uint32_t {
  none = 0,
  runs_of_8 = 1,
  runs_of_4 = 2,
  masks = 3,
  alpha_masks = 6
};

class Parser {
 public:
  explicit Parser(const InputFile& file) : file_(file) {
    bytes_.resize(static_cast<std::size_t>(std::min(file.size(), file_header + 124 + 16)));
    file.read(0, std::as_writable_bytes(std::span(bytes_)));
    size_ = number(file_header, 4);
  }

  BmpHeader parse() {
    if (std::ssize(bytes_) < file_header + size_) {
      file_.malformed("found a BMP that ends at byte ", file_.size(), " within its header");
    }
    header_.pixels = number(10, 4);
    take_shape();
    take_compression();
    check_bits();
    if (header_.bits <= 8) take_palette();
    if (header_.bits == 16 || header_.bits == 32) take_fields();
    return header_;
  }

 private:
  /// Beyond the end, and beyond a header that is shorter, there are zeros.
  std::int64_t number(std::int64_t at, int bytes) const {
    std::int64_t value = 0;
    for (std::int64_t i = at + bytes - 1; i >= at; --i) {
      value = value * 256 + (i < std::ssize(bytes_) ? bytes_[static_cast<std::size_t>(i)] : 0);
    }
    return value;
  }
  std::int64_t field(std::int64_t at, int bytes) const {
    return at + bytes <= size_ ? number(file_header + at, bytes) : 0;
  }

  void take_shape() {
    const bool is_core = size_ == core_header;
    header_.width = is_core ? field(4, 2) : std::int32_t(field(4, 4));
    header_.height = is_core ? field(6, 2) : std::int32_t(field(8, 4));
    header_.top_down = header_.height < 0;
    if (header_.top_down) header_.height = -header_.height;
    if (header_.width < 1 || header_.height < 1) {
      file_.malformed("found a BMP of ", header_.width, "x", header_.height,
                      " pixels, expected at least one");
    }
    header_.bits = static_cast<int>(is_core ? field(10, 2) : field(14, 2));
  }

  void check_bits() const {
    constexpr int known[] = {1, 4, 8, 16, 24, 32};
    if (std::ranges::find(known, header_.bits) != std::end(known)) return;
    file_.unsupported("found a BMP of ", header_.bits,
                      " bits a pixel, expected 1, 4, 8, 16, 24 or 32");
  }

  void take_compression() {
    compression_ = static_cast<std::uint32_t>(field(16, 4));
    header_.runs = (compression_ == runs_of_8 && header_.bits == 8) ||
                   (compression_ == runs_of_4 && header_.bits == 4);
    if (header_.runs && header_.top_down) {
      file_.malformed(
          "found a run-length encoded BMP with its first row on top, which has no meaning");
    }
    if (compression_ == none || header_.runs || has_masks()) return;
    constexpr std::string_view names[] = {"none", "RLE8", "RLE4",       "masks",
                                          "JPEG", "PNG",  "alpha masks"};
    file_.unsupported("found a BMP of ", header_.bits, " bits with compression ", compression_,
                      " (", compression_ < std::size(names) ? names[compression_] : "unknown",
                      "), expected none, RLE4, RLE8 or masks of 16 or 32 bits");
  }
  /// OS/2 gives the number another meaning.
  bool has_masks() const {
    return (compression_ == masks || compression_ == alpha_masks) && size_ != os2_header &&
           (header_.bits == 16 || header_.bits == 32);
  }

  void take_palette() {
    const bool is_core = size_ == core_header;
    const std::int64_t entry = is_core ? 3 : 4, begin = file_header + size_;
    const std::int64_t most = std::int64_t{1} << header_.bits, claimed = field(32, 4);
    // Some programs forget the palette when they say where the pixels are.
    if (header_.pixels == begin) {
      header_.pixels += entry * std::min(claimed == 0 ? most : claimed, most);
    }
    // Others leave out entries that no pixel has without saying so.
    const std::int64_t room = (header_.pixels - begin) / entry;
    const std::int64_t count = std::min({claimed == 0 ? most : claimed, most, room});
    if (count < 1) {
      file_.malformed("found a BMP of ", header_.bits, " bits a pixel without a palette");
    }
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count * entry));
    file_.read(begin, std::as_writable_bytes(std::span(bytes)));
    for (auto at = bytes.begin(); at != bytes.end(); at += entry) {
      header_.palette.push_back({at[2], at[1], at[0]});
    }
  }

  void take_fields() {
    std::array<std::uint32_t, 4> wanted = {0xff0000, 0xff00, 0xff, 0};
    if (header_.bits == 16) wanted = {0x7c00, 0x3e0, 0x1f, 0};
    if (has_masks()) {
      // Behind the oldest header that has them, inside the later ones.
      const bool has_alpha = compression_ == alpha_masks || size_ >= 56;
      for (int i = 0; i < 4; ++i) {
        const std::int64_t mask = number(file_header + info_header + 4 * i, 4);
        wanted[static_cast<std::size_t>(i)] =
            i < 3 || has_alpha ? static_cast<std::uint32_t>(mask) : 0;
      }
    }
    std::ranges::transform(wanted, header_.fields.begin(),
                           [this](std::uint32_t mask) { return field_of(mask); });
  }
  BmpField field_of(std::uint32_t mask) const {
    if (mask == 0) return {};
    const int shift = std::countr_zero(mask);
    const std::uint32_t most = mask >> shift;
    const bool has_gaps = (most & (most + 1)) != 0;
    if (has_gaps || static_cast<int>(std::bit_width(mask)) > header_.bits) {
      file_.malformed("found a BMP with the mask ", mask,
                      " for a colour, expected neighbouring bits of ", header_.bits);
    }
    return {shift, most};
  }

  const InputFile& file_;
  std::vector<std::uint8_t> bytes_;
  std::int64_t size_ = 0;
  std::uint32_t compression_ = none;
  BmpHeader header_;
};

}  // namespace

bool BmpHeader::has_grey_palette() const {
  return !palette.empty() && std::ranges::all_of(palette, [](const auto& colour) {
    return colour[0] == colour[1] && colour[1] == colour[2];
  });
}

int BmpHeader::channels() const {
  if (has_grey_palette()) return 1;
  return fields[3].most != 0 ? 4 : 3;
}

bool begins_like_bmp(const InputFile& file) {
  std::uint8_t head[18] = {};
  if (file.read_some(0, std::as_writable_bytes(std::span(head))) != std::ssize(head)) return false;
  const std::int64_t size =
      head[14] + 256 * head[15] + 65536 * (head[16] + 256 * std::int64_t{head[17]});
  return head[0] == 'B' && head[1] == 'M' &&
         std::ranges::find(header_sizes, size) != std::end(header_sizes);
}

BmpHeader read_bmp_header(const InputFile& file) { return Parser(file).parse(); }

}  // namespace meander::io
