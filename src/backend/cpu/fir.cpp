// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <vector>

#include "backend/cpu/engines.hpp"
#include "backend/cpu/flush_denormals.hpp"
#include "backend/cpu/isa.hpp"
#include "backend/cpu/lines.hpp"
#include "engine/ghost.hpp"

namespace meander::cpu {
namespace {

using engine::Axis;
using engine::View;

/// A block of lines with what stands beyond their ends, as one panel; so in place is no matter.
template <class Real>
void gather_extended(const BlockLines& in, std::int64_t length, std::int64_t radius,
                     const BorderRule& border, Real* panel) {
  for (std::int64_t begin = 0; begin < length; begin += chunk_length) {
    in.gather(begin, std::min(chunk_length, length - begin),
              panel + (radius + begin) * panel_lanes);
  }
  const Real* line = panel + radius * panel_lanes;
  const auto fill = [&](std::int64_t i) {
    const std::int64_t source = engine::ghost_index(i, length, static_cast<int>(border.kind));
    Real* row = panel + (radius + i) * panel_lanes;
    if (source < 0) {
      std::fill_n(row, panel_lanes, static_cast<Real>(border.value));
    } else {
      std::copy_n(line + source * panel_lanes, panel_lanes, row);
    }
  };
  for (std::int64_t i = 1; i <= radius; ++i) {
    fill(-i);
    fill(length - 1 + i);
  }
}

template <class Real>
void fir_block(const BlockLines& in, const BlockLines& out, std::int64_t length,
               const Real* weights, std::int64_t taps, const BorderRule& border, Real* scratch) {
  Real* chunk = scratch;
  Real* panel = scratch + chunk_length * panel_lanes;
  gather_extended(in, length, taps / 2, border, panel);
  const auto fir = scan_kernels<Real>().fir;
  if (out.is_panel<Real>())
    return fir(panel, length, weights, taps, out.row<Real>(0), out.stride<Real>());
  for (std::int64_t begin = 0; begin < length; begin += chunk_length) {
    const std::int64_t count = std::min(chunk_length, length - begin);
    fir(panel + begin * panel_lanes, count, weights, taps, chunk, panel_lanes);
    out.scatter(chunk, begin, count);
  }
}

template <class Real>
void fir_as(const View& in, const View& out, Axis axis, std::span<const double> weights,
            const BorderRule& border) {
  const std::vector<Real> typed(weights.begin(), weights.end());
  const auto taps = static_cast<std::int64_t>(typed.size());
  const std::int64_t length = engine::length_along(in, axis);
  const std::int64_t numbers = (chunk_length + length + taps - 1) * panel_lanes;
  LineBlocks(in, axis).for_each(numbers * static_cast<std::int64_t>(sizeof(Real)),
                                [&](const LineBlocks::Block& block, std::byte* scratch) {
                                  const FlushDenormals flush;
                                  fir_block(BlockLines(in, axis, block),
                                            BlockLines(out, axis, block), length, typed.data(),
                                            taps, border, reinterpret_cast<Real*>(scratch));
                                });
}

}  // namespace

void fir(const View& in, const View& out, Axis axis, std::span<const double> weights,
         const BorderRule& border) {
  out.type == PixelType::f64 ? fir_as<double>(in, out, axis, weights, border)
                             : fir_as<float>(in, out, axis, weights, border);
}

}  // namespace meander::cpu
