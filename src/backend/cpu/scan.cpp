// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cpu/engines.hpp"
#include "backend/cpu/flush_denormals.hpp"
#include "backend/cpu/scan_block.hpp"

namespace meander::cpu {
namespace {

using engine::Axis;
using engine::Recurrence;
using engine::View;

/// Calls work(scan, block) for every block of lines, each with states and panels of its own.
template <class Real, class Work>
void for_each_block(const View& view, Axis axis, const Recurrence& recurrence, std::int64_t length,
                    Work&& work) {
  const std::int64_t numbers = BlockScan<Real>::scratch_numbers(recurrence, length);
  LineBlocks(view, axis)
      .for_each(numbers * static_cast<std::int64_t>(sizeof(Real)),
                [&](const LineBlocks::Block& block, std::byte* scratch) {
                  const FlushDenormals flush;
                  BlockScan<Real> scan(recurrence, reinterpret_cast<Real*>(scratch));
                  work(scan, block);
                });
}

/// The type of the arithmetic: that of what is written.
template <class Work>
void with_real(PixelType type, Work&& work) {
  type == PixelType::f64 ? work(double{}) : work(float{});
}

}  // namespace

std::int64_t lines_held() { return std::int64_t{threads()} * panel_lanes; }

void scan(const View& in, const View& out, Axis axis, const Recurrence& recurrence) {
  const std::int64_t length = engine::length_along(in, axis);
  with_real(out.type, [&]<class Real>(Real) {
    for_each_block<Real>(
        in, axis, recurrence, length, [&](BlockScan<Real>& scan, const LineBlocks::Block& block) {
          scan.run(BlockLines(in, axis, block), BlockLines(out, axis, block), length);
        });
  });
}

void scan_part(const View& in, const View& out, const View& state, Axis axis,
               engine::Direction direction, const Recurrence& recurrence) {
  with_real(state.type, [&]<class Real>(Real) {
    for_each_block<Real>(
        in, axis, recurrence, 0, [&](BlockScan<Real>& scan, const LineBlocks::Block& block) {
          const BlockLines from(in, axis, block), states(state, axis, block);
          if (out.memory == nullptr) {
            scan.run_part(from, nullptr, states, engine::length_along(in, axis), direction);
          } else {
            const BlockLines to(out, axis, block);
            scan.run_part(from, &to, states, engine::length_along(in, axis), direction);
          }
        });
  });
}

void scan_state(const View& edge, const View& state, Axis axis, engine::StateMap map,
                const Recurrence& recurrence) {
  with_real(state.type, [&]<class Real>(Real) {
    for_each_block<Real>(
        edge, axis, recurrence, 0, [&](BlockScan<Real>& scan, const LineBlocks::Block& block) {
          scan.map_states(BlockLines(edge, axis, block), BlockLines(state, axis, block), map);
        });
  });
}

}  // namespace meander::cpu
