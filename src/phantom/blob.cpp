// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/blob.hpp"

#include <algorithm>
#include <cmath>

#include "phantom/noise/elementary.hpp"

namespace meander::phantoms {

double reach_of(std::int64_t pitch, double gap) {
  return std::min(usual_reach, 0.5 - 0.5 * gap / static_cast<double>(pitch));
}

Blob::Blob(UniformSequence& uniforms, double reach) {
  radius = (0.24 + 0.12 * uniforms.next()) * (reach / usual_reach);
  for (int h = 0; h < 2; ++h) {
    wobble[h] = (h == 0 ? 0.12 : 0.06) * uniforms.next();
    phase[h] = uniforms.next();
  }
  const double room = reach - radius * (1 + wobble[0] + wobble[1]);
  for (double& s : shift) s = room * (2 * uniforms.next() - 1);
}

double Blob::radius_at(double turns) const {
  double relative = 1;
  for (int h = 0; h < 2; ++h) {
    relative += wobble[h] * sine_cosine_of_turns((h + 2) * turns + phase[h]).cosine;
  }
  return radius * relative;
}

Polygon Blob::outline(double x, double y, double pitch, double scale) const {
  Polygon polygon;
  for (int i = 0; i < vertices_of_blob; ++i) {
    const double turns = static_cast<double>(i) / vertices_of_blob;
    const auto [sine, cosine] = sine_cosine_of_turns(turns);
    const double r = scale * radius_at(turns);
    polygon.vertices.push_back(
        on_grid(x + pitch * (shift[0] + r * cosine), y + pitch * (shift[1] + r * sine)));
  }
  return polygon;
}

Polygon Blob::hole(double x, double y, double pitch, double scale) const {
  Polygon polygon;
  for (int i = vertices_of_blob; i > 0; --i) {
    const auto [sine, cosine] = sine_cosine_of_turns(static_cast<double>(i) / vertices_of_blob);
    const double r = scale * radius / 2;
    polygon.vertices.push_back(
        on_grid(x + pitch * (shift[0] + r * cosine), y + pitch * (shift[1] + r * sine)));
  }
  return polygon;
}

namespace {

/// Of the radius that a blob at rest would have, so that there is room to move.
constexpr double share_of_moving = 0.7;
constexpr double share_of_dividing = 0.5;
/// Both halves together cover 0.92 of what was there.
constexpr double share_of_half = 0.68;
constexpr double most_stretch = 1.35;
constexpr double frames_of_stretching = 6;
/// Between halves as between neighbours, in pixels.
constexpr double half_gap = 1.75;
constexpr double drift_in_cells = 0.06;
constexpr double drift_in_a_frame = 0.5;
/// Pixels a frame, along both axes together.
constexpr double least_speed = 1, most_speed = 2.4;
constexpr double most_rate = 1.0 / 12;
constexpr double most_spin = 0.01;

Blob shrunk(Blob blob, double share) {
  blob.radius *= share;
  return blob;
}

Blob half_of(const Blob& whole, UniformSequence& uniforms) {
  Blob half(uniforms, usual_reach);
  half.radius = whole.radius * share_of_half;
  return half;
}

}  // namespace

MovingBlob::MovingBlob(const Home& home, Fate fate, UniformSequence uniforms)
    : home_(home),
      fate_(fate),
      blob_(shrunk(Blob(uniforms, home.reach),
                   fate == Fate::divides ? share_of_dividing : share_of_moving)),
      halves_{half_of(blob_, uniforms), half_of(blob_, uniforms)},
      spin_(most_spin * (2 * uniforms.next() - 1)),
      axis_(uniforms.next()) {
  plan_turn(uniforms);
  plan_sway(home.reach * home.pitch - extent(), uniforms);
}

/// In the second quarter of the film, the third, or the middle third.
void MovingBlob::plan_turn(UniformSequence& uniforms) {
  const auto frames = static_cast<double>(home_.frames);
  const double u = uniforms.next();
  double turn = 0;
  if (fate_ == Fate::appears) turn = frames * (1 + u) / 4;
  if (fate_ == Fate::vanishes) turn = frames * (2 + u) / 4;
  if (fate_ == Fate::divides) turn = frames * (1 + u) / 3;
  turn_ = static_cast<std::int64_t>(turn);
}

/// Both sines of an axis together are never faster than the speed over the square root of 2.
void MovingBlob::plan_sway(double room, UniformSequence& uniforms) {
  const double speed = least_speed + (most_speed - least_speed) * uniforms.next();
  for (Sway& sway : sway_) {
    const double ratio = 1.3 + 0.7 * uniforms.next(), slower = 0.7 + 0.3 * uniforms.next();
    const double fastest = speed / (std::sqrt(2.0) * 2 * pi * room * (0.6 + 0.4 * ratio));
    sway.amplitude = room;
    sway.rate[0] = slower * std::min(most_rate, fastest);
    sway.rate[1] = ratio * sway.rate[0];
    for (double& phase : sway.phase) phase = uniforms.next();
  }
}

double MovingBlob::Sway::at(double frame) const {
  return amplitude * (0.6 * sine_cosine_of_turns(rate[0] * frame + phase[0]).sine +
                      0.4 * sine_cosine_of_turns(rate[1] * frame + phase[1]).sine);
}

double MovingBlob::first_distance() const {
  const double larger = std::max(halves_[0].largest_radius(), halves_[1].largest_radius());
  return home_.pitch * larger + half_gap;
}

double MovingBlob::extent() const {
  if (fate_ != Fate::divides) return home_.pitch * blob_.largest_radius();
  const double halves = 2 * first_distance() - half_gap + home_.pitch * drift_in_cells;
  return std::max(halves, home_.pitch * blob_.largest_radius() * most_stretch);
}

Polygon MovingBlob::turned(double x, double y, double frame) const {
  Polygon polygon;
  for (int i = 0; i < vertices_of_blob; ++i) {
    const double turns = static_cast<double>(i) / vertices_of_blob;
    const auto [sine, cosine] = sine_cosine_of_turns(turns + spin_ * frame);
    const double r = home_.pitch * blob_.radius_at(turns);
    polygon.vertices.push_back(on_grid(x + r * cosine, y + r * sine));
  }
  return polygon;
}

/// Longer along the axis and narrower across it, of the same area.
Polygon MovingBlob::stretched(double x, double y, double stretch) const {
  const auto [axis_y, axis_x] = sine_cosine_of_turns(axis_);
  Polygon polygon;
  for (int i = 0; i < vertices_of_blob; ++i) {
    const double turns = static_cast<double>(i) / vertices_of_blob;
    const auto [sine, cosine] = sine_cosine_of_turns(turns);
    const double r = home_.pitch * blob_.radius_at(turns);
    const double along = r * cosine * stretch, across = r * sine / stretch;
    polygon.vertices.push_back(
        on_grid(x + along * axis_x - across * axis_y, y + along * axis_y + across * axis_x));
  }
  return polygon;
}

std::vector<Polygon> MovingBlob::parted(double x, double y, double frame) const {
  const auto [axis_y, axis_x] = sine_cosine_of_turns(axis_);
  const double drift = std::min(home_.pitch * drift_in_cells,
                                drift_in_a_frame * (frame - static_cast<double>(turn_)));
  const double distance = first_distance() + drift;
  std::vector<Polygon> both;
  for (const Blob& half : halves_) {
    const double side = both.empty() ? -distance : distance;
    Blob centred = half;
    centred.shift[0] = centred.shift[1] = 0;
    both.push_back(centred.outline(x + side * axis_x, y + side * axis_y, home_.pitch, 1));
  }
  return both;
}

std::vector<Polygon> MovingBlob::outlines(std::int64_t frame) const {
  if (fate_ == Fate::appears && frame < turn_) return {};
  if (fate_ == Fate::vanishes && frame >= turn_) return {};
  const auto time = static_cast<double>(frame);
  const double x = home_.x + sway_[0].at(time), y = home_.y + sway_[1].at(time);
  if (fate_ != Fate::divides) return {turned(x, y, time)};
  if (is_divided(frame)) return parted(x, y, time);
  const double left = static_cast<double>(turn_) - time;  // at least 1
  const double stretching = std::max(0.0, 1 - (left - 1) / frames_of_stretching);
  return {stretched(x, y, 1 + (most_stretch - 1) * stretching)};
}

}  // namespace meander::phantoms
