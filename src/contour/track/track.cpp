// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/track.hpp"

#include <algorithm>
#include <set>

#include "contour/find_check.hpp"
#include "contour/track/match.hpp"
#include "contour/track/track_starts.hpp"
#include "core/control_part.hpp"
#include "core/message.hpp"

namespace meander {
namespace {

using contour::TrackMatches;
using contour::TrackShape;
using contour::TrackStarts;

/// Part of the progress that finding objects takes.
constexpr double finding_share = 0.9;

/// An object of the last frame, or of the one where it was seen last, with what is expected of it.
struct Followed {
  std::int64_t id = 0;
  Region region;
  Point centre, step;       ///< Of that frame, and how far it went to get there.
  std::int64_t missed = 0;  ///< Frames in which it was not there since.
  std::int64_t whole = 0;   ///< What it joined into on the way back, while it may part again.

  Region expected() const {
    const auto steps = static_cast<double>(missed + 1);
    return contour::moved(region, steps * step.x, steps * step.y);
  }
};

std::vector<TrackShape> shapes_of(const std::vector<Region>& regions, const Shape& image) {
  std::vector<TrackShape> shapes;
  for (const Region& region : regions) shapes.emplace_back(region, image);
  return shapes;
}

template <class T>
std::vector<T> picked(const std::vector<T>& all, const std::vector<std::size_t>& indices) {
  std::vector<T> some;
  for (const std::size_t index : indices) some.push_back(all[index]);
  return some;
}

TrackedObject object_of(Outline outline) {
  TrackedObject object;
  object.area = outline.area;
  object.perimeter = outline.perimeter;
  object.curve.points = std::move(outline.polygon.vertices);
  object.holes = std::move(outline.holes);
  object.splines = std::move(outline.splines);
  const Point centre = contour::centroid_of(region_of(object));
  object.x = centre.x;
  object.y = centre.y;
  return object;
}

}  // namespace

Region region_of(const TrackedObject& object) { return {{object.curve.points}, object.holes}; }

struct ObjectTracker::State {
  ObjectOptions options;
  ObjectInputs given;
  std::int64_t gap = 0;
  TrackDirection direction = TrackDirection::forward;
  Shape image;
  std::vector<Followed> last;
  std::int64_t frames = 0, ids = 0;
  SegmentFigures figures;

  /// An outline of the new frame and the objects it came from, by their index: none of what
  /// appears, several only where they join on the way back.
  struct Heir {
    Outline outline;
    std::vector<std::size_t> origins;
  };

  void check(const Image& frame) const {
    if (frames == 0 || frame.shape() == image) return;
    throw InvalidArgument(message("a frame of ", to_string(frame.shape()), ", expected ",
                                  to_string(image), " as the first"));
  }

  std::vector<Heir> first_heirs(const Image& frame, const Control& control) {
    SegmentResult result = segment_objects(frame, options, given, control);
    figures = result.figures;
    // Decided once, for all frames.
    options.background = figures.is_local ? Background::local : Background::global;
    std::vector<Heir> heirs;
    for (Outline& outline : result.outlines) heirs.push_back({std::move(outline), {}});
    return heirs;
  }

  /// Outlines of the new frame as they are found there, matched with what is expected. Objects that
  /// nothing was found for, or that were found as one with others, begin where they are expected.
  std::vector<Heir> heirs(const Image& frame, const Control& control) {
    if (frames == 0) return first_heirs(frame, control);
    SegmentResult found =
        segment_objects(frame, options, {.mask = given.mask}, part_of(control, 0, finding_share));
    figures = found.figures;
    std::vector<Region> expected, regions;
    std::vector<std::size_t> unclaimed;
    for (const Outline& outline : found.outlines) {
      unclaimed.push_back(regions.size());
      regions.push_back({outline.polygon, outline.holes});
    }
    part_again(shapes_of(regions, frame.shape()));
    for (const Followed& object : last) expected.push_back(object.expected());
    std::vector<Heir> heirs;
    TrackStarts places(frame.shape());
    std::vector<std::optional<std::size_t>> heir_of(regions.size());
    const auto take = [&](std::size_t finding) -> Heir& {
      if (!heir_of[finding]) {
        heir_of[finding] = heirs.size();
        places.add(regions[finding]);
        heirs.push_back({std::move(found.outlines[finding]), {}});
      }
      return heirs[*heir_of[finding]];
    };
    const auto match =
        direction == TrackDirection::back ? contour::match_tracks_back : contour::match_tracks;
    std::vector<std::size_t> lost;
    // Those of the last frame come first: what has been away takes nothing from them.
    for (const bool is_away : {false, true}) {
      std::vector<std::size_t> objects;
      for (std::size_t i = 0; i < last.size(); ++i) {
        if (last[i].whole == 0 && (last[i].missed > 0) == is_away) objects.push_back(i);
      }
      if (objects.empty()) continue;
      const TrackMatches matches =
          match(shapes_of(picked(expected, objects), frame.shape()),
                shapes_of(picked(regions, unclaimed), frame.shape()), frame.shape());
      for (std::size_t i = 0; i < objects.size(); ++i) {
        const auto& finding = matches.finding_of[i];
        if (finding) take(unclaimed[*finding]).origins.push_back(objects[i]);
        for (const std::size_t part : matches.parts_of[i]) {
          take(unclaimed[part]).origins.push_back(objects[i]);
        }
        const bool is_lost = !finding && matches.parts_of[i].empty();
        if (is_lost && !is_away) lost.push_back(objects[i]);
      }
      unclaimed = picked(unclaimed, matches.unclaimed);
    }
    const auto most = static_cast<std::size_t>(options.max_objects);
    for (const std::size_t finding : unclaimed) {
      if (given.starts.empty() && heirs.size() < most) take(finding);
    }
    look_for(lost, expected, frame, places, heirs, part_of(control, finding_share, 1));
    return heirs;
  }

  /// What became one on the way back and falls apart within the gap had touched only: its parts are
  /// expected in its place.
  void part_again(const std::vector<TrackShape>& found) {
    std::set<std::int64_t> wholes;
    for (const Followed& part : last) wholes.insert(part.whole);
    std::erase_if(last, [&](const Followed& object) {
      if (!wholes.contains(object.id)) return false;
      const std::vector<TrackShape> whole = shapes_of({object.expected()}, image);
      const bool parts = !contour::match_tracks(whole, found, image).parts_of.front().empty();
      if (!parts) wholes.erase(object.id);
      return parts;
    });
    for (Followed& part : last) {
      if (wholes.contains(part.whole)) part.whole = 0;
    }
  }

  /// Where objects are expected, off those that have their place.
  void look_for(const std::vector<std::size_t>& lost, const std::vector<Region>& expected,
                const Image& frame, TrackStarts& places, std::vector<Heir>& heirs,
                const Control& control) const {
    const std::size_t known = places.regions().size();
    std::vector<std::size_t> origins;
    for (const std::size_t i : lost) {
      if (places.add(expected[i])) origins.push_back(i);
    }
    if (origins.empty()) return;
    const std::vector<Region> starts(places.regions().begin() + static_cast<std::ptrdiff_t>(known),
                                     places.regions().end());
    const SegmentResult result = segment_objects(
        frame, options, {.starts = starts, .has_shapes = true, .mask = given.mask}, control);
    const auto pixels_of = [&](const Outline& outline) {
      return contour::pixels_of({outline.polygon, outline.holes}, frame.shape());
    };
    std::vector<contour::PixelSet> taken;
    for (const Heir& heir : heirs) taken.push_back(pixels_of(heir.outline));
    for (const Outline& outline : result.outlines) {
      const contour::PixelSet pixels = pixels_of(outline);
      const bool is_free = std::none_of(
          taken.begin(), taken.end(),
          [&](const contour::PixelSet& other) { return contour::count_common(pixels, other) > 0; });
      const auto start = static_cast<std::size_t>(outline.id - 1);
      if (is_free && start < origins.size()) heirs.push_back({outline, {origins[start]}});
    }
  }

  /// What becomes of the objects; those with several heirs divide.
  TrackFrame frame_of(std::vector<Heir> heirs);
  void follow(const TrackFrame& frame);
};

TrackFrame ObjectTracker::State::frame_of(std::vector<Heir> heirs) {
  std::vector<std::int64_t> heirs_of(last.size(), 0);
  for (const Heir& heir : heirs) {
    for (const std::size_t origin : heir.origins) ++heirs_of[origin];
  }
  TrackFrame frame{.frame = frames};
  for (Heir& heir : heirs) {
    TrackedObject object = object_of(std::move(heir.outline));
    const std::vector<std::size_t>& origins = heir.origins;
    if (origins.size() == 1 && heirs_of[origins.front()] == 1) {
      const Followed& before = last[origins.front()];
      object.id = before.id;
      object.event = before.missed > 0 ? TrackEvent::returned : TrackEvent::continued;
      if (before.missed == 0) {
        object.dx = object.x - before.centre.x;
        object.dy = object.y - before.centre.y;
      }
    } else {
      object.id = ++ids;
      if (origins.size() == 1) {
        object.event = TrackEvent::divided;
        object.parent = last[origins.front()].id;
      }
      for (const std::size_t part : origins) {
        if (origins.size() > 1) frame.joined.push_back({last[part].id, object.id});
      }
    }
    frame.objects.push_back(std::move(object));
  }
  std::sort(frame.objects.begin(), frame.objects.end(),
            [](const TrackedObject& a, const TrackedObject& b) { return a.id < b.id; });
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (heirs_of[i] == 0 && last[i].missed == 0) frame.vanished.push_back(last[i].id);
  }
  return frame;
}

/// A part goes on as what it was a part of, and what has returned as it went before.
void ObjectTracker::State::follow(const TrackFrame& frame) {
  const auto step_of = [&](std::int64_t id) {
    const auto before = std::find_if(last.begin(), last.end(),
                                     [&](const Followed& object) { return object.id == id; });
    return before == last.end() ? Point{} : before->step;
  };
  std::vector<Followed> now;
  for (const TrackedObject& object : frame.objects) {
    const bool is_part = object.event == TrackEvent::divided;
    const Point step =
        object.dx ? Point{*object.dx, *object.dy} : step_of(is_part ? object.parent : object.id);
    now.push_back({object.id, region_of(object), {object.x, object.y}, step});
  }
  for (Followed& object : last) {
    const bool is_here =
        std::any_of(frame.objects.begin(), frame.objects.end(), [&](const TrackedObject& other) {
          return other.id == object.id || other.parent == object.id;
        });
    for (const TrackPart& join : frame.joined) {
      if (join.part == object.id) object.whole = join.whole;
    }
    if (!is_here && ++object.missed <= gap) now.push_back(std::move(object));
  }
  last = std::move(now);
  ++frames;
}

ObjectTracker::ObjectTracker(const ObjectOptions& options, ObjectInputs inputs, std::int64_t gap,
                             TrackDirection direction)
    : state_(std::make_unique<State>()) {
  validate(options);
  contour::check_gap(gap);
  state_->options = options;
  state_->given = std::move(inputs);
  state_->gap = gap;
  state_->direction = direction;
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
  tell_end(control);
  return frame;
}

}  // namespace meander
