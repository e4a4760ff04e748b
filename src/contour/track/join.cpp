// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "core/message.hpp"
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
  std::set<std::int64_t> seen;
  std::map<std::int64_t, std::int64_t> parent_of;
  for (std::size_t t = 0; t < count; ++t) {
    std::map<std::int64_t, const TrackedObject*> before;
    if (t > 0) {
      for (const TrackedObject& object : frames[t - 1].objects) before[object.id] = &object;
    }
    for (TrackedObject& object : frames[t].objects) {
      const bool is_new = seen.insert(object.id).second;
      const auto parent = parent_of.find(object.id);
      const bool is_part = is_new && parent != parent_of.end();
      object.parent = is_part ? parent->second : 0;
      object.dx.reset();
      object.dy.reset();
      object.event = is_part  ? TrackEvent::divided
                     : is_new ? TrackEvent::appeared
                              : TrackEvent::returned;
      if (is_part) before.erase(object.parent);
      const auto known = before.find(object.id);
      if (known == before.end()) continue;
      object.event = TrackEvent::continued;
      object.dx = object.x - known->second->x;
      object.dy = object.y - known->second->y;
      before.erase(known);
    }
    frames[t].vanished.clear();
    for (const auto& gone : before) frames[t].vanished.push_back(gone.first);
    for (const TrackPart& join : frames[t].joined) parent_of[join.part] = join.whole;
    frames[t].joined.clear();
  }
}

}  // namespace

std::vector<TrackFrame> joined_tracks(std::vector<TrackFrame> back,
                                      std::vector<TrackFrame> forward) {
  if (back.size() < 2) return forward;
  const std::int64_t shared = largest_id({back.front()});
  const std::int64_t beyond = largest_id(forward) - shared;
  back.erase(back.begin());
  const auto renumber = [&](std::int64_t& id) {
    if (id > shared) id += beyond;
  };
  for (TrackFrame& frame : back) {
    for (TrackedObject& object : frame.objects) renumber(object.id);
    for (TrackPart& join : frame.joined) renumber(join.part), renumber(join.whole);
  }
  std::vector<TrackFrame> frames(std::make_move_iterator(back.rbegin()),
                                 std::make_move_iterator(back.rend()));
  frames.insert(frames.end(), std::make_move_iterator(forward.begin()),
                std::make_move_iterator(forward.end()));
  tell_in_time(frames, back.size() + 1);
  return frames;
}

std::vector<TrackFrame> numbered_from(std::vector<TrackFrame> frames, std::size_t index) {
  std::map<std::int64_t, std::int64_t> ids;
  if (index >= frames.size()) {
    throw InvalidArgument(message("the first numbers are for frame ", index, " of ", frames.size(),
                                  " frames, expected one that is there, from 0 on"));
  }
  const auto number = [&](const TrackFrame& frame) {
    for (const TrackedObject& object : frame.objects) {
      ids.emplace(object.id, static_cast<std::int64_t>(ids.size()) + 1);
    }
  };
  number(frames[index]);
  for (const TrackFrame& frame : frames) number(frame);
  for (TrackFrame& frame : frames) {
    for (TrackedObject& object : frame.objects) {
      object.id = ids[object.id];
      if (object.parent != 0) object.parent = ids[object.parent];
    }
    for (std::int64_t& gone : frame.vanished) gone = ids[gone];
    for (TrackPart& join : frame.joined) join = {.part = ids[join.part], .whole = ids[join.whole]};
    std::ranges::sort(frame.objects, {}, &TrackedObject::id);
    std::ranges::sort(frame.vanished);
  }
  return frames;
}

}  // namespace meander
