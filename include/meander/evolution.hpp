// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "meander/edge.hpp"
#include "meander/segment.hpp"

/// How outlines were found, for films.
namespace meander {

/// All curves at one moment of a run.
struct EvolutionFrame {
  std::int64_t step = 0;      ///< Changes or steps so far.
  std::vector<Curve> curves;  ///< Where they are then.
};

/// Moments of a run, as many as a film can show: the first, the last, and others evenly spread over
/// those between, however many these turn out to be. Memory for twice as many.
///
///     EvolutionRecorder recorder;
///     segment(image, options,
///             {.on_change = [&](const SegmentState& state) { recorder.add(state); }});
///
/// What is added of another run goes on from the last step of the one before.
class EvolutionRecorder {
 public:
  static constexpr std::size_t most_frames = 60;  ///< That are kept.

  /// The outline of a region.
  void add(const SegmentState& state);
  /// States of several curves make one frame for each round in which they are heard of; they come
  /// round by round, in the order of the curves, those before any step first.
  void add(const SnakeState& state);
  /// The frames so far, at most `most_frames` of them.
  std::vector<EvolutionFrame> frames() const;

 private:
  void keep(const EvolutionFrame& frame);
  void end_curves();

  std::vector<EvolutionFrame> kept_;
  EvolutionFrame last_;
  std::int64_t count_ = 0;
  std::int64_t stride_ = 1;  ///< One moment of so many is kept.
  EvolutionFrame round_;     ///< Of curves, in the making.
  std::int64_t before_ = 0;  ///< Steps of the runs before this one.
  std::size_t next_ = 0;     ///< A state of a curve before this one begins another round.
};

/// An array of JSON, points in pixels: [{"step": …, "curves": [{"closed": true, "points": [[x, y],
/// …]}, …]}, …].
std::string evolution_as_json(std::span<const EvolutionFrame> frames, const Control& control = {});

}  // namespace meander
