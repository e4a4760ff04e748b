// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

/// Sums of pixels and of their squares, eight at a time and exact. Everything has internal linkage:
/// levels must not share functions. Vectors have 16 bytes at every level: the runs of contours are
/// short, and a group of 8 pixels fills no more.
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

constexpr Eight sign_bits = Eight{} + 0x8000, all_lanes = ~Eight{};

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

// What depends on the processor: neighbouring values, or sums of them, added in numbers twice as
// wide, and squares likewise; the same on top of running sums; and Σz and Σz² in the end.
#if defined(__ARM_NEON)

inline Four neighbours_added(Eight values) { return (Four)vpaddlq_u16((uint16x8_t)values); }
inline Two neighbours_added(Four numbers) { return (Two)vpaddlq_u32((uint32x4_t)numbers); }
inline Four plus_neighbours(Four sums, Eight values) {
  return (Four)vpadalq_u16((uint32x4_t)sums, (uint16x8_t)values);
}
inline Two plus_neighbours(Two sums, Four numbers) {
  return (Two)vpadalq_u32((uint64x2_t)sums, (uint32x4_t)numbers);
}

inline Four low_squares(Eight values) {
  const auto low = vget_low_u16((uint16x8_t)values);
  return (Four)vmull_u16(low, low);
}
inline Four high_squares(Eight values) {
  return (Four)vmull_high_u16((uint16x8_t)values, (uint16x8_t)values);
}
inline Two squares_added(Eight values) {
  return plus_neighbours(neighbours_added(low_squares(values)), high_squares(values));
}
inline Two plus_squares(Two sums, Eight values, Eight mask) {
  values &= mask;
  return plus_neighbours(plus_neighbours(sums, low_squares(values)), high_squares(values));
}
inline Two pair_of(Two sum, Two squares, std::uint64_t) {
  return (Two)vpaddq_u64((uint64x2_t)sum, (uint64x2_t)squares);
}

#else

inline Four neighbours_added(Eight values) {
  const Four both = (Four)values;
  return (both & 0xffff) + (both >> 16);
}
inline Two neighbours_added(Four numbers) {
  const Two both = (Two)numbers;
  return (both & 0xffffffff) + (both >> 32);
}
template <class Wide, class Narrow>
inline Wide plus_neighbours(Wide sums, Narrow numbers) {
  return sums + neighbours_added(numbers);
}
inline Two halves_added(Two a, Two b) {
  return __builtin_shufflevector(a, b, 0, 2) + __builtin_shufflevector(a, b, 1, 3);
}

#if defined(__SSE2__)

/// Products of signed numbers alone can be added in pairs by one instruction, so squares are those
/// of c = z - 32768: a sum of two is at most 2^31, and Σz² = Σc² + 2^16·Σz - 2^30·count.
inline Two plus_squares(Two sums, Eight values, Eight mask) {
  const auto centred = (__m128i)((values ^ sign_bits) & mask);
  return plus_neighbours(sums, (Four)_mm_madd_epi16(centred, centred));
}
inline Two pair_of(Two sum, Two squares, std::uint64_t count) {
  const Two pair = halves_added(sum, squares);
  return pair + Two{0, (pair[0] << 16) - (count << 30)};
}

#else

inline Two plus_squares(Two sums, Eight values, Eight mask) {
  const Four both = (Four)(values & mask);
  const Four even = both & 0xffff, odd = both >> 16;
  return plus_neighbours(plus_neighbours(sums, even * even), odd * odd);
}
inline Two pair_of(Two sum, Two squares, std::uint64_t) { return halves_added(sum, squares); }

#endif

inline Two squares_added(Eight values) { return plus_squares(Two{}, values, all_lanes); }

#endif

/// Σz and Σz² of `count` pixels, a multiple of 8 so small that 32 bits hold the sum of a lane.
template <int count, class T>
[[gnu::always_inline]] inline Two pair_of_group(const T* pixels) {
  static_assert(count % 8 == 0 && count <= 64);
  const Eight first = load_values(pixels);
  Four sum = neighbours_added(first);
  Two squares = squares_added(first);
  unrolled<count / 8 - 1>([&](auto part) __attribute__((always_inline)) {
    const Eight values = load_values(pixels + 8 * (part + 1));
    sum = plus_neighbours(sum, values);
    squares = plus_squares(squares, values, all_lanes);
  });
  return pair_of(neighbours_added(sum), squares, count);
}

/// Sums over any number of runs of pixels.
struct RunningSums {
  Two sum{}, squares{};

  [[gnu::always_inline]] void add(Eight values, Eight mask) {
    sum = plus_neighbours(sum, neighbours_added(values & mask));
    squares = plus_squares(squares, values, mask);
  }
  /// Σz and Σz² over the `count` pixels that have been added.
  Two pair(std::uint64_t count) const { return pair_of(sum, squares, count); }
};

/// The pixels [first, end) of a row of `columns`, of which nothing beyond is touched. Roomy: `end`
/// is at least 8.
template <bool roomy, class T>
[[gnu::always_inline]] inline void add_run(RunningSums& sums, const T* row, std::int64_t first,
                                           std::int64_t end, std::int64_t columns) {
  if (!roomy && columns < 8) {  // the row as a vector of its own
    T copy[8] = {};
    __builtin_memcpy(copy, row, static_cast<std::size_t>(columns) * sizeof(T));
    return sums.add(load_values(copy), lanes_between(first, end));
  }
  for (; end - first > 8; first += 8) sums.add(load_values(row + first), all_lanes);
  // The last ones where they end a vector, so that short runs need no branch.
  const std::int64_t start = roomy || end > 8 ? end - 8 : 0;
  sums.add(load_values(row + start),
           roomy ? last_lanes(end - first) : lanes_between(first - start, end - start));
}

}  // namespace
}  // namespace meander::cpu
