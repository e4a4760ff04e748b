// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <iterator>
#include <map>

#include "meander/track.hpp"

namespace meander {
namespace {

std::int64_t largest_id(const std::vector<TrackFrame>& frames) {
  std::int64_t largest = 0;
  for (const TrackFrame& frame : frames) {
    for (const TrackedObject& object : frame.objects) largest = std::max(largest, object.id);
  }
  return largest;
}

/// Events, steps and what vanished of the first frames, from where their objects are.
void tell_in_time(std::vector<TrackFrame>& frames, std::size_t count) {
  std::map<std::int64_t, std::size_t> last_seen;
  for (std::size_t t = 0; t < count; ++t) {
    std::map<std::int64_t, const TrackedObject*> before;
    if (t > 0) {
      for (const TrackedObject& object : frames[t - 1].objects) before[object.id] = &object;
    }
    for (TrackedObject& object : frames[t].objects) {
      const bool is_new = last_seen.count(object.id) == 0;
      last_seen[object.id] = t;
      object.parent = 0;
      object.dx.reset();
      object.dy.reset();
      object.event = is_new ? TrackEvent::appeared : TrackEvent::returned;
      const auto known = before.find(object.id);
      if (known == before.end()) continue;
      object.event = TrackEvent::continued;
      object.dx = object.x - known->second->x;
      object.dy = object.y - known->second->y;
      before.erase(known);
    }
    frames[t].vanished.clear();
    for (const auto& gone : before) frames[t].vanished.push_back(gone.first);
  }
}

}  // namespace

std::vector<TrackFrame> joined_tracks(std::vector<TrackFrame> back,
                                      std::vector<TrackFrame> forward) {
  if (back.size() < 2) return forward;
  const std::int64_t shared = largest_id({back.front()});
  const std::int64_t beyond = largest_id(forward) - shared;
  back.erase(back.begin());
  for (TrackFrame& frame : back) {
    for (TrackedObject& object : frame.objects) {
      if (object.id > shared) object.id += beyond;
    }
  }
  std::vector<TrackFrame> frames(std::make_move_iterator(back.rbegin()),
                                 std::make_move_iterator(back.rend()));
  frames.insert(frames.end(), std::make_move_iterator(forward.begin()),
                std::make_move_iterator(forward.end()));
  tell_in_time(frames, back.size() + 1);
  return frames;
}

}  // namespace meander
