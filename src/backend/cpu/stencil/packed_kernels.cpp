// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Compiled once per instruction-set level; see backend/cpu/kernels.hpp for what may be included
// here.
#include "backend/cpu/kernels.hpp"

#include "backend/cpu/vector.hpp"
#include "core/half.hpp"

namespace meander::cpu {
namespace {

/// As many as one instruction converts, the same bits as core/half.hpp makes; none where there is
/// no such instruction.
#if defined(__F16C__)
constexpr int halves_at_once = 8;
inline void widen_halves(const std::uint16_t* from, float* to) {
  _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
}
inline void narrow_halves(const float* from, std::uint16_t* to) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                   _mm256_cvtps_ph(_mm256_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT));
}
#elif defined(__ARM_NEON)
constexpr int halves_at_once = 4;
inline void widen_halves(const std::uint16_t* from, float* to) {
  vst1q_f32(to, vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(from))));
}
inline void narrow_halves(const float* from, std::uint16_t* to) {
  vst1_u16(to, vreinterpret_u16_f16(vcvt_f16_f32(vld1q_f32(from))));
}
#else
constexpr int halves_at_once = 1;
inline void widen_halves(const std::uint16_t* from, float* to) { *to = half_to_float(*from); }
inline void narrow_halves(const float* from, std::uint16_t* to) { *to = float_to_half(*from); }
#endif

void widen_half(const void* from, float* to, std::int64_t count) {
  const auto* halves = static_cast<const std::uint16_t*>(from);
  std::int64_t i = 0;
  for (; i + halves_at_once <= count; i += halves_at_once) widen_halves(halves + i, to + i);
  for (; i < count; ++i) to[i] = half_to_float(halves[i]);
}

void narrow_half(const float* from, void* to, std::int64_t count) {
  auto* halves = static_cast<std::uint16_t*>(to);
  std::int64_t i = 0;
  for (; i + halves_at_once <= count; i += halves_at_once) narrow_halves(from + i, halves + i);
  for (; i < count; ++i) halves[i] = float_to_half(from[i]);
}

/// q/32767 to the last bit, without a division: 1/32767 is 2^-15 + 2^-30 + …
void widen_part(const void* from, float* to, std::int64_t count) {
  const auto* parts = static_cast<const std::int16_t*>(from);
  for (std::int64_t i = 0; i < count; ++i) {
    const float nearly = static_cast<float>(parts[i]) * 0x1p-15f;
    to[i] = nearly + nearly * 0x1.0002p-15f;
  }
}

typedef std::int32_t Words __attribute__((vector_size(vector_bytes)));
typedef std::int16_t Parts __attribute__((vector_size(vector_bytes / 2)));

/// A vector of them; NaN becomes 0.
inline void narrow_parts(const float* from, std::int16_t* to) {
  const Vector<float> whole = broadcast(32767.0f), one = broadcast(1.0f);
  const Vector<float> unit_is_one = broadcast(0x1.8p23f);  // leaves no bits for fractions
  Vector<float> value = load_vector(from);
  value = value == value ? value : Vector<float>{};
  value = value < -one ? -one : value;
  value = value > one ? one : value;
  const Parts parts = __builtin_convertvector((Words)(value * whole + unit_is_one), Parts);
  __builtin_memcpy(to, &parts, sizeof parts);
}

void narrow_part(const float* from, void* to, std::int64_t count) {
  constexpr int lanes = vector_lanes<float>;
  auto* parts = static_cast<std::int16_t*>(to);
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) narrow_parts(from + i, parts + i);
  float rest[lanes] = {};
  std::int16_t rest_narrow[lanes];
  const auto left = static_cast<std::size_t>(count - i);
  __builtin_memcpy(rest, from + i, left * sizeof(float));
  narrow_parts(rest, rest_narrow);
  __builtin_memcpy(parts + i, rest_narrow, left * sizeof(std::int16_t));
}

}  // namespace

namespace MEANDER_ISA {

extern const PackedKernels packed_kernels;
const PackedKernels packed_kernels = {widen_half, widen_part, narrow_half, narrow_part};

}  // namespace MEANDER_ISA
}  // namespace meander::cpu
