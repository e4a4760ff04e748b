// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

#include "meander/outline.hpp"
#include "phantom/noise/philox.hpp"

namespace meander::phantoms {

inline constexpr int vertices_of_blob = 48;

/// How far a blob may reach from the middle of its cell, in cells: neighbours cannot touch.
inline constexpr double usual_reach = 0.48;

/// The same for cells of a size that may be small: neighbours are at least `gap` pixels apart.
double reach_of(std::int64_t pitch, double gap);

/// A wobbly disc in a cell; lengths in cells. Radius times wobble plus shift stays below the reach.
struct Blob {
  double radius;
  double wobble[2], phase[2];  // of the second and the third harmonic
  double shift[3];

  Blob(UniformSequence& uniforms, double reach);

  /// `turns` from the x axis towards the y axis.
  double radius_at(double turns) const;
  double largest_radius() const { return radius * (1 + wobble[0] + wobble[1]); }

  /// About (x, y) in pixels; `scale` shrinks it in slices beside the centre.
  Polygon outline(double x, double y, double pitch, double scale) const;
  /// A circle of half the radius about the same point, reversed.
  Polygon hole(double x, double y, double pitch, double scale) const;
};

}  // namespace meander::phantoms
