// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <set>
#include <utility>

#include "contour/find_check.hpp"
#include "core/control_part.hpp"
#include "core/message.hpp"
#include "meander/track.hpp"

namespace meander {
namespace {

/// One frame after the other in one direction, by the models in use.
class Follower {
 public:
  Follower(const FindOptions& options, std::int64_t gap, const TrackInputs& inputs,
           TrackDirection direction) {
    if (options.uses_region()) regions_.emplace(options.region, inputs.regions, gap, direction);
    if (options.uses_edges()) {
      edges_.emplace(options.edge, inputs.curves, inputs.are_rough, gap);
    }
  }

  TrackFrame next(const Image& image, const Control& control) {
    if (!regions_) return edges_->next(image, control);
    TrackFrame frame = regions_->next(image, part_of(control, 0, edges_ ? 0.5 : 1));
    return edges_ ? edges_->refine(image, std::move(frame), part_of(control, 0.5, 1)) : frame;
  }

  /// Of regions: what the first frame decided for all.
  Background background() const {
    return regions_->figures().is_local ? Background::local : Background::global;
  }
  const EdgeResult* edges() const { return edges_ ? &edges_->result() : nullptr; }

 private:
  std::optional<ObjectTracker> regions_;
  std::optional<EdgeTracker> edges_;
};

/// Frames from one to another, in either direction.
struct Way {
  std::int64_t first = 0, last = 0;
  TrackDirection direction = TrackDirection::forward;
  std::vector<TrackFrame> frames;
  bool has_begun = false;

  std::optional<std::int64_t> next() const {
    const auto done = static_cast<std::int64_t>(frames.size());
    if (done > std::abs(last - first)) return {};
    return direction == TrackDirection::forward ? first + done : first - done;
  }
};

}  // namespace

struct FilmTracker::State {
  FindOptions options;
  TrackPlan plan;
  TrackInputs inputs;
  std::vector<Way> ways;  ///< One after the other.
  std::optional<Follower> follower;
  EdgeResult no_edges;

  /// Regions that are found in every frame.
  bool are_found() const { return options.uses_region() && inputs.regions.starts.empty(); }

  Way* way() {
    const auto open =
        std::find_if(ways.begin(), ways.end(), [](const Way& way) { return way.next(); });
    return open == ways.end() ? nullptr : &*open;
  }

  Follower follower_for(const Way& way) const {
    FindOptions decided = options;
    // The first way was that of the frame to begin with alone.
    if (are_found() && &way != ways.data()) decided.region.background = follower->background();
    return Follower(decided, plan.gap, inputs, way.direction);
  }
};

FilmTracker::FilmTracker(const FindOptions& options, const TrackPlan& plan, TrackInputs inputs)
    : state_(std::make_unique<State>()) {
  contour::check_find(options, !inputs.regions.starts.empty(), !inputs.curves.empty());
  contour::check_gap(plan.gap);
  if (plan.frames < 1) {
    throw InvalidArgument(message("a film of ", plan.frames, " frames, expected at least 1"));
  }
  if (plan.from < 0 || plan.from >= plan.frames) {
    throw InvalidArgument(message("the frame to begin with is ", plan.from,
                                  ", expected 0 to less than ", plan.frames));
  }
  state_->options = options;
  state_->plan = plan;
  state_->inputs = std::move(inputs);
  const Way whole{.first = 0, .last = plan.frames - 1};
  if (plan.from == 0) {
    state_->ways = {whole};
  } else if (state_->are_found()) {
    state_->ways = {{.first = plan.from, .last = plan.from}, whole};
  } else {
    state_->ways = {{.first = plan.from, .last = 0, .direction = TrackDirection::back},
                    {.first = plan.from, .last = plan.frames - 1}};
  }
}
FilmTracker::FilmTracker(FilmTracker&&) noexcept = default;
FilmTracker& FilmTracker::operator=(FilmTracker&&) noexcept = default;
FilmTracker::~FilmTracker() = default;

std::optional<std::int64_t> FilmTracker::wanted() const {
  const Way* way = state_->way();
  return way == nullptr ? std::nullopt : way->next();
}

const TrackFrame& FilmTracker::add(const Image& image, const Control& control) {
  Way* way = state_->way();
  if (way == nullptr) throw LogicError("a frame was added that is not wanted");
  if (!std::exchange(way->has_begun, true)) state_->follower = state_->follower_for(*way);
  TrackFrame frame = state_->follower->next(image, control);
  frame.frame = *way->next();
  return way->frames.emplace_back(std::move(frame));
}

std::vector<TrackFrame> FilmTracker::frames() const {
  if (wanted()) throw LogicError("the tracks were asked for while a frame is wanted");
  const std::vector<Way>& ways = state_->ways;
  if (ways.size() == 1) return ways.front().frames;
  return state_->are_found()
             ? numbered_from(ways.back().frames, static_cast<std::size_t>(state_->plan.from))
             : joined_tracks(ways.front().frames, ways.back().frames);
}

const EdgeResult& FilmTracker::edges() const {
  const EdgeResult* edges = state_->follower ? state_->follower->edges() : nullptr;
  return edges == nullptr ? state_->no_edges : *edges;
}

std::vector<std::size_t> FilmTracker::unsettled() const {
  std::vector<std::size_t> unsettled = unsettled_of(edges());
  std::erase_if(unsettled, [&](std::size_t i) { return has_lost_edges(edges().outlines[i]); });
  return unsettled;
}

std::vector<LabelledRegion> objects_of(const TrackFrame& frame) {
  std::vector<LabelledRegion> objects;
  for (const TrackedObject& object : frame.objects) {
    if (!object.curve.is_open) objects.push_back({object.id, region_of(object)});
  }
  return objects;
}

TrackCounts& TrackCounts::operator+=(const TrackCounts& b) {
  appeared += b.appeared;
  vanished += b.vanished;
  returned += b.returned;
  divided += b.divided;
  tracks += b.tracks;
  return *this;
}

TrackCounts counts_of(const TrackFrame& frame) {
  TrackCounts counts{.vanished = static_cast<std::int64_t>(frame.vanished.size())};
  std::set<std::int64_t> parents;
  for (const TrackedObject& object : frame.objects) {
    counts.appeared += object.event == TrackEvent::appeared;
    counts.returned += object.event == TrackEvent::returned;
    counts.tracks += object.event == TrackEvent::appeared || object.event == TrackEvent::divided;
    if (object.parent != 0) parents.insert(object.parent);
  }
  counts.divided = static_cast<std::int64_t>(parents.size());
  return counts;
}

}  // namespace meander
