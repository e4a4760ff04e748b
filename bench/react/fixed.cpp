// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Compiled once per instruction-set level; the compiler vectorises the loops.
#include "bench/react/fixed.hpp"

#include "bench/react/loops.hpp"

namespace meander::bench {
namespace {

template <class Number>
void row_of_cells(const Number* __restrict u, const Number* __restrict v,
                  const Number* __restrict before, const Number* __restrict after,
                  Number* __restrict next_u, Number* __restrict next_v, std::int64_t width,
                  const FixedNumbers<Number> numbers) {
  using Bits = FixedBits<Number>;
  using Product = typename Bits::Product;
  const auto cell = [&](std::int64_t x, std::int64_t left, std::int64_t right)
      __attribute__((always_inline)) {
    const Product growth = (numbers.growth - Product{u[x]} * u[x]) >> (2 * Bits::u - Bits::growth);
    const Product change = Product{u[x]} * static_cast<Number>(growth) +
                           Product{v[x]} * numbers.inhibition + numbers.half;
    next_u[x] = static_cast<Number>(u[x] + (change >> Bits::growth));
    const std::int32_t around = v[left] + v[right] + before[x] + after[x];
    const Product sum = Product{around} * numbers.diffusion + Product{v[x]} * numbers.decay +
                        Product{u[x]} * numbers.drive + numbers.constant;
    next_v[x] = static_cast<Number>(v[x] + (sum >> Bits::coupling));
  };
  const std::int64_t last = width - 1;
  cell(0, 0, last > 0 ? 1 : 0);
  for (std::int64_t x = 1; x < last; ++x) cell(x, x - 1, x + 1);
  if (last > 0) cell(last, last - 1, last);
}

template <class Number>
void step(const ReactLayers<Number>& layers, const FixedNumbers<Number>& numbers,
          std::int64_t begin, std::int64_t end) {
  for (std::int64_t y = begin; y < end; ++y) {
    const std::int64_t at = y * layers.pitch;
    const Number* before = layers.v + (y > 0 ? at - layers.pitch : at);
    const Number* after = layers.v + (y < layers.height - 1 ? at + layers.pitch : at);
    row_of_cells(layers.u + at, layers.v + at, before, after, layers.next_u + at,
                 layers.next_v + at, layers.width, numbers);
  }
}

}  // namespace

namespace MEANDER_ISA {

void fixed16_step(const ReactLayers<std::int16_t>& layers,
                  const FixedNumbers<std::int16_t>& numbers, std::int64_t begin, std::int64_t end) {
  step(layers, numbers, begin, end);
}
void fixed32_step(const ReactLayers<std::int32_t>& layers,
                  const FixedNumbers<std::int32_t>& numbers, std::int64_t begin, std::int64_t end) {
  step(layers, numbers, begin, end);
}

}  // namespace MEANDER_ISA
}  // namespace meander::bench
