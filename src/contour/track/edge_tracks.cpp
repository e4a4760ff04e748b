// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>

#include "contour/edge/check.hpp"
#include "contour/find_check.hpp"
#include "contour/geometry/pixel_set.hpp"
#include "core/control_part.hpp"
#include "meander/track.hpp"

namespace meander {
namespace {

/// Edges that move farther from frame to frame leave little of the last flow to begin from: up to
/// half a pixel it saves one cycle of three or four, and from some pixels on it costs one.
constexpr double farthest_step = 2;

void set_curve(TrackedObject& object, const EdgeOutline& outline) {
  object.curve = outline.curve;
  object.holes.clear();
  object.area = outline.area;
  object.perimeter = outline.length;
  const Point centre = contour::centroid_of(outline.curve);
  object.x = centre.x;
  object.y = centre.y;
}

/// A curve of the last frame, or of the one where it was on edges last.
struct FollowedCurve {
  std::int64_t id = 0;
  Curve curve;
  std::optional<Point> centre;  ///< None before the first frame.
  Point step;
  std::int64_t missed = 0;  ///< Frames in which it was not there since.

  /// Where it is expected. Ends of open curves may lie on the border, which they must not leave.
  Curve expected(const Shape& image) const {
    if (curve.is_open || !centre) return curve;
    const auto steps = static_cast<double>(missed + 1);
    const Point way{steps * step.x, steps * step.y};
    const double x = centre->x + way.x, y = centre->y + way.y;
    const bool stays = x >= 0 && y >= 0 && x <= static_cast<double>(image.x - 1) &&
                       y <= static_cast<double>(image.y - 1);
    return stays ? Curve{contour::moved(curve.points, way.x, way.y)} : curve;
  }
};

}  // namespace

struct EdgeTracker::State {
  EdgeOptions options;
  std::int64_t gap = 0;
  std::vector<FollowedCurve> curves;
  Field field;  ///< The flow of the last frame.
  std::int64_t frames = 0;
  bool are_rough = false;  ///< The starts of the first frame.
  EdgeResult result;

  void move(const Image& image, std::vector<Curve> starts, const Control& control) {
    EdgeInputs inputs{
        .starts = std::move(starts), .are_rough = are_rough && frames == 0, .keep_field = true};
    const Image& before = field.components();
    const bool fits = !before.empty() && before.shape() == image.shape();
    if (fits && has_moved_little()) inputs.flow_start = field;
    // Curves of a frame before may have become shorter than given ones have to be.
    result = frames == 0 ? segment_edges(image, options, inputs, control)
                         : contour::edges_from(image, options, inputs, control);
    field = std::exchange(result.stages.field, Field());
  }

  bool has_moved_little() const {
    return std::all_of(curves.begin(), curves.end(), [](const FollowedCurve& curve) {
      return curve.step.x * curve.step.x + curve.step.y * curve.step.y <=
             farthest_step * farthest_step;
    });
  }

  TrackedObject object_of(const FollowedCurve& before, const EdgeOutline& outline) const {
    TrackedObject object{.id = before.id};
    set_curve(object, outline);
    if (!before.centre) return object;
    object.event = before.missed > 0 ? TrackEvent::returned : TrackEvent::continued;
    if (before.missed > 0) return object;
    object.dx = object.x - before.centre->x;
    object.dy = object.y - before.centre->y;
    return object;
  }

  TrackFrame follow();
};

TrackFrame EdgeTracker::State::follow() {
  TrackFrame frame{.frame = frames++, .flow = result.figures.flow};
  std::vector<FollowedCurve> now;
  for (std::size_t i = 0; i < result.outlines.size(); ++i) {
    const FollowedCurve& before = curves[i];
    if (has_lost_edges(result.outlines[i])) {
      if (before.centre && before.missed == 0) frame.vanished.push_back(before.id);
      if (before.centre && before.missed < gap) {
        now.push_back(before);
        ++now.back().missed;
      }
      continue;
    }
    frame.objects.push_back(object_of(before, result.outlines[i]));
    const TrackedObject& object = frame.objects.back();
    const Point step = object.dx ? Point{*object.dx, *object.dy} : before.step;
    now.push_back({object.id, object.curve, Point{object.x, object.y}, step});
  }
  curves = std::move(now);
  return frame;
}

EdgeTracker::EdgeTracker(const EdgeOptions& options, std::vector<Curve> starts, bool are_rough,
                         std::int64_t gap)
    : state_(std::make_unique<State>()) {
  validate(options);
  contour::check_gap(gap);
  state_->options = options;
  state_->are_rough = are_rough;
  state_->gap = gap;
  for (Curve& start : starts) {
    const auto id = static_cast<std::int64_t>(state_->curves.size()) + 1;
    state_->curves.push_back({.id = id, .curve = std::move(start)});
  }
}
EdgeTracker::EdgeTracker(EdgeTracker&&) noexcept = default;
EdgeTracker& EdgeTracker::operator=(EdgeTracker&&) noexcept = default;
EdgeTracker::~EdgeTracker() = default;

const EdgeResult& EdgeTracker::result() const { return state_->result; }

TrackFrame EdgeTracker::next(const Image& image, const Control& control) {
  std::vector<Curve> starts;
  for (const FollowedCurve& curve : state_->curves) starts.push_back(curve.expected(image.shape()));
  if (starts.empty() && state_->frames > 0) {  // without starts it would look for an object
    state_->result = {};
    tell_end(control);
    return {.frame = state_->frames++};
  }
  state_->move(image, std::move(starts), control);
  if (state_->curves.empty()) state_->curves.push_back({.id = 1});
  TrackFrame frame = state_->follow();
  tell_end(control);
  return frame;
}

TrackFrame EdgeTracker::refine(const Image& image, TrackFrame regions, const Control& control) {
  State& state = *state_;
  ++state.frames;
  state.result = {};
  if (regions.objects.empty()) {
    tell_end(control);
    return regions;
  }
  std::vector<Curve> starts;
  for (const TrackedObject& object : regions.objects) starts.push_back(object.curve);
  state.move(image, std::move(starts), control);
  regions.flow = state.result.figures.flow;
  std::vector<FollowedCurve> now;
  for (std::size_t i = 0; i < regions.objects.size(); ++i) {
    TrackedObject& object = regions.objects[i];
    if (!has_lost_edges(state.result.outlines[i])) {
      set_curve(object, state.result.outlines[i]);
      object.splines.clear();
    }
    const auto before =
        std::find_if(state.curves.begin(), state.curves.end(),
                     [&](const FollowedCurve& curve) { return curve.id == object.id; });
    if (before != state.curves.end() && object.dx) {
      object.dx = object.x - before->centre->x;
      object.dy = object.y - before->centre->y;
    }
    const Point step = object.dx ? Point{*object.dx, *object.dy} : Point{};
    now.push_back({object.id, object.curve, Point{object.x, object.y}, step});
  }
  state.curves = std::move(now);
  tell_end(control);
  return regions;
}

}  // namespace meander
