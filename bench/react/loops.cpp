// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/react/loops.hpp"

#include <cmath>

#include "bench/level_loops.hpp"
#include "meander/error.hpp"

namespace meander::bench {

#define MEANDER_LEVEL(name)                                                                    \
  namespace name {                                                                             \
  void plain_step(const ReactLayers<float>&, const ReactNetwork&, std::int64_t, std::int64_t); \
  void fixed16_step(const ReactLayers<std::int16_t>&, const FixedNumbers<std::int16_t>&,       \
                    std::int64_t, std::int64_t);                                               \
  void fixed32_step(const ReactLayers<std::int32_t>&, const FixedNumbers<std::int32_t>&,       \
                    std::int64_t, std::int64_t);                                               \
  }
#include "backend/cpu/levels.inc"
#undef MEANDER_LEVEL

namespace scalar {
void plain_step(const ReactLayers<float>&, const ReactNetwork&, std::int64_t, std::int64_t);
}

namespace {

constexpr LevelLoops<ReactLoops> levels[] = {
#define MEANDER_LEVEL(name) {#name, {name::plain_step, name::fixed16_step, name::fixed32_step}},
#include "backend/cpu/levels.inc"
#undef MEANDER_LEVEL
};

double scale_of_u(const ReactNetwork& network) { return std::sqrt(network.dt / 3); }

}  // namespace

const ReactLoops& vectorised_loops() { return loops_of_engine(levels); }

ReactLoops::Plain scalar_loop() { return scalar::plain_step; }

template <class Number>
FixedNumbers<Number> fixed_numbers(const ReactNetwork& network) {
  using Bits = FixedBits<Number>;
  using Product = typename Bits::Product;
  if (network.d1 != 0) throw LogicError("networks in integers have no D1");
  const auto rounded = [](double value, int bits) {
    return static_cast<Product>(std::llround(std::ldexp(value, bits)));
  };
  const auto factor = [&](double value, int bits) {
    return static_cast<Number>(rounded(value, bits));
  };
  const auto half_of = [](int shift) { return Product{1} << (shift - 1); };
  const auto [a, b, c, e, d1, d2, dt] = network;
  const double s = scale_of_u(network);
  return {.growth = rounded(dt * c, 2 * Bits::u) + half_of(2 * Bits::u - Bits::growth),
          .half = half_of(Bits::growth),
          .constant = rounded(-dt * e * a, Bits::v + Bits::coupling) + half_of(Bits::coupling),
          .inhibition = factor(-dt * s, Bits::growth + Bits::u - Bits::v),
          .decay = factor(dt * (e * b - 4 * d2), Bits::coupling),
          .drive = factor(-dt * e / s, Bits::coupling + Bits::v - Bits::u),
          .diffusion = factor(dt * d2, Bits::coupling)};
}

template <class Number>
FixedScales fixed_scales(const ReactNetwork& network) {
  using Bits = FixedBits<Number>;
  return {std::ldexp(scale_of_u(network), Bits::u), std::ldexp(1, Bits::v)};
}

template FixedNumbers<std::int16_t> fixed_numbers(const ReactNetwork&);
template FixedNumbers<std::int32_t> fixed_numbers(const ReactNetwork&);
template FixedScales fixed_scales<std::int16_t>(const ReactNetwork&);
template FixedScales fixed_scales<std::int32_t>(const ReactNetwork&);

}  // namespace meander::bench
