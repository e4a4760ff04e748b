// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/window.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "core/number_text.hpp"
#include "meander/film.hpp"

namespace meander {
namespace {

constexpr std::int64_t one_in = 1000;
constexpr int digit_bits = 16;
constexpr std::size_t digits = std::size_t{1} << digit_bits;

/// Numbers of type T as unsigned ones in the same order, and back.
template <class T>
struct Key {
  using Bits = std::conditional_t<
      sizeof(T) == 1, std::uint8_t,
      std::conditional_t<sizeof(T) == 2, std::uint16_t,
                         std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
  static constexpr int bits = static_cast<int>(sizeof(T)) * 8;
  static constexpr Bits sign = static_cast<Bits>(Bits{1} << (bits - 1));
  static constexpr bool is_float = !std::is_integral_v<T>;

  static std::uint64_t of(T value) {
    const Bits raw = std::bit_cast<Bits>(value);
    if constexpr (std::is_unsigned_v<T>) return raw;
    const bool is_turned = is_float && (raw & sign) != 0;
    return static_cast<Bits>(is_turned ? ~raw : raw ^ sign);
  }
  static double value(std::uint64_t key) {
    const auto raw = static_cast<Bits>(key);
    if constexpr (std::is_unsigned_v<T>) return raw;
    const bool is_turned = is_float && (raw & sign) == 0;
    return to_double(std::bit_cast<T>(static_cast<Bits>(is_turned ? ~raw : raw ^ sign)));
  }
};

/// The number of one rank, found from its first digits to its last, a pass for each.
class Selection {
 public:
  void count(std::uint64_t key, int shift) {
    const bool is_near = shift + digit_bits >= 64 || key >> (shift + digit_bits) == prefix_;
    if (is_near) ++counts_[key >> shift & (digits - 1)];
  }
  /// `rank` counts from 0.
  void take_digit(std::int64_t rank) {
    std::size_t digit = 0;
    while (below_ + counts_[digit] <= rank) below_ += counts_[digit++];
    same_ = counts_[digit];
    prefix_ = prefix_ << digit_bits | digit;
    std::ranges::fill(counts_, 0);
  }
  std::uint64_t key() const { return prefix_; }
  std::int64_t below() const { return below_; }
  std::int64_t up_to() const { return below_ + same_; }

 private:
  std::vector<std::int64_t> counts_ = std::vector<std::int64_t>(digits);
  std::uint64_t prefix_ = 0;
  std::int64_t below_ = 0, same_ = 0;
};

template <class T>
FoundWindow found_in(const ImageParts& parts) {
  Selection low, high;
  FoundWindow found;
  std::int64_t number = 0;
  for (int shift = std::max(Key<T>::bits - digit_bits, 0); shift >= 0; shift -= digit_bits) {
    const bool is_first = number == 0;
    const auto add = [&](T pixel) {
      const double value = to_double(pixel);
      if (!std::isfinite(value)) return;
      const std::uint64_t key = Key<T>::of(pixel);
      low.count(key, shift);
      high.count(key, shift);
      if (!is_first) return;
      found.range = number == 0 ? std::array{value, value}
                                : std::array{std::min(found.range[0], value),
                                             std::max(found.range[1], value)};
      ++number;
    };
    parts([&](const Image& part) {
      for (int c = 0; c < part.channels(); ++c) {
        for (std::int64_t z = 0; z < part.shape().z; ++z) {
          for (std::int64_t y = 0; y < part.shape().y; ++y) {
            const T* row = part.row<T>(y, z, c);
            std::for_each(row, row + part.shape().x, add);
          }
        }
      }
    });
    if (number == 0) return {};
    low.take_digit(number / one_in);
    high.take_digit(number - 1 - number / one_in);
  }
  found.window = {Key<T>::value(low.key()), Key<T>::value(high.key())};
  found.beyond = low.below() + number - high.up_to();
  if (found.window[0] < found.window[1]) return found;
  return {.window = found.range, .range = found.range, .beyond = 0};
}

}  // namespace

ValueWindow OptionText<ValueWindow>::parse(std::string_view text) {
  if (text == "auto") return {};
  const auto ends = rising_pair(text);
  if (!ends) detail::refuse_text(text, syntax() + ", LO smaller than HI");
  return {*ends};
}

std::string OptionText<ValueWindow>::format(const ValueWindow& value) {
  return value.ends ? OptionText<std::array<double, 2>>::format(*value.ends) : "auto";
}

FoundWindow find_window(PixelType type, const ImageParts& parts) {
  return visit(type, [&]<class T>(std::type_identity<T>) { return found_in<T>(parts); });
}

FoundWindow find_window(const Image& image, const Control& control) {
  const Image host = image.download({.stop = control.stop, .progress = {}});
  const std::int64_t length = host.shape().z > 1 ? host.shape().z : host.shape().y;
  return find_window(image.type(), [&](const auto& add) {
    for (std::int64_t i = 0; i < length; ++i) {
      if (control.stop.stop_requested()) throw Cancelled("stopped on request");
      add(host.shape().z > 1 ? host.slices(i, i + 1) : host.rows(i, i + 1));
    }
  });
}

FoundWindow find_window(io::FrameSource& frames, const Control& control) {
  return find_window(frames.frame().type, [&](const auto& add) {
    for (std::int64_t i = 0; i < frames.count(); ++i) {
      add(frames.read(i, {.stop = control.stop, .progress = {}}));
    }
  });
}

}  // namespace meander
