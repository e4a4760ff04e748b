// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/track.hpp"

#include <algorithm>

#include "contour/track_match.hpp"
#include "contour/track_starts.hpp"
#include "core/message.hpp"

namespace meander {
namespace {

using contour::Place;
using contour::TrackMatches;
using contour::TrackShape;
using contour::TrackStarts;

/// Part of the progress that finding objects takes.
constexpr double finding_share = 0.4;

Control part_of(const Control& control, double from, double to) {
  if (!control.progress) return control;
  return {.stop = control.stop, .progress = [&control, from, to](double fraction) {
            control.progress(from + (to - from) * fraction);
          }};
}

/// An object of the last frame, with what is expected of it.
struct Followed {
  std::int64_t id = 0;
  Region region;
  Place centre, step;  ///< Of the last frame, and how far it went to get there.

  Region expected() const { return contour::moved(region, step.x, step.y); }
};

/// An object of the last frame, by its index; none of what appears.
using Origin = std::optional<std::size_t>;

std::vector<TrackShape> shapes_of(const std::vector<Region>& regions, const Shape& image) {
  std::vector<TrackShape> shapes;
  for (const Region& region : regions) shapes.emplace_back(region, image);
  return shapes;
}

TrackedObject object_of(Outline outline) {
  TrackedObject object;
  object.area = outline.area;
  object.perimeter = outline.perimeter;
  object.curve.points = std::move(outline.polygon.vertices);
  object.holes = std::move(outline.holes);
  const Place centre = contour::centroid_of(region_of(object));
  object.x = centre.x;
  object.y = centre.y;
  return object;
}

/// Where the objects of a frame begin.
class Beginnings {
 public:
  Beginnings(const Shape& image, const std::vector<Followed>& last, std::vector<Region> found)
      : image_(image), last_(last), found_(std::move(found)), starts_(image) {}

  /// Objects that were found come first: there the image speaks for them.
  void plan(bool may_appear, std::size_t most) {
    std::vector<Region> expected;
    for (const Followed& object : last_) expected.push_back(object.expected());
    const auto shapes = shapes_of(found_, image_);
    const TrackMatches matches = contour::match_tracks(shapes_of(expected, image_), shapes, image_);
    for (std::size_t i = 0; i < last_.size(); ++i) {
      if (matches.finding_of[i]) add_moved(i, *matches.finding_of[i], shapes);
      for (const std::size_t part : matches.parts_of[i]) add(found_[part], i);
    }
    for (std::size_t i = 0; i < last_.size(); ++i) {
      const bool has_begun = matches.finding_of[i] || !matches.parts_of[i].empty();
      if (!has_begun) add(expected[i], i);
    }
    if (!may_appear) return;
    for (const std::size_t finding : matches.unclaimed) {
      if (origins_.size() < most) add(found_[finding], {});
    }
  }

  const std::vector<Region>& starts() const { return starts_.regions(); }

  /// The object that an outline came from, by way of the start with which it shares most.
  Origin origin_of(const Outline& outline) const {
    const auto start =
        starts_.nearest(contour::pixels_of({outline.polygon, outline.holes}, image_));
    return start ? origins_[*start] : Origin();
  }

 private:
  void add(const Region& region, Origin origin, const Region* other = nullptr) {
    if (starts_.add(region, other)) origins_.push_back(origin);
  }

  void add_moved(std::size_t object, std::size_t finding, const std::vector<TrackShape>& shapes) {
    const Followed& followed = last_[object];
    const Place& to = shapes[finding].centre;
    add(contour::moved(followed.region, to.x - followed.centre.x, to.y - followed.centre.y), object,
        &found_[finding]);
  }

  const Shape image_;
  const std::vector<Followed>& last_;
  const std::vector<Region> found_;
  TrackStarts starts_;
  std::vector<Origin> origins_;
};

}  // namespace

Region region_of(const TrackedObject& object) { return {{object.curve.points}, object.holes}; }

struct ObjectTracker::State {
  ObjectOptions options;
  std::vector<Region> given;
  Shape image;
  std::vector<Followed> last;
  std::int64_t frames = 0, ids = 0;
  SegmentFigures figures;

  /// An outline of the new frame and where it came from.
  struct Heir {
    Outline outline;
    Origin origin;
  };

  void check(const Image& frame) const {
    if (frames == 0 || frame.shape() == image) return;
    throw InvalidArgument(message("a frame of ", to_string(frame.shape()), ", expected ",
                                  to_string(image), " as the first"));
  }

  std::vector<Heir> first_heirs(const Image& frame, const Control& control) {
    SegmentResult result = segment_objects(frame, options, {.starts = given}, control);
    figures = result.figures;
    // Decided once, for all frames.
    options.background = figures.is_local ? Background::local : Background::global;
    std::vector<Heir> heirs;
    for (Outline& outline : result.outlines) heirs.push_back({std::move(outline), {}});
    return heirs;
  }

  std::vector<Heir> heirs(const Image& frame, const Control& control) {
    if (frames == 0) return first_heirs(frame, control);
    Beginnings begin(frame.shape(), last,
                     find_objects(frame, options, part_of(control, 0, finding_share)));
    begin.plan(given.empty(), static_cast<std::size_t>(options.max_objects));
    std::vector<Heir> heirs;
    if (begin.starts().empty()) return heirs;  // without starts it would look for objects
    SegmentResult result = segment_objects(frame, options, {.starts = begin.starts()},
                                           part_of(control, finding_share, 1));
    figures = result.figures;
    for (Outline& outline : result.outlines) {
      const Origin origin = begin.origin_of(outline);
      if (origin || given.empty()) heirs.push_back({std::move(outline), origin});
    }
    return heirs;
  }

  /// What becomes of the objects; those with several heirs divide.
  TrackFrame frame_of(std::vector<Heir> heirs);
  void follow(const TrackFrame& frame);
};

TrackFrame ObjectTracker::State::frame_of(std::vector<Heir> heirs) {
  std::vector<std::int64_t> heirs_of(last.size(), 0);
  for (const Heir& heir : heirs) {
    if (heir.origin) ++heirs_of[*heir.origin];
  }
  TrackFrame frame{.frame = frames};
  for (Heir& heir : heirs) {
    TrackedObject object = object_of(std::move(heir.outline));
    if (heir.origin && heirs_of[*heir.origin] == 1) {
      const Followed& before = last[*heir.origin];
      object.id = before.id;
      object.event = TrackEvent::continued;
      object.dx = object.x - before.centre.x;
      object.dy = object.y - before.centre.y;
    } else {
      object.id = ++ids;
      if (heir.origin) object.event = TrackEvent::divided, object.parent = last[*heir.origin].id;
    }
    frame.objects.push_back(std::move(object));
  }
  std::sort(frame.objects.begin(), frame.objects.end(),
            [](const TrackedObject& a, const TrackedObject& b) { return a.id < b.id; });
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (heirs_of[i] == 0) frame.vanished.push_back(last[i].id);
  }
  return frame;
}

/// A part goes on as what it was a part of.
void ObjectTracker::State::follow(const TrackFrame& frame) {
  const auto step_of = [&](std::int64_t id) {
    const auto before = std::find_if(last.begin(), last.end(),
                                     [&](const Followed& object) { return object.id == id; });
    return before == last.end() ? Place{} : before->step;
  };
  std::vector<Followed> now;
  for (const TrackedObject& object : frame.objects) {
    const Place step = object.dx ? Place{*object.dx, *object.dy} : step_of(object.parent);
    now.push_back({object.id, region_of(object), {object.x, object.y}, step});
  }
  last = std::move(now);
  ++frames;
}

ObjectTracker::ObjectTracker(const ObjectOptions& options, std::vector<Region> starts)
    : state_(std::make_unique<State>()) {
  validate(options);
  state_->options = options;
  state_->given = std::move(starts);
}
ObjectTracker::ObjectTracker(ObjectTracker&&) noexcept = default;
ObjectTracker& ObjectTracker::operator=(ObjectTracker&&) noexcept = default;
ObjectTracker::~ObjectTracker() = default;

const SegmentFigures& ObjectTracker::figures() const { return state_->figures; }

TrackFrame ObjectTracker::next(const Image& image, const Control& control) {
  state_->check(image);
  TrackFrame frame = state_->frame_of(state_->heirs(image, control));
  state_->image = image.shape();
  state_->follow(frame);
  return frame;
}

}  // namespace meander
