// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define MEANDER_ON_DEVICE_TOO __host__ __device__
#else
#define MEANDER_ON_DEVICE_TOO
#endif

/// Sums over part of an image and how two of them add up: the bookkeeping that backends share, in
/// plain types so that nvcc and files compiled per instruction set may include it.
namespace meander::engine {

/// What a reduction is for. Counts are always there.
enum class Wanted : std::uint8_t { all, squares, range };

/// Integer pixels use the exact integers, floats the doubles; the others stay 0.
struct Partial {
  double min, max;
  double sum, magnitudes, squares;
  std::int64_t integer_sum, integer_magnitudes, integer_squares;
  std::int64_t finite, nonfinite;
};

MEANDER_ON_DEVICE_TOO static inline Partial empty_partial() {
  return {.min = __builtin_huge_val(), .max = -__builtin_huge_val()};
}

MEANDER_ON_DEVICE_TOO static inline Partial combined(const Partial& a, const Partial& b) {
  return {.min = b.min < a.min ? b.min : a.min,
          .max = b.max > a.max ? b.max : a.max,
          .sum = a.sum + b.sum,
          .magnitudes = a.magnitudes + b.magnitudes,
          .squares = a.squares + b.squares,
          .integer_sum = a.integer_sum + b.integer_sum,
          .integer_magnitudes = a.integer_magnitudes + b.integer_magnitudes,
          .integer_squares = a.integer_squares + b.integer_squares,
          .finite = a.finite + b.finite,
          .nonfinite = a.nonfinite + b.nonfinite};
}

}  // namespace meander::engine
