// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/edge/motion.hpp"

#include <algorithm>
#include <cmath>

#include "contour/edge/solve.hpp"

namespace meander::contour {
namespace {

/// An even number: a point that jumps to and fro over an edge is back where it was.
constexpr std::int64_t steps_in_round = 8;
/// Between two pixels a unit force turns round by at most 2 a pixel, so steps of less than a pixel
/// come to rest on an edge, and these come there soon.
constexpr double shortest_step = 0.25;
/// A curve makes way while a point goes at least this part of what a force of 1 would move it.
constexpr double part_of_way = 0.25;
constexpr std::int64_t fewest_points = 8;
/// Area and middle must have stayed as they are for so long.
constexpr std::size_t rounds_of_rest = 32;

double area_of(const Polyline& line) { return line.is_open ? 0 : line.area(); }

/// So that all open curves have the points that the grid of a ring needs.
std::int64_t fewest(const Polyline& line) { return line.is_open ? 3 : fewest_points; }

}  // namespace

EdgeMotion::EdgeMotion(engine::Backend& backend, const engine::View& force,
                       const SnakeOptions& options, const OnSnakeState& on_state,
                       const Control& control)
    : backend_(backend), force_(force), options_(options), on_state_(on_state), control_(control) {}

void EdgeMotion::finish(Track& track, SnakeEnd end) {
  track.is_moving = false;
  track.end = end;
}

void EdgeMotion::keep_inside(Polyline& line) const {
  for (Point& p : line.points) {
    p.x = std::clamp(p.x, -0.5, static_cast<double>(force_.shape.x) - 0.5);
    p.y = std::clamp(p.y, -0.5, static_cast<double>(force_.shape.y) - 0.5);
  }
}

void EdgeMotion::round(std::vector<Track>& tracks, std::int64_t steps) {
  EdgeBatch batch(options_);
  for (Track& track : tracks) {
    if (!track.is_moving) continue;
    track.before = track.line;
    batch.add(track.line, track.step);
  }
  batch.move(backend_, force_, steps);
  for (Track& track : tracks) {
    if (!track.is_moving) continue;
    track.steps += steps;
    look_at(track);
  }
}

/// Points at equal distances again, as many as before unless their distances have become too large
/// or too small. Those that slid along the curve slide back: what turns in itself is at rest.
void EdgeMotion::make_even(Track& track) const {
  const auto least = static_cast<std::size_t>(fewest(track.line));
  const std::size_t count = track.line.points.size();
  const std::size_t wanted = count_for(track.line, options_.point_spacing, least);
  if (4 * wanted > 5 * count || 5 * wanted < 4 * count || count != track.before.points.size()) {
    track.line = resampled(track.line, wanted);
  } else {
    const double slide = track.line.is_open ? 0 : mean_slide(track.before, track.line);
    track.line = resampled(track.line, count, -slide);
  }
}

/// Even points and no loops; false when that cannot be had.
bool EdgeMotion::make_simple(Track& track) const {
  make_even(track);
  const auto loops = cut_loops(track.line, fewest(track.line));
  if (!loops) return false;
  if (*loops == 0) return true;
  make_even(track);
  // The chords of new points may touch where the line nearly did.
  const auto more = cut_loops(track.line, fewest(track.line));
  track.loops += *loops + more.value_or(0);
  return more.has_value();
}

bool EdgeMotion::has_vanished(const Polyline& line) const {
  const double spacing = options_.point_spacing;
  if (line.is_open) return line.length() < 2 * spacing;
  return line.area() < spacing * spacing || line.length() < fewest_points * spacing / 2;
}

void EdgeMotion::look_at(Track& track) {
  keep_inside(track.line);
  if (has_vanished(track.line)) {
    track.line = track.before;
    return finish(track, SnakeEnd::vanished);
  }
  if (!make_simple(track)) {
    track.line = track.before;
    if (track.step / 2 < shortest_step / 4) return finish(track, SnakeEnd::crossed);
    track.step /= 2;
    return;
  }
  track.move = largest_move(track.before, track.line);
  if (static_cast<std::int64_t>(track.line.points.size()) > options_.max_points) {
    return finish(track, SnakeEnd::points);
  }
  settle(track);
}

void EdgeMotion::settle(Track& track) const {
  const double way = part_of_way * static_cast<double>(steps_in_round) * track.step;
  if (track.step > shortest_step) {
    if (track.move < way) track.step = std::max(track.step / 2, shortest_step);
    return;
  }
  track.rests.push_back(rest_of(track.line));
  if (track.rests.size() > rounds_of_rest) track.rests.erase(track.rests.begin());
  if (track.move < options_.settled || is_still(track)) return finish(track, SnakeEnd::settled);
  calm(track);
}

/// Where edges pull to different sides a unit force turns round at once, and points go to and fro
/// for ever. A curve that after many rounds is about where it was goes on by shorter steps: what
/// makes way keeps its pace, what flutters comes to rest.
void EdgeMotion::calm(Track& track) {
  if (track.rounds == 0) track.long_before = track.before;
  track.path += track.move;
  if (++track.rounds < rounds_of_rest) return;
  if (largest_move(track.long_before, track.line) < part_of_way * track.path) track.step /= 2;
  track.path = 0, track.rounds = 0;
}

/// Points that flutter between two ways to lie do not keep a curve from its rest.
bool EdgeMotion::is_still(const Track& track) const {
  if (track.rests.size() < rounds_of_rest || track.line.is_open) return false;
  const auto range_of = [&](double Rest::*number) {
    const auto [least, most] =
        std::minmax_element(track.rests.begin(), track.rests.end(),
                            [&](const Rest& a, const Rest& b) { return a.*number < b.*number; });
    return (*most).*number - (*least).*number;
  };
  const double still = 2 * options_.settled;
  return range_of(&Rest::area) < still * track.line.length() && range_of(&Rest::x) < still &&
         range_of(&Rest::y) < still;
}

EdgeMotion::Rest EdgeMotion::rest_of(const Polyline& line) {
  if (line.is_open) return {};
  const Point middle = line.middle();
  return {.area = line.area(), .x = middle.x, .y = middle.y};
}

void EdgeMotion::tell(const std::vector<Track>& tracks) const {
  for (std::size_t i = 0; on_state_ && i < tracks.size(); ++i) {
    const Curve curve = on_grid(tracks[i].line);
    on_state_({.curve_index = i,
               .curve = curve,
               .steps = tracks[i].steps,
               .step = tracks[i].step,
               .move = tracks[i].move});
  }
}

std::vector<EdgeOutline> EdgeMotion::run(const std::vector<Curve>& starts) {
  std::vector<Track> tracks;
  for (const Curve& start : starts) {
    Track track{.line = polyline_of(start), .step = options_.step};
    keep_inside(track.line);
    const auto least = static_cast<std::size_t>(fewest(track.line));
    track.line = resampled(track.line, count_for(track.line, options_.point_spacing, least));
    tracks.push_back(std::move(track));
  }
  tell(tracks);
  std::int64_t steps = 0;
  while (std::any_of(tracks.begin(), tracks.end(), [](const Track& t) { return t.is_moving; })) {
    control_.step(static_cast<double>(steps) / static_cast<double>(options_.max_steps));
    const std::int64_t next = std::min(steps_in_round, options_.max_steps - steps);
    if (next <= 0) break;
    round(tracks, next);
    steps += next;
    tell(tracks);
  }
  std::vector<EdgeOutline> outlines;
  for (Track& track : tracks) {
    if (track.is_moving) finish(track, SnakeEnd::steps);
    if (track.end == SnakeEnd::vanished) track.line.points.clear();
    outlines.push_back({.curve = on_grid(track.line),
                        .area = area_of(track.line),
                        .length = track.line.length(),
                        .end = track.end,
                        .steps = track.steps,
                        .last_move = track.move,
                        .loops = track.loops});
  }
  control_.step(1);
  return outlines;
}

}  // namespace meander::contour
