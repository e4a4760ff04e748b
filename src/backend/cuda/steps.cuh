// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "backend/cuda/cells.cuh"
#include "backend/steps/steps.hpp"

/// The text of src/backend/steps on the threads of CUDA.
namespace meander::cuda {
namespace {

using uchar = char;
using uint = unsigned;
using step_numbers = steps::StepNumbers;

#define UNROLL _Pragma("unroll")
#define IN_TURNS  // as the compiler has it: two slices side by side were slower
#define FUNCTION static __device__ __forceinline__
#define GLOBAL
#define LOCAL
#define NUMBERS const
#define BARRIER __syncthreads()
#define THREAD static_cast<int>(threadIdx.x)
#define CONSTANT_BORDER engine::ghost_constant
#define CLAMP_BORDER engine::ghost_clamp
#define REFLECT_BORDER engine::ghost_reflect
#define MIRROR_BORDER engine::ghost_mirror
#define PERIODIC_BORDER engine::ghost_periodic
// Threads of a row look at each other's registers.
#define LEFT_OF(sides, place, values) __shfl_up_sync(~0u, (values)[COLUMNS - 1], 1)
#define RIGHT_OF(sides, place, values) __shfl_down_sync(~0u, (values)[0], 1)
#define LEFT_AT(own, values) left_at(own, (values)[COLUMNS - 1])
#define RIGHT_AT(own, values) right_at(own, (values)[0])
#define APPLY_RULE(state, sums, field, p, next) Rule::apply(state, sums, field, p, next)

struct grid_facts {
  int width, height, depth, is_aligned;
};

/// Not inlined: a division of 64 bits is long, and seldom wanted.
__device__ __noinline__ std::int64_t ghost_index(std::int64_t i, std::int64_t n, int kind) {
  return engine::ghost_index(i, n, kind);
}

/// Added to a small number it leaves no bits for fractions; the last bits are the integer then.
constexpr float units = 0x1.8p23f;

/// Each text as the member of a class: what it wants to know are the parameters. A plane has ROWS
/// of a thread and STRIPS of them, a volume has STAGES.
template <class Rule, class Pixel, bool IS_UNIT, bool IS_CONSTANT, bool IS_VOLUME, int COLUMNS,
          int ROWS, int STRIPS, int STAGES>
struct Steps {
  static constexpr int STATES = Rule::states, FIELDS = Rule::fields, AROUND = Rule::around;
  static constexpr int BUFFERS = 2, SIDES = 0, LANES = 32, PIXEL_BYTES = sizeof(Pixel);
  static constexpr int run_bytes = COLUMNS * PIXEL_BYTES;

  /// Packed also where cells come one by one: unpacking would wait for them.
  struct alignas(run_bytes < 16 ? run_bytes : 16) stored_run {
    unsigned words[run_bytes / 4];
  };
  FUNCTION void load_run(stored_run* to, const char* from) {
    *to = *reinterpret_cast<const stored_run*>(from);
  }
  FUNCTION void load_one(stored_run* to, int c, const char* from) {
    if constexpr (PIXEL_BYTES == 2) {
      const unsigned cell = *reinterpret_cast<const std::uint16_t*>(from);
      unsigned& word = to->words[c / 2];
      word = c % 2 == 0 ? cell : word | cell << 16;
    } else {
      to->words[c] = *reinterpret_cast<const unsigned*>(from);
    }
  }
  FUNCTION void numbers_of(float* values, const stored_run* from) {
    UNROLL for (int c = 0; c < COLUMNS; ++c) {
      if constexpr (PIXEL_BYTES == 4) {
        values[c] = __uint_as_float(from->words[c]);
      } else {
        const auto bits = static_cast<std::uint16_t>(from->words[c / 2] >> (c % 2 * 16));
        if constexpr (std::is_same_v<Pixel, __half>) {
          values[c] = __half2float(__ushort_as_half(bits));
        } else {
          const int q = static_cast<std::int16_t>(bits);
          values[c] = part_number(__int_as_float(__float_as_int(units) + q) - units);
        }
      }
    }
  }
  /// The integer that a part is stored as, at the end of a float's bits: without the conversions to
  /// integers, which are slow.
  FUNCTION float with_units(float number) {
    const float known = number == number ? number : 0.0f;
    return fminf(fmaxf(known, -1.0f), 1.0f) * 32767 + units;
  }
  /// To what is stored.
  FUNCTION void round_run(float* values) {
    UNROLL for (int c = 0; c < COLUMNS; ++c) {
      if constexpr (std::is_same_v<Pixel, __half>) {
        values[c] = __half2float(__float2half_rn(values[c]));
      } else if constexpr (std::is_same_v<Pixel, std::int16_t>) {
        values[c] = part_number(with_units(values[c]) - units);
      }
    }
  }
  FUNCTION unsigned stored(float number) {
    if constexpr (PIXEL_BYTES == 4) {
      return __float_as_uint(number);
    } else if constexpr (std::is_same_v<Pixel, __half>) {
      return __half_as_ushort(__float2half_rn(number));
    } else {
      return __float_as_uint(with_units(number)) & 0xffff;
    }
  }
  FUNCTION void store_run(char* to, const float* values) {
    stored_run all;
    UNROLL for (int c = 0; c < COLUMNS; ++c) {
      if constexpr (PIXEL_BYTES == 4) {
        all.words[c] = stored(values[c]);
      } else if (c % 2 == 1) {
        all.words[c / 2] = stored(values[c - 1]) | stored(values[c]) << 16;
      }
    }
    *reinterpret_cast<stored_run*>(to) = all;
  }
  FUNCTION void store_one(char* to, float number) {
    *reinterpret_cast<Pixel*>(to) = pixel_of<Pixel>(number);
  }
  struct alignas(COLUMNS * 4) shared_run {
    float v[COLUMNS];
  };
  FUNCTION void put_run(float* to, const float* values) {
    shared_run all;
    UNROLL for (int c = 0; c < COLUMNS; ++c) all.v[c] = values[c];
    *reinterpret_cast<shared_run*>(to) = all;
  }
  FUNCTION void get_run(float* values, const float* from) {
    const auto all = *reinterpret_cast<const shared_run*>(from);
    UNROLL for (int c = 0; c < COLUMNS; ++c) values[c] = all.v[c];
  }
  FUNCTION void put_sides(float*, int, const float*) {}
  /// The neighbour of the last thread of a warp is in another; those of the block's ends have none.
  FUNCTION float left_at(const float* own, float last) {
    const float left = __shfl_up_sync(~0u, last, 1);
    return threadIdx.x % 32 == 0 && threadIdx.x > 0 ? own[-1] : left;
  }
  FUNCTION float right_at(const float* own, float first) {
    const float right = __shfl_down_sync(~0u, first, 1);
    return threadIdx.x % 32 == 31 && threadIdx.x + 1 < blockDim.x ? own[COLUMNS] : right;
  }

#include "backend/steps/cells.h"
#include "backend/steps/plane.h"
#include "backend/steps/volume.h"

  static constexpr int threads = LANES * STRIPS, columns = COLUMNS;
  static constexpr std::size_t plane_bytes = BUFFERS * int{ROOM} * sizeof(float);
  /// Of as many threads as a block may have: where things lie is known to the compiler then.
  static constexpr std::size_t volume_bytes =
      std::size_t{2} * STAGES * int{AROUND_STATES} * COLUMNS * threads * sizeof(float);
};

}  // namespace
}  // namespace meander::cuda
