// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/flow/multigrid_cycle.hpp"

#include <algorithm>

#include "core/image_state.hpp"

namespace meander {
namespace {

constexpr double comparable = 1.5;

using Extents = std::array<std::int64_t, 3>;

FlowLevel level_of(const Extents& extents, const std::array<double, 3>& sides, double mu,
                   const BorderRule& border) {
  FlowLevel level{.shape = {extents[0], extents[1], extents[2]}, .neighbours = {.border = border}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    level.neighbours.axis[axis] = extents[axis] > 1 ? mu / (sides[axis] * sides[axis]) : 0;
  }
  return level;
}

}  // namespace

std::vector<FlowLevel> flow_levels(const Shape& shape, const std::array<double, 3>& sides,
                                   double mu, const BorderRule& border) {
  Extents extents{shape.x, shape.y, shape.z};
  std::array<double, 3> side = sides;
  std::vector<FlowLevel> levels{level_of(extents, side, mu, border)};
  while (extents != Extents{1, 1, 1}) {
    const auto& weights = levels.back().neighbours.axis;
    const double largest = *std::ranges::max_element(weights);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (extents[axis] == 1 || weights[axis] * comparable < largest) continue;
      extents[axis] = engine::halved(extents[axis]);
      side[axis] *= 2;
    }
    levels.push_back(level_of(extents, side, mu, border));
  }
  return levels;
}

namespace {

constexpr std::int64_t sweeps_at_a_time = 2;

enum Slot : int { state_slot, source_slot, held_slot, mask_slot };

}  // namespace

engine::View channels_of(const engine::View& view, int first, int count, int step) {
  engine::View part = view;
  part.offset += first * view.pitch.channel;
  part.channels = count;
  part.pitch.channel *= step;
  return part;
}

Multigrid::Multigrid(const Device& device, const std::vector<FlowLevel>& levels, const Image& block,
                     bool has_mask)
    : backend_(device.backend()), has_mask_(has_mask) {
  const int channels = channels_needed(has_mask);
  levels_.push_back({.neighbours = levels[0].neighbours,
                     .block = block.state().view,
                     .first = block.channels() - channels});
  for (std::size_t i = 1; i < levels.size(); ++i) {
    coarser_.push_back(
        device.allocate({.shape = levels[i].shape, .channels = channels, .type = block.type()}));
    levels_.push_back({.neighbours = levels[i].neighbours, .block = coarser_.back().state().view});
  }
}

engine::View Multigrid::channel(std::size_t level, int index, int count) const {
  return channels_of(levels_[level].block, levels_[level].first + index, count);
}

engine::Iteration Multigrid::work(std::size_t level, engine::Rule rule, std::int64_t sweeps,
                                  const std::stop_token& stop) const {
  engine::Iteration work{
      .rule = rule, .neighbours = levels_[level].neighbours, .steps = sweeps, .stop = stop};
  if (rule == engine::Rule::held_relaxed) work.parameters = {work.neighbours.weight()};
  if (rule == engine::Rule::masked_diagonal) work.parameters = {1};
  return work;
}

void Multigrid::multiply_weights(double factor) {
  for (Level& level : levels_) {
    for (double& weight : level.neighbours.axis) weight *= factor;
  }
}

void Multigrid::take_down(std::size_t level, int index) {
  backend_.apply(work(level, engine::Rule::unchanged, 1, {}), channel(level, index), {},
                 channel(level + 1, index));
}

void Multigrid::prepare() {
  for (std::size_t i = 0; i + 1 < levels_.size(); ++i) take_down(i, held_slot);
}

/// On coarser grids the mask holds the part of each cell that is inside, until its root is taken.
void Multigrid::prepare_mask() {
  for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
    take_down(i, source_slot);
    take_down(i, mask_slot);
  }
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const engine::View mask = channel(i, mask_slot);
    backend_.pointwise(engine::Pointwise::root, mask, mask, {}, mask);
    backend_.apply(work(i, engine::Rule::masked_diagonal, 1, {}), mask, channel(i, source_slot),
                   channel(i, held_slot));
  }
}

void Multigrid::relax(std::size_t level, bool from_zero, const std::stop_token& stop) {
  const bool is_exact = level + 1 == levels_.size();
  const engine::Rule rule = has_mask_ ? engine::Rule::masked_relaxed : engine::Rule::held_relaxed;
  backend_.relax(work(level, rule, is_exact ? 1 : sweeps_at_a_time, stop),
                 channel(level, state_slot), fields(level), from_zero);
}

void Multigrid::residual(std::size_t level, const engine::View& of, const engine::View& out,
                         const std::stop_token& stop) {
  const engine::Rule rule = has_mask_ ? engine::Rule::masked_residual : engine::Rule::held_residual;
  backend_.apply(work(level, rule, 1, stop), of, fields(level), out);
}

/// Within a mask states are products with m, and it is the solution that is handed up.
void Multigrid::prolong(std::size_t to, engine::Prolongation how) {
  const engine::View from = channel(to + 1, state_slot);
  if (has_mask_) {
    backend_.pointwise(engine::Pointwise::direction, from, channel(to + 1, mask_slot), {}, from);
  }
  backend_.transfer(from, channel(to, state_slot),
                    has_mask_ ? channel(to, mask_slot) : engine::View{}, how);
}

void Multigrid::v_cycle(std::size_t top, const std::stop_token& stop) {
  const std::size_t bottom = levels_.size() - 1;
  for (std::size_t i = top; i < bottom; ++i) {
    relax(i, i > top, stop);
    residual(i, channel(i, state_slot), channel(i + 1, source_slot), stop);
  }
  relax(bottom, true, stop);
  for (std::size_t i = bottom; i-- > top;) {
    prolong(i, engine::Prolongation::add);
    relax(i, false, stop);
  }
}

void Multigrid::cycle(const std::stop_token& stop) {
  const std::size_t bottom = levels_.size() - 1;
  for (std::size_t i = 0; i < bottom; ++i) take_down(i, source_slot);
  relax(bottom, true, stop);
  for (std::size_t i = bottom; i-- > 0 && !stop.stop_requested();) {
    prolong(i, engine::Prolongation::replace);
    v_cycle(i, stop);
  }
}

}  // namespace meander
