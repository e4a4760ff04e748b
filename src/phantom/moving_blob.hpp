// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

#include "phantom/blob.hpp"

namespace meander::phantoms {

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
