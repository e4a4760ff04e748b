// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

#include "bench/react/fixed.hpp"

/// What the stencil engine is measured against, compiled once per instruction set: plain types
/// only, as in the engine's own kernels.
namespace meander::bench {

/// The network of the paper's edge detector.
struct ReactNetwork {
  double a = -0.5, b = 1.2, c = 1, e = -0.1, d1 = 0, d2 = 2.2, dt = 0.1;
};

/// Both layers before and after a step; rows lie `pitch` numbers apart.
template <class Number>
struct ReactLayers {
  const Number *u, *v;
  Number *next_u, *next_v;
  std::int64_t width, height, pitch;
};

/// One step of rows [begin, end), with the nearest cell beyond the border. `plain` is
/// bench/react/plain.cpp, the others are integer arithmetic alone, for networks without D1.
struct ReactLoops {
  using Plain = void (*)(const ReactLayers<float>& layers, const ReactNetwork& network,
                         std::int64_t begin, std::int64_t end);
  template <class Number>
  using Fixed = void (*)(const ReactLayers<Number>& layers, const FixedNumbers<Number>& numbers,
                         std::int64_t begin, std::int64_t end);
  Plain plain;
  Fixed<std::int16_t> fixed16;
  Fixed<std::int32_t> fixed32;
};

/// Of the instruction set that the engine uses, by the compiler's own vectorisation.
const ReactLoops& vectorised_loops();
/// The same text as vectorised_loops().plain, for no instruction set and without vectorisation.
ReactLoops::Plain scalar_loop();

}  // namespace meander::bench
