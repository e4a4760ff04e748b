// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cmath>
#include <cstdint>

/// What CUDA and OpenCL share of steps that are taken several in a pass; plane.h and volume.h have
/// the text. Plain types: nvcc includes it.
namespace meander::steps {

enum class RuleIndex : int {
#define MEANDER_RULE(name, states, around, fields, parameters) name,
#include "rules/table.inc"
#undef MEANDER_RULE
};

/// Whether many steps of a rule are ever taken: what relaxes linear systems, and its residuals,
/// have no such pass, nor has float64.
constexpr bool is_fused(RuleIndex rule, bool is_float32, bool is_volume) {
  switch (rule) {
    case RuleIndex::probe_one:
    case RuleIndex::probe_four:
      return true;
    case RuleIndex::fitzhugh_nagumo:
    case RuleIndex::fitzhugh_nagumo_still:
      return is_float32;
    case RuleIndex::vector_flow_plane:
      return !is_volume;
    case RuleIndex::vector_flow_volume:
      return is_volume;
    default:
      return false;
  }
}

/// Of one pass, in a plane; in a volume fewer fit into the registers.
constexpr int most_steps = 8, most_volume_steps = 2;
constexpr int most_parameters = 8;

/// `step_numbers` in cells.h: those of the steps of one pass.
struct StepNumbers {
  int steps, border;
  float axis[3], corner, beyond;
  float parameters[most_steps][most_parameters];
};

/// Whether slices know of each other.
inline bool is_volume(const StepNumbers& n) { return n.axis[2] != 0; }
/// Whether every neighbour counts once and there are no corners: then nothing is multiplied.
inline bool is_unit(const StepNumbers& n) {
  return n.axis[0] == 1 && n.axis[1] == 1 && (!is_volume(n) || n.axis[2] == 1) && n.corner == 0;
}

/// Steps are taken in `count` passes, as even as can be and at most `most` in each; there are an
/// odd number of them for an odd number of steps, because every pass goes from one image to the
/// other.
struct Passes {
  Passes(std::int64_t all, std::int64_t most) : steps(all), count((all + most - 1) / most) {
    if ((count - steps) % 2 != 0) ++count;
  }
  /// Those before a pass.
  std::int64_t before(std::int64_t pass) const {
    const std::int64_t each = steps / count, more = steps % count;
    return pass * each + (pass < more ? pass : more);
  }
  std::int64_t steps, count;
};

/// A column of tiles of a volume: `lanes` runs of so many columns wide, `strips` rows high, cut
/// into blocks of `slices`. The outer cells of a tile are its neighbours'.
struct Column {
  int lanes, strips, slices, margin_x, margin_y;
};

inline int parts(int length, int part) { return (length + part - 1) / part; }
inline int whole(int length, int part) { return parts(length, part) * part; }

/// Those of at most so many threads that take the fewest turns of the whole device, on which so
/// many blocks run at once.
inline Column column_of(int width, int height, int depth, int steps, int columns, int threads,
                        int at_once) {
  Column best{};
  double least = 1e300;
  const int margin = whole(steps, columns), most_lanes = threads / (2 * steps + 1);
  const auto look_at = [&](int across) {
    const int wide = whole(parts(width, across), columns);
    const int lanes = (wide + 2 * margin) / columns;
    if (lanes > most_lanes) return;
    const int down = parts(height, threads / lanes - 2 * steps);
    const int strips = parts(height, down) + 2 * steps;
    const double tiles = static_cast<double>(parts(width, wide)) * down;
    for (const int cuts : {1, 2, 3, 4, 6, 8}) {
      const int slices = parts(depth, cuts);
      const double turns =
          std::ceil(tiles * parts(depth, slices) / at_once) * (slices + 2 * steps) * lanes * strips;
      if (turns < least) {
        least = turns;
        best = {lanes, strips, slices, margin, steps};
      }
    }
  };
  for (int across = 1; across <= width; across *= 2) {
    look_at(across);
    look_at(across + parts(across, 2));
  }
  return best;
}

}  // namespace meander::steps
