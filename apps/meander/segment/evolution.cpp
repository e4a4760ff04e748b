// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "segment/evolution.hpp"

#include "words/report.hpp"

namespace meander::app {
namespace {

Json json_of(const Curve& curve) {
  Json points = Json::array();
  for (const GridPoint& point : curve.points) {
    // Multiples of 1/256 are exact in float64.
    points.push_back({static_cast<double>(point.x) / grid_steps_per_pixel,
                      static_cast<double>(point.y) / grid_steps_per_pixel});
  }
  return {{"closed", !curve.is_open}, {"points", std::move(points)}};
}

}  // namespace

/// When twice as many are kept as can be shown every other one is let go.
void Evolution::add(const EvolutionFrame& frame) {
  last_ = frame;
  if (count_++ % stride_ != 0) return;
  kept_.push_back(frame);
  if (kept_.size() < 2 * most_frames) return;
  for (std::size_t i = 1; i < kept_.size() / 2; ++i) kept_[i] = std::move(kept_[2 * i]);
  kept_.resize(kept_.size() / 2);
  stride_ *= 2;
}

std::vector<EvolutionFrame> Evolution::frames() const {
  std::vector<EvolutionFrame> all = kept_;
  if (!all.empty() && all.back().curves != last_.curves) all.push_back(last_);
  if (all.size() <= most_frames) return all;
  std::vector<EvolutionFrame> even;
  for (std::size_t i = 0; i < most_frames; ++i) {
    even.push_back(all[i * (all.size() - 1) / (most_frames - 1)]);
  }
  return even;
}

void SnakeEvolution::add(const SnakeState& state) {
  if (state.curve_index < next_ && state.steps > 0) evolution_.add(frame_);
  if (frame_.curves.size() <= state.curve_index) frame_.curves.resize(state.curve_index + 1);
  frame_.curves[state.curve_index] = state.curve;
  frame_.step = before_ + state.steps;
  next_ = state.curve_index + 1;
}

std::string evolution_as_json(const std::vector<EvolutionFrame>& frames, const Description& image) {
  Json json = {{"image", describe(image)}, {"frames", Json::array()}};
  for (const EvolutionFrame& frame : frames) {
    Json curves = Json::array();
    for (const Curve& curve : frame.curves) curves.push_back(json_of(curve));
    json["frames"].push_back({{"step", frame.step}, {"curves", std::move(curves)}});
  }
  return json.dump() + "\n";
}

}  // namespace meander::app
