// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "meander/pixel.hpp"

namespace meander::io {

/// Numbers as files store them. Images hold fewer kinds; the others arrive in one that holds every
/// value exactly.
enum class StoredType : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f64 };

std::int64_t bytes_of(StoredType type);
std::string_view name_of(StoredType type);
/// How an image holds them: i8 as i16; i32, u32, i64 and u64 as f64, which is exact up to 2^53.
PixelType arriving_type(StoredType type);
/// What stores an image's numbers as they are.
StoredType stored_type(PixelType type);

/// Value = stored * slope + intercept, in double precision, rounded once to what arrives: f32, or
/// f64 where the stored numbers themselves arrive so.
struct Scaling {
  double slope = 1;
  double intercept = 0;
  bool is_identity() const { return slope == 1 && intercept == 0; }
};
PixelType arriving_type(StoredType type, const Scaling& scaling);

/// Numbers of a file, in the byte order of this machine, `step` numbers apart.
struct StoredNumbers {
  const std::byte* first = nullptr;
  std::int64_t step = 1;
  std::int64_t count = 0;
};
/// Writes them to `out` without gaps, as arriving_type(type, scaling). False when an integer beyond
/// 2^53 cannot be held exactly.
bool unpack(const StoredNumbers& numbers, StoredType type, const Scaling& scaling, std::byte* out);

}  // namespace meander::io
