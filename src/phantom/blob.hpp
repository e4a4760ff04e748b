// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

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

/// What becomes of a blob of a film.
enum class Fate : std::uint8_t { stays, appears, vanishes, divides };

/// Where a blob of a film lives.
struct Home {
  double x, y;  ///< Middle of its cell, in pixels.
  double pitch;
  double reach;  ///< In cells, see reach_of.
  std::int64_t frames;
};

/// A blob of a film and, when it divides, its two halves. All stay in its cell in every frame.
class MovingBlob {
 public:
  MovingBlob(const Home& home, Fate fate, UniformSequence uniforms);

  /// None before it appears and after it has gone, otherwise its outline, or those of its halves.
  std::vector<Polygon> outlines(std::int64_t frame) const;
  bool is_divided(std::int64_t frame) const { return fate_ == Fate::divides && frame >= turn_; }

 private:
  /// A sum of two sines of time, in pixels.
  struct Sway {
    double amplitude;
    double rate[2], phase[2];  // in turns
    double at(double frame) const;
  };

  void plan_turn(UniformSequence& uniforms);
  void plan_sway(double room, UniformSequence& uniforms);
  /// How far it may reach from where it is: itself, stretched, or its halves at their furthest.
  double extent() const;
  /// How far from its centre those of the halves are when they part.
  double first_distance() const;
  Polygon turned(double x, double y, double frame) const;
  Polygon stretched(double x, double y, double stretch) const;
  std::vector<Polygon> parted(double x, double y, double frame) const;

  Home home_;
  Fate fate_;
  Blob blob_, halves_[2];
  double spin_;            ///< Turns a frame.
  double axis_;            ///< Along which it divides, in turns.
  std::int64_t turn_ = 0;  ///< The frame from which on all is different.
  Sway sway_[2];           ///< Along x and y.
};

}  // namespace meander::phantoms
