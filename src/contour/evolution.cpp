// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/evolution.hpp"

#include <utility>

namespace meander {

/// When twice as many are kept as can be shown every other one is let go.
void EvolutionRecorder::keep(const EvolutionFrame& frame) {
  last_ = frame;
  if (count_++ % stride_ != 0) return;
  kept_.push_back(frame);
  if (kept_.size() < 2 * most_frames) return;
  for (std::size_t i = 1; i < kept_.size() / 2; ++i) kept_[i] = std::move(kept_[2 * i]);
  kept_.resize(kept_.size() / 2);
  stride_ *= 2;
}

void EvolutionRecorder::end_curves() {
  if (round_.curves.empty()) return;
  keep(std::exchange(round_, {}));
  before_ = last_.step;
  next_ = 0;
}

void EvolutionRecorder::add(const SegmentState& state) {
  end_curves();
  if (before_ + state.iteration < last_.step) before_ = last_.step;  // another run
  keep({.step = before_ + state.iteration, .curves = {{.points = state.outline.vertices}}});
}

void EvolutionRecorder::add(const SnakeState& state) {
  const bool is_another_run = state.steps == 0 && round_.step > before_;
  if (is_another_run) end_curves();
  if (round_.curves.empty()) before_ = last_.step;
  if (state.curve_index < next_ && state.steps > 0) keep(round_);
  if (round_.curves.size() <= state.curve_index) round_.curves.resize(state.curve_index + 1);
  round_.curves[state.curve_index] = state.curve;
  round_.step = before_ + state.steps;
  next_ = state.curve_index + 1;
}

std::vector<EvolutionFrame> EvolutionRecorder::frames() const {
  if (!round_.curves.empty()) {
    EvolutionRecorder whole = *this;
    whole.keep(std::exchange(whole.round_, {}));
    return whole.frames();
  }
  std::vector<EvolutionFrame> all = kept_;
  if (!all.empty() && all.back().curves != last_.curves) all.push_back(last_);
  if (all.size() <= most_frames) return all;
  std::vector<EvolutionFrame> even;
  for (std::size_t i = 0; i < most_frames; ++i) {
    even.push_back(all[i * (all.size() - 1) / (most_frames - 1)]);
  }
  return even;
}

}  // namespace meander
