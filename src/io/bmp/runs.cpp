// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/bmp/runs.hpp"

#include <algorithm>
#include <cstring>

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

}  // namespace

void decode_bmp_runs(const InputFile& file, const BmpHeader& header, std::uint8_t* out,
                     Progress& progress) {
  std::memset(out, 0, static_cast<std::size_t>(header.width * header.height));
  RunDecoder(file, header, out).decode(progress);
}

}  // namespace meander::io
