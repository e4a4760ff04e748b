// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <optional>

#include "contour/geometry/polyline.hpp"
#include "engine/backend.hpp"
#include "meander/edge.hpp"

namespace meander::contour {

/// Curves on their way through a field of forces. They go in rounds of a few steps, all that still
/// move in one batch; between rounds each gets its points even again, loses small loops and is
/// looked at. Steps begin long and are halved whenever a curve makes no more way with them.
class EdgeMotion {
 public:
  /// All of them outlive it.
  EdgeMotion(engine::Backend& backend, const engine::View& force, const SnakeOptions& options,
             const OnSnakeState& on_state, const Control& control);

  std::vector<EdgeOutline> run(const std::vector<Curve>& starts);

 private:
  /// What says whether a curve has gone anywhere.
  struct Rest {
    double area = 0, x = 0, y = 0;  ///< The place is the middle of its area.
  };
  struct Track {
    Polyline line;
    Polyline before;  ///< Before the round.
    double step = 0;
    double move = 0;  ///< In the last round.
    std::int64_t steps = 0, loops = 0;
    bool is_moving = true;
    SnakeEnd end = SnakeEnd::settled;
    std::vector<Rest> rests;  ///< After the last rounds of the shortest steps.
    Polyline long_before;     ///< Where it was when `path` was last 0.
    double path = 0;          ///< Sum of moves since then, and of how many rounds.
    std::size_t rounds = 0;
  };

  void round(std::vector<Track>& tracks, std::int64_t steps);
  void look_at(Track& track);
  void settle(Track& track) const;
  static Rest rest_of(const Polyline& line);
  bool is_still(const Track& track) const;
  static void calm(Track& track);
  bool has_vanished(const Polyline& line) const;
  bool make_simple(Track& track) const;
  void make_even(Track& track) const;
  void tell(const std::vector<Track>& tracks) const;
  void keep_inside(Polyline& line) const;
  static void finish(Track& track, SnakeEnd end);

  engine::Backend& backend_;
  const engine::View& force_;
  const SnakeOptions& options_;
  const OnSnakeState& on_state_;
  const Control& control_;
};

/// Takes out points until the line, on the grid of files, does not touch itself: of the two parts
/// between the places where it does, the one with fewer points goes; of an open line the one
/// between them. Returns how many parts went. Nothing when one held more than a quarter of the
/// points, or fewer than `least` would be left: then it is no small loop but another curve.
std::optional<std::int64_t> cut_loops(Polyline& line, std::int64_t least);

}  // namespace meander::contour
