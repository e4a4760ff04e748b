// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>

#include "contour/likelihood/criterion.hpp"
#include "contour/likelihood/sums.hpp"
#include "meander/image.hpp"
#include "meander/outline.hpp"

/// Starts by hand, of which nobody knows how far they are to grow.
namespace meander::contour {

/// Whether an outline has more pixels outside of its start than the start has: it may have run away
/// through something that looks like the object.
bool has_run_away(const Region& outline, const Region& start, const Shape& image);

/// What an outline stays in that may not go far from its start.
struct Confinement {
  Region start;
  std::int64_t blocks = 1, block = 1;  ///< See zone_around.
  Polygon zone;

  bool is_at_start() const { return blocks == 1 && block == 1; }
};
/// Of step 0: a pixel around the start; each next one is larger by half. None where it would be as
/// large as the image.
std::optional<Confinement> confinement(const Region& start, int step, const Shape& image);

/// What the curve in the place of an outline stays in.
Confinement curve_confinement(const Region& outline, const Shape& image);

/// What an outline that is confined says about one that is not, both from the same start.
enum class Confined : std::uint8_t {
  held,     ///< It lies on its confinement for the most part: it would grow.
  on_way,   ///< The other one has passed here and has only grown.
  left_off  ///< The other one has left it behind, an object of its own: it has run away.
};
Confined judged(const Region& outline, const Region& unconfined, const Confinement& within,
                const SumLevels& image, const Criterion& criterion);
/// Whether the other one does not reach the confinement.
bool is_within(const Region& unconfined, const Confinement& within, const Shape& image);

}  // namespace meander::contour
