// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

/// Sums of pixels and of their squares, eight at a time and exact. Everything has internal linkage:
/// levels must not share functions. Vectors have 16 bytes at every level: rows of contours are
/// short, and a pass over an image waits for memory even so.
#include "backend/cpu/vector.hpp"
#if defined(__SSE2__) && !defined(__AVX__)
#include <emmintrin.h>
#endif

namespace meander::cpu {
namespace {

typedef std::uint8_t EightBytes __attribute__((vector_size(8)));
typedef std::uint16_t Eight __attribute__((vector_size(16)));
typedef std::uint32_t Four __attribute__((vector_size(16)));
typedef std::uint64_t Two __attribute__((vector_size(16)));

inline Two load_two(const std::uint64_t* from) {
  Two value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
inline void store_two(std::uint64_t* to, Two value) { __builtin_memcpy(to, &value, sizeof value); }

inline std::uint64_t value_of(std::uint8_t pixel) { return pixel; }
inline std::uint64_t value_of(std::uint16_t pixel) { return pixel; }
inline std::uint64_t value_of(std::int16_t pixel) {
  return static_cast<std::uint64_t>(pixel + 32768);
}

constexpr Eight sign_bits = Eight{} + 0x8000;

inline Eight load_values(const std::uint8_t* from) {
#if defined(__ARM_NEON)
  return (Eight)vmovl_u8(vld1_u8(from));
#elif defined(__SSE2__)
  const auto* place = reinterpret_cast<const __m128i*>(from);
  return (Eight)_mm_unpacklo_epi8(_mm_loadl_epi64(place), _mm_setzero_si128());
#else
  EightBytes bytes;
  __builtin_memcpy(&bytes, from, sizeof bytes);
  return __builtin_convertvector(bytes, Eight);
#endif
}
inline Eight load_values(const std::uint16_t* from) {
  Eight values;
  __builtin_memcpy(&values, from, sizeof values);
  return values;
}
inline Eight load_values(const std::int16_t* from) {
  Eight values;
  __builtin_memcpy(&values, from, sizeof values);
  return values ^ sign_bits;
}

constexpr std::uint16_t mask_words[24] = {
    0,      0,      0,      0,      0, 0, 0, 0, 0xffff, 0xffff, 0xffff, 0xffff,
    0xffff, 0xffff, 0xffff, 0xffff, 0, 0, 0, 0, 0,      0,      0,      0};

/// All bits of the last `count` lanes, 0 to 8. A load: cheaper than a comparison with a number that
/// comes from the integer side.
inline Eight last_lanes(std::int64_t count) { return load_values(mask_words + count); }
/// All bits of the lanes [first, end), 0 <= first <= end <= 8.
inline Eight lanes_between(std::int64_t first, std::int64_t end) {
  return last_lanes(8 - first) & load_values(mask_words + 16 - end);
}

/// Each half of a vector of 32-bit numbers added to the other.
inline Two pairs_added(Four numbers) {
  const Two wide = (Two)numbers;
  return (wide & 0xffffffff) + (wide >> 32);
}

/// Running sums; what they mean is known to `pair_of` alone.
struct RunningSums {
  Two sum{}, squares{};
};

#if defined(__ARM_NEON)

[[gnu::always_inline]] inline void add_masked(RunningSums& sums, Eight values, Eight mask) {
  const auto kept = (uint16x8_t)(values & mask);
  sums.sum = (Two)vpadalq_u32((uint64x2_t)sums.sum, vpaddlq_u16(kept));
  const auto low = vmull_u16(vget_low_u16(kept), vget_low_u16(kept));
  sums.squares = (Two)vpadalq_u32((uint64x2_t)sums.squares, low);
  sums.squares = (Two)vpadalq_u32((uint64x2_t)sums.squares, vmull_high_u16(kept, kept));
}

/// Σz and Σz² over the `count` pixels that have been added.
[[gnu::always_inline]] inline Two pair_of(const RunningSums& sums, std::uint64_t) {
  return (Two)vpaddq_u64((uint64x2_t)sums.sum, (uint64x2_t)sums.squares);
}

#else

inline Two halves_added(Two a, Two b) {
  return __builtin_shufflevector(a, b, 0, 2) + __builtin_shufflevector(a, b, 1, 3);
}
inline Two value_pairs_added(Eight values) {
  const Four pairs = (Four)values;
  return pairs_added((pairs & 0xffff) + (pairs >> 16));
}

#if defined(__SSE2__)

/// Products of signed numbers alone can be added in pairs by one instruction, so squares are those
/// of c = z - 32768: a sum of two is at most 2^31, and Σz² = Σc² + 65536·Σz - 2^30·count.
[[gnu::always_inline]] inline void add_masked(RunningSums& sums, Eight values, Eight mask) {
  const auto centred = (__m128i)((values ^ sign_bits) & mask);
  sums.sum += value_pairs_added(values & mask);
  sums.squares += pairs_added((Four)_mm_madd_epi16(centred, centred));
}
[[gnu::always_inline]] inline Two pair_of(const RunningSums& sums, std::uint64_t count) {
  const Two pair = halves_added(sums.sum, sums.squares);
  return pair + Two{0, (pair[0] << 16) - (count << 30)};
}

#else

[[gnu::always_inline]] inline void add_masked(RunningSums& sums, Eight values, Eight mask) {
  const Four kept = (Four)(values & mask);
  const Four even = kept & 0xffff, odd = kept >> 16;
  sums.sum += value_pairs_added(values & mask);
  sums.squares += pairs_added(even * even) + pairs_added(odd * odd);
}
[[gnu::always_inline]] inline Two pair_of(const RunningSums& sums, std::uint64_t) {
  return halves_added(sums.sum, sums.squares);
}

#endif
#endif

constexpr Eight all_lanes = ~Eight{};

/// The pixels [first, end) of a row of `columns`, of which nothing beyond is touched. Roomy: `end`
/// is at least 8.
template <bool roomy, class T>
[[gnu::always_inline]] inline void add_run(RunningSums& sums, const T* row, std::int64_t first,
                                           std::int64_t end, std::int64_t columns) {
  if (!roomy && columns < 8) {  // the row as a vector of its own
    T copy[8] = {};
    __builtin_memcpy(copy, row, static_cast<std::size_t>(columns) * sizeof(T));
    return add_masked(sums, load_values(copy), lanes_between(first, end));
  }
  for (; end - first > 8; first += 8) add_masked(sums, load_values(row + first), all_lanes);
  // The last ones where they end a vector, so that short runs need no branch.
  const std::int64_t start = roomy || end > 8 ? end - 8 : 0;
  add_masked(sums, load_values(row + start),
             roomy ? last_lanes(end - first) : lanes_between(first - start, end - start));
}

}  // namespace
}  // namespace meander::cpu
