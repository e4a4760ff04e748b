// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

/// The compiler's vector types at the width of the level this file is compiled for. Everything has
/// internal linkage: levels must not share functions.
#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace meander::cpu {
namespace {

#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif

template <class Real>
struct VectorOf {
  typedef Real type __attribute__((vector_size(vector_bytes)));
};
template <class Real>
using Vector = typename VectorOf<Real>::type;
template <class Real>
constexpr int vector_lanes = vector_bytes / static_cast<int>(sizeof(Real));

template <class Real>
inline Vector<Real> load_vector(const Real* from) {
  Vector<Real> value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
template <class Real>
inline void store_vector(Real* to, Vector<Real> value) {
  __builtin_memcpy(to, &value, sizeof value);
}
template <class Real>
inline Vector<Real> broadcast(Real value) {
  return value - Vector<Real>{};
}

/// a·b + c with one rounding where the level has it, with two otherwise: the one place where
/// products and sums fuse.
#if defined(__AVX512F__)
inline Vector<float> mad(Vector<float> a, Vector<float> b, Vector<float> c) {
  return (Vector<float>)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}
inline Vector<double> mad(Vector<double> a, Vector<double> b, Vector<double> c) {
  return (Vector<double>)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
#elif defined(__FMA__)
inline Vector<float> mad(Vector<float> a, Vector<float> b, Vector<float> c) {
  return (Vector<float>)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
inline Vector<double> mad(Vector<double> a, Vector<double> b, Vector<double> c) {
  return (Vector<double>)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
#elif defined(__ARM_NEON)
inline Vector<float> mad(Vector<float> a, Vector<float> b, Vector<float> c) {
  return (Vector<float>)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
}
inline Vector<double> mad(Vector<double> a, Vector<double> b, Vector<double> c) {
  return (Vector<double>)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
}
#else
template <class V>
inline V mad(V a, V b, V c) {
  return a * b + c;
}
#endif

/// Calls f(0), …, f(Count - 1) with constants, so that arrays indexed by them stay in registers.
template <int Count, class F>
[[gnu::always_inline]] inline void unrolled(F&& f) {
  [&]<int... Index>(std::integer_sequence<int, Index...>) __attribute__((always_inline)) {
    (f(std::integral_constant<int, Index>{}), ...);
  }
  (std::make_integer_sequence<int, Count>{});
}

/// Exchanges the blocks of `Width` lanes of a and b that lie across the diagonal: one step of a
/// transposition.
template <int Width, class V, std::size_t... Lane>
[[gnu::always_inline]] inline void exchange(V& a, V& b, std::index_sequence<Lane...>) {
  constexpr int lanes = sizeof...(Lane);
  const V low = __builtin_shufflevector(
      a, b, (Lane & Width ? static_cast<int>(Lane) - Width + lanes : static_cast<int>(Lane))...);
  const V high = __builtin_shufflevector(
      a, b, (Lane & Width ? static_cast<int>(Lane) + lanes : static_cast<int>(Lane) + Width)...);
  a = low;
  b = high;
}

template <class Real, int Width>
[[gnu::always_inline]] inline void transpose_step(Vector<Real>* rows) {
  constexpr int lanes = vector_lanes<Real>;
  unrolled<lanes / 2>([&](auto pair) __attribute__((always_inline)) {
    constexpr int i = pair / Width * 2 * Width + pair % Width;
    exchange<Width>(rows[i], rows[i + Width], std::make_index_sequence<lanes>{});
  });
}

/// A square of as many vectors as a vector has lanes.
template <class Real>
[[gnu::always_inline]] inline void transpose(Vector<Real>* rows) {
  constexpr int lanes = vector_lanes<Real>;
  if constexpr (lanes > 8) transpose_step<Real, 8>(rows);
  if constexpr (lanes > 4) transpose_step<Real, 4>(rows);
  if constexpr (lanes > 2) transpose_step<Real, 2>(rows);
  transpose_step<Real, 1>(rows);
}

}  // namespace
}  // namespace meander::cpu
