// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

namespace meander::cpu {

/// States of 16 bits to float and back, a line at a time; compiled once per instruction set.
struct PackedKernels {
  using Widen = void (*)(const void* from, float* to, std::int64_t count);
  using Narrow = void (*)(const float* from, void* to, std::int64_t count);
  Widen widen_half, widen_part;  ///< Parts are of 32767; see engine/stencil.hpp.
  Narrow narrow_half, narrow_part;
};

}  // namespace meander::cpu
