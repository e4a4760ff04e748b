// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <stop_token>
#include <vector>

#include "engine/backend.hpp"
#include "engine/stencil.hpp"
#include "meander/device.hpp"
#include "meander/image.hpp"

namespace meander {

/// One grid of a hierarchy; its weights are μ/h² of each axis, 0 along an axis of one cell.
struct FlowLevel {
  Shape shape;
  engine::Neighbours neighbours;
};

/// The grid itself and ever coarser ones, down to a single cell, which a sweep solves exactly. An
/// axis is halved when its weight is within 1.5 of the largest: so neighbours that are strongly
/// coupled become one cell first, and a sweep smooths along all axes that are left to be halved,
/// whatever the spacing. All have the border of the first, for otherwise they would disagree near
/// it and correct nothing.
std::vector<FlowLevel> flow_levels(const Shape& shape, const std::array<double, 3>& sides,
                                   double mu, const BorderRule& border);

/// Approximate solutions of held·u - Δu = source on the cells of a grid, or those within a mask,
/// one component at a time; see src/rules/vector_flow.h for the equations. A cycle F(2,2): the
/// source is taken down to the coarsest grid, and from there up each grid gets the solution of the
/// one below and a cycle V(2,2) of its own.
class Multigrid {
 public:
  /// `block` is an image of the finest grid whose last channels are state, source, held (with a
  /// mask: state, source, diagonal, mask); there are channels_needed of them.
  Multigrid(const Device& device, const std::vector<FlowLevel>& levels, const Image& block,
            bool has_mask);
  static int channels_needed(bool has_mask) { return has_mask ? 4 : 3; }

  /// Of all grids: b is to be multiplied alike.
  void multiply_weights(double factor);
  const engine::Neighbours& neighbours() const { return levels_[0].neighbours; }

  /// From what is in `held` of the finest grid.
  void prepare();
  /// The same within a mask: `source` of the finest grid holds b, `mask` 1 or 0.
  void prepare_mask();

  /// Turns the source into an approximate solution, in `state`. Stops in the middle on request.
  void cycle(const std::stop_token& stop);

  engine::View state() const { return channel(0, 0); }
  engine::View source() const { return channel(0, 1); }
  engine::View held() const { return channel(0, 2); }
  engine::View mask() const { return channel(0, 3); }
  /// r = source - (held·u - Δu) of any u on the finest grid, within the mask.
  void residual(const engine::View& of, const engine::View& out, const std::stop_token& stop) {
    residual(0, of, out, stop);
  }

 private:
  struct Level {
    engine::Neighbours neighbours;
    engine::View block;
    int first = 0;  ///< The channel of its state.
  };

  engine::View channel(std::size_t level, int index, int count = 1) const;
  engine::View fields(std::size_t level) const { return channel(level, 1, has_mask_ ? 3 : 2); }
  engine::Iteration work(std::size_t level, engine::Rule rule, std::int64_t sweeps,
                         const std::stop_token& stop) const;
  void take_down(std::size_t level, int index);
  void relax(std::size_t level, bool from_zero, const std::stop_token& stop);
  void residual(std::size_t level, const engine::View& of, const engine::View& out,
                const std::stop_token& stop);
  void prolong(std::size_t to, engine::Prolongation how);
  void v_cycle(std::size_t top, const std::stop_token& stop);

  engine::Backend& backend_;
  const bool has_mask_;
  std::vector<Image> coarser_;
  std::vector<Level> levels_;
};

/// Some channels of a view, `step` channels apart.
engine::View channels_of(const engine::View& view, int first, int count = 1, int step = 1);

}  // namespace meander
