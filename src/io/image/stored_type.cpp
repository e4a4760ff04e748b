// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/image/stored_type.hpp"

#include <array>
#include <cstring>
#include <limits>

namespace meander::io {
namespace {

/// Calls `f(std::type_identity<T>{})` with the C++ type of a stored number.
template <class F>
decltype(auto) visit_stored(StoredType type, F&& f) {
  switch (type) {
    case StoredType::i8:
      return f(std::type_identity<std::int8_t>{});
    case StoredType::u8:
      return f(std::type_identity<std::uint8_t>{});
    case StoredType::i16:
      return f(std::type_identity<std::int16_t>{});
    case StoredType::u16:
      return f(std::type_identity<std::uint16_t>{});
    case StoredType::i32:
      return f(std::type_identity<std::int32_t>{});
    case StoredType::u32:
      return f(std::type_identity<std::uint32_t>{});
    case StoredType::i64:
      return f(std::type_identity<std::int64_t>{});
    case StoredType::u64:
      return f(std::type_identity<std::uint64_t>{});
    case StoredType::f16:
      return f(std::type_identity<Half>{});
    case StoredType::f32:
      return f(std::type_identity<float>{});
    case StoredType::f64:
      return f(std::type_identity<double>{});
  }
  throw LogicError("stored type out of its enumeration");
}

/// Whether float64 holds the number itself. 2^63 is the first double past every 64-bit signed
/// integer and 2^64 past every unsigned one, so converting back is safe below them.
template <class T>
bool is_exact(T number) {
  if constexpr (sizeof(T) == 8 && std::numeric_limits<T>::is_integer) {
    const auto value = static_cast<double>(number);
    constexpr double end = std::numeric_limits<T>::is_signed ? 0x1p63 : 0x1p64;
    return value < end && static_cast<T>(value) == number;
  } else {
    return true;
  }
}

/// Neutral parts are left out, which keeps the sign of a zero.
double scaled(double value, const Scaling& scaling) {
  if (scaling.slope != 1) value *= scaling.slope;
  if (scaling.intercept != 0) value += scaling.intercept;
  return value;
}

template <class Stored, class Pixel>
Pixel arrived(Stored number, const Scaling& scaling) {
  if constexpr (std::is_same_v<Pixel, Half>) {
    return number;
  } else if constexpr (std::is_same_v<Stored, Half>) {
    return static_cast<Pixel>(scaled(to_double(number), scaling));
  } else {
    return scaling.is_identity() ? static_cast<Pixel>(number)
                                 : static_cast<Pixel>(scaled(to_double(number), scaling));
  }
}

template <class Stored, class Pixel>
bool unpack_as(const StoredNumbers& numbers, const Scaling& scaling, std::byte* out) {
  bool exact = true;
  const std::byte* from = numbers.first;
  for (std::int64_t i = 0; i < numbers.count; ++i) {
    Stored number;
    std::memcpy(&number, from, sizeof number);
    from += numbers.step * static_cast<std::int64_t>(sizeof number);
    exact = exact && is_exact(number);
    const auto pixel = arrived<Stored, Pixel>(number, scaling);
    std::memcpy(out, &pixel, sizeof pixel);
    out += sizeof pixel;
  }
  return exact;
}

/// Which pairs occur; the others need no code.
template <class Stored, class Pixel>
constexpr bool arrives_as() {
  if constexpr (std::is_same_v<Stored, Half>) {
    return std::is_same_v<Pixel, Half> || std::is_same_v<Pixel, float>;
  } else {
    return std::is_same_v<Stored, Pixel> || std::is_same_v<Pixel, float> ||
           std::is_same_v<Pixel, double> ||
           (std::is_same_v<Stored, std::int8_t> && std::is_same_v<Pixel, std::int16_t>);
  }
}

}  // namespace

std::int64_t bytes_of(StoredType type) {
  return visit_stored(
      type, []<class T>(std::type_identity<T>) { return static_cast<std::int64_t>(sizeof(T)); });
}

std::string_view name_of(StoredType type) {
  constexpr std::array<std::string_view, 11> names = {"i8",  "u8",  "i16", "u16", "i32", "u32",
                                                      "i64", "u64", "f16", "f32", "f64"};
  return names.at(static_cast<std::size_t>(type));
}

PixelType arriving_type(StoredType type) {
  switch (type) {
    case StoredType::u8:
      return PixelType::u8;
    case StoredType::i8:
    case StoredType::i16:
      return PixelType::i16;
    case StoredType::u16:
      return PixelType::u16;
    case StoredType::f16:
      return PixelType::f16;
    case StoredType::f32:
      return PixelType::f32;
    default:
      return PixelType::f64;
  }
}

PixelType arriving_type(StoredType type, const Scaling& scaling) {
  const PixelType plain = arriving_type(type);
  return scaling.is_identity() || plain == PixelType::f64 ? plain : PixelType::f32;
}

StoredType stored_type(PixelType type) {
  constexpr std::array<StoredType, 6> same = {StoredType::u8,  StoredType::u16, StoredType::i16,
                                              StoredType::f16, StoredType::f32, StoredType::f64};
  return same.at(static_cast<std::size_t>(type));
}

bool unpack(const StoredNumbers& numbers, StoredType type, const Scaling& scaling, std::byte* out) {
  return visit_stored(type, [&]<class Stored>(std::type_identity<Stored>) {
    return visit(arriving_type(type, scaling), [&]<class Pixel>(std::type_identity<Pixel>) {
      if constexpr (arrives_as<Stored, Pixel>()) {
        return unpack_as<Stored, Pixel>(numbers, scaling, out);
      } else {
        throw LogicError("a stored number arrives as a type it does not have");
        return false;
      }
    });
  });
}

}  // namespace meander::io
