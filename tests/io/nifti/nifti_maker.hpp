// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace meander::io {

/// NIfTI files made by hand, in either version and byte order. Places are those of the standard.
class NiftiMaker {
 public:
  explicit NiftiMaker(int version = 1, bool big_endian = false)
      : version_(version), big_endian_(big_endian), bytes_(version == 1 ? 352 : 544, '\0') {
    put<std::int32_t>(0, version == 1 ? 348 : 540);
    magic("n+");
    dim({3, 3, 2, 2});
    type(4, 16);
    pixdim({1, 1, 1, 1});
    offset(static_cast<double>(bytes_.size()));
  }

  NiftiMaker& magic(const std::string& kind) {
    std::string text = kind + std::to_string(version_) + '\0';
    if (version_ == 2) text += "\r\n\x1a\n";
    return raw(version_ == 1 ? 344 : 4, text);
  }
  NiftiMaker& raw(std::size_t place, const std::string& text) {
    bytes_.replace(place, text.size(), text);
    return *this;
  }
  NiftiMaker& dim(const std::vector<std::int64_t>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (version_ == 1) {
        put(40 + 2 * i, static_cast<std::int16_t>(values[i]));
      } else {
        put(16 + 8 * i, values[i]);
      }
    }
    return *this;
  }
  NiftiMaker& type(std::int16_t code, std::int16_t bits) {
    put(version_ == 1 ? 70u : 12u, code);
    return put(version_ == 1 ? 72u : 14u, bits);
  }
  NiftiMaker& pixdim(const std::vector<double>& values) { return reals(76, 104, values); }
  NiftiMaker& offset(double value) {
    if (version_ == 1) return put(108, static_cast<float>(value));
    return put(168, static_cast<std::int64_t>(value));
  }
  NiftiMaker& scaling(double slope, double intercept) {
    return reals(112, 176, {slope, intercept});
  }
  NiftiMaker& units(int code) {
    if (version_ == 1) return put(123, static_cast<std::uint8_t>(code));
    return put(500, static_cast<std::int32_t>(code));
  }
  NiftiMaker& qform(int code, const std::vector<double>& quaternion_and_offset) {
    codes(252, 344, code);
    return reals(256, 352, quaternion_and_offset);
  }
  NiftiMaker& sform(int code, const std::vector<double>& rows) {
    codes(254, 348, code);
    return reals(280, 400, rows);
  }

  /// The header alone, and with numbers behind it.
  std::string header() const { return bytes_; }
  template <class T>
  std::string with(const std::vector<T>& numbers) const {
    return bytes_ + data(numbers);
  }
  template <class T>
  std::string data(const std::vector<T>& numbers) const {
    std::string all;
    for (const T number : numbers) all += text_of(number);
    return all;
  }

 private:
  template <class T>
  std::string text_of(T number) const {
    std::string text(sizeof number, '\0');
    std::memcpy(text.data(), &number, sizeof number);
    if (big_endian_) std::ranges::reverse(text);
    return text;
  }
  template <class T>
  NiftiMaker& put(std::size_t place, T number) {
    return raw(place, text_of(number));
  }
  NiftiMaker& codes(std::size_t first, std::size_t second, int code) {
    if (version_ == 1) return put(first, static_cast<std::int16_t>(code));
    return put(second, static_cast<std::int32_t>(code));
  }
  NiftiMaker& reals(std::size_t first, std::size_t second, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (version_ == 1) {
        put(first + 4 * i, static_cast<float>(values[i]));
      } else {
        put(second + 8 * i, values[i]);
      }
    }
    return *this;
  }

  const int version_;
  const bool big_endian_;
  std::string bytes_;
};

/// The numbers 0, 1, 2 ….
template <class T>
std::vector<T> counted(int count) {
  std::vector<T> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(static_cast<T>(i));
  return numbers;
}

}  // namespace meander::io
