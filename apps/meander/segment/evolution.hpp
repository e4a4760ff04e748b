// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "meander/edge.hpp"
#include "meander/image.hpp"
#include "meander/outline.hpp"

namespace meander::app {

/// All curves at one moment of a run.
struct EvolutionFrame {
  std::int64_t step = 0;  ///< Changes or steps so far.
  std::vector<Curve> curves;
};

/// Moments of a run, as many as a film can show: the first, the last, and others evenly spread over
/// those between, however many these turn out to be.
class Evolution {
 public:
  void add(const EvolutionFrame& frame);
  /// The frames, at most `most_frames` of them.
  std::vector<EvolutionFrame> frames() const;

  static constexpr std::size_t most_frames = 60;

 private:
  std::vector<EvolutionFrame> kept_;
  EvolutionFrame last_;
  std::int64_t count_ = 0;
  std::int64_t stride_ = 1;  ///< Every so manieth is kept.
};

/// Puts the states of single curves together: a frame for each round in which they are heard of.
class SnakeEvolution {
 public:
  /// Steps are counted on from those that were before.
  SnakeEvolution(Evolution& evolution, std::vector<Curve> starts, std::int64_t steps_before)
      : evolution_(evolution),
        frame_{.step = steps_before, .curves = std::move(starts)},
        before_(steps_before),
        next_(frame_.curves.size()) {}

  /// States come round by round, in the order of the curves; those before any step are the starts.
  void add(const SnakeState& state);
  /// Adds what was heard of last.
  void finish() { evolution_.add(frame_); }

 private:
  Evolution& evolution_;
  EvolutionFrame frame_;
  std::int64_t before_;
  std::size_t next_;  ///< A state of a curve before this one begins another round.
};

/// The image as the report describes it, and the frames, their points in pixels: {"image": {…},
/// "frames": [{"step": …, "curves": [{"closed": true, "points": [[x, y], …]}, …]}, …]}.
std::string evolution_as_json(const std::vector<EvolutionFrame>& frames, const Description& image);

}  // namespace meander::app
