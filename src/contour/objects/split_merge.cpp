// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/objects/split_merge.hpp"

#include <algorithm>
#include <cmath>

#include "contour/geometry/pixel_set.hpp"
#include "contour/likelihood/criterion.hpp"
#include "contour/likelihood/sums.hpp"
#include "contour/objects/object_starts.hpp"
#include "contour/objects/pinches.hpp"
#include "contour/objects/worth.hpp"

namespace meander::contour {
namespace {

/// Passes over all objects, and cuts of one that are tried.
constexpr int most_passes = 8;
constexpr std::size_t most_cuts = 3;
/// Outlines that come so close touch, in pixels.
constexpr double touching = 2;
/// Times that two halves make room for each other.
constexpr int turns = 2;

/// Some objects that may become others.
struct Proposal {
  std::vector<std::size_t> from;
  std::vector<Region> to;
  Box window;        ///< What it depends on lies in it.
  double saved = 0;  ///< Of the description; 0 or less: better not.
  Effort effort;
};

using Pair = std::pair<std::size_t, std::size_t>;

/// What several objects in one place are compared in: the same pixels, the same box.
struct Place {
  const Scene* scene;
  Box window;
  RegionSums ground;
  std::vector<const Polygon*> others;
  Criterion::Family family;
  double two_places;  ///< What it takes to say two places in the box around all.
};

Place place_of(const ObjectField& field, const std::vector<std::size_t>& some) {
  Polygon corners;
  for (const std::size_t i : some) {
    const Box box = box_around(field.object(i).region.outer);
    for (const GridPoint corner :
         {box.low, GridPoint{box.high.x, box.low.y}, box.high, GridPoint{box.low.x, box.high.y}}) {
      corners.vertices.push_back(corner);
    }
  }
  const Box window = window_around(corners, field.scene().shape());
  Place place{&field.scene(),
              window,
              field.ground_of(some, window),
              field.rings_about(some, window),
              field.object(some[0]).family,
              2 * cost_of_node(corners)};
  for (const std::size_t i : some) {
    const Object& object = field.object(i);
    place.family.variance = std::max(place.family.variance, object.family.variance);
    // What both leave together has no zone: each half may have the other's.
    if (some.size() > 1) continue;
    for (const Polygon& zone : object.zones) place.others.push_back(&zone);
  }
  return place;
}

/// Of regions in one place.
double description_of(const Place& place, const std::vector<Region>& regions) {
  const Criterion criterion(place.family, place.scene->levels, place.ground);
  RegionSums rest = place.ground;
  double length = place.two_places * static_cast<double>(regions.size() - 1);
  for (const Region& region : regions) {
    const RegionSums sums = sums_of_region(*place.scene->image, region);
    rest -= sums;
    length += criterion.region(sums) + cost_of_nodes(region.outer);
    length += place.two_places * static_cast<double>(bays_of(region.outer));
    for (const Polygon& hole : region.holes) length += place.two_places + cost_of_nodes(hole);
  }
  return length + criterion.background(rest);
}

void add_rings(const Region& region, std::vector<const Polygon*>& rings) {
  rings.push_back(&region.outer);
  for (const Polygon& hole : region.holes) rings.push_back(&hole);
}

/// Each hole goes to the half that holds it; nothing where the cut runs through one.
std::optional<std::vector<Region>> regions_of(const Halves& halves, const Region& whole,
                                              const Box& window) {
  std::vector<Region> regions{{halves.first, {}}, {halves.second, {}}};
  const Obstacles cut(window, {&halves.first, &halves.second});
  for (const Polygon& hole : whole.holes) {
    if (cut.touches(hole)) return std::nullopt;
    regions[holds(halves.first, hole.vertices.front()) ? 0 : 1].holes.push_back(hole);
  }
  return regions;
}

/// One after the other, each off the others.
void improve_together(const Place& place, std::vector<Region>& regions, Effort& effort,
                      const std::stop_token& stop) {
  for (int turn = 0; turn < turns; ++turn) {
    for (std::size_t i = 0; i < regions.size(); ++i) {
      Surrounded start{regions[i], place.window, place.ground, place.others, place.family};
      for (std::size_t other = 0; other < regions.size(); ++other) {
        if (other == i) continue;
        add_rings(regions[other], start.others);
        start.ground -= sums_of_region(*place.scene->image, regions[other]);
      }
      Improved next = improved(*place.scene, start, stop);
      effort += next.effort;
      regions[i] = std::move(next.region);
    }
    if (regions.size() == 1) break;
  }
}

/// What becomes of regions in the place of those that are there.
Proposal tried(const ObjectField& field, const Place& place, std::vector<std::size_t> from,
               std::vector<Region> to, const std::stop_token& stop) {
  std::vector<Region> before;
  for (const std::size_t i : from) before.push_back(field.object(i).region);
  Proposal proposal{std::move(from), std::move(to), place.window, 0, {}};
  improve_together(place, proposal.to, proposal.effort, stop);
  proposal.saved = description_of(place, before) - description_of(place, proposal.to);
  const double least = field.scene().min_area;
  for (const Region& region : proposal.to) {
    if (region.area() < least) proposal.saved = 0;
  }
  return proposal;
}

/// Two objects and what lies between them, as one or, where no pixel joins them, as parts. None
/// where that would touch others, or has other holes.
std::vector<Region> joint_of(const ObjectField& field, const Pair& pair, const Place& place) {
  const Region &a = field.object(pair.first).region, &b = field.object(pair.second).region;
  std::vector<Region> parts;
  for (Polygon& outer : joined(a.outer, b.outer, field.scene().shape())) {
    parts.push_back({std::move(outer), {}});
  }
  for (const Region* region : {&a, &b}) {
    for (const Polygon& hole : region->holes) {
      const auto holder = std::find_if(parts.begin(), parts.end(), [&](const Region& part) {
        return holds(part.outer, hole.vertices.front());
      });
      if (holder == parts.end()) return {};
      holder->holes.push_back(hole);
    }
  }
  const auto apart = drawn_apart(std::move(parts));
  const Obstacles others(place.window, place.others);
  // Both may close around another.
  const auto is_taken = [&](const Region& part) {
    return others.touches(part.outer) ||
           std::any_of(place.others.begin(), place.others.end(),
                       [&](const Polygon* other) { return covers(part, other->vertices.front()); });
  };
  const bool is_free = apart && std::none_of(apart->begin(), apart->end(), is_taken);
  return is_free ? *apart : std::vector<Region>{};
}

Proposal merger(const ObjectField& field, const Pair& pair, const std::stop_token& stop) {
  const Place place = place_of(field, {pair.first, pair.second});
  std::vector<Region> joint = joint_of(field, pair, place);
  if (joint.size() != 1) return {};
  std::vector<std::size_t> from{pair.first, pair.second};
  const auto area = [&](std::size_t i) { return field.object(i).region.area(); };
  if (area(from[0]) < area(from[1])) std::swap(from[0], from[1]);
  return tried(field, place, std::move(from), std::move(joint), stop);
}

/// Twice the distance between the middles of two boxes, squared.
double apart(const Polygon& a, const Polygon& b) {
  const Box p = box_around(a), q = box_around(b);
  const auto x = static_cast<double>(p.low.x + p.high.x - q.low.x - q.high.x);
  const auto y = static_cast<double>(p.low.y + p.high.y - q.low.y - q.high.y);
  return x * x + y * y;
}

/// The best of some ways to cut a region in the place of those that are there.
Proposal best_cut(const ObjectField& field, const Place& place,
                  const std::vector<std::size_t>& from, const Region& whole, std::size_t cuts,
                  const std::stop_token& stop) {
  Proposal best;
  for (const Halves& halves : cuts_of(whole.outer, cuts, stop)) {
    auto regions = regions_of(halves, whole, place.window);
    if (!regions) continue;
    Proposal proposal = tried(field, place, from, std::move(*regions), stop);
    proposal.effort += best.effort;
    if (proposal.saved > best.saved) {
      best = std::move(proposal);
    } else {
      best.effort = proposal.effort;
    }
  }
  return best;
}

Proposal best_split(const ObjectField& field, std::size_t i, const std::stop_token& stop) {
  Proposal best =
      best_cut(field, place_of(field, {i}), {i}, field.object(i).region, most_cuts, stop);
  // Tips and arms belong to their object.
  constexpr double least_part = 0.1;
  const auto area = [&](std::size_t k) { return best.to[k].area(); };
  if (best.to.size() == 2 && std::min(area(0), area(1)) < least_part * std::max(area(0), area(1))) {
    best.saved = 0;
  }
  return best;
}

/// Whether regions have no pixel that is in the zones of none of some objects.
bool stay_in_zones(const ObjectField& field, const std::vector<std::size_t>& some,
                   const std::vector<Region>& regions) {
  const Shape& shape = field.scene().shape();
  return std::all_of(regions.begin(), regions.end(), [&](const Region& region) {
    PixelSet astray = pixels_of(region, shape);
    for (const std::size_t i : some) {
      PixelSet within = astray;
      for (const Polygon& zone : field.object(i).zones) {
        within = common(within, pixels_of({zone, {}}, shape));
      }
      astray = without(astray, within);
    }
    return astray.runs.empty();
  });
}

/// Another border between two: where both as one fall apart or would pinch.
Proposal redivision(const ObjectField& field, const Pair& pair, const std::stop_token& stop) {
  const std::vector<std::size_t> from{pair.first, pair.second};
  const Place place = place_of(field, from);
  std::vector<Region> joint = joint_of(field, pair, place);
  Proposal best;
  if (joint.size() == 2) {
    best = tried(field, place, from, std::move(joint), stop);
  } else if (joint.size() == 1) {
    Effort effort;
    improve_together(place, joint, effort, stop);
    best = best_cut(field, place, from, joint[0], most_cuts, stop);
    best.effort += effort;
  }
  if (best.to.empty()) return best;
  if (!stay_in_zones(field, from, best.to)) best.saved = 0;
  const Polygon &a = field.object(from[0]).region.outer, &b = field.object(from[1]).region.outer;
  const double as_they_come = apart(a, best.to[0].outer) + apart(b, best.to[1].outer);
  if (apart(a, best.to[1].outer) + apart(b, best.to[0].outer) < as_they_come) {
    std::swap(best.to[0], best.to[1]);
  }
  return best;
}

/// Those that save most first, as long as nothing near them has changed. Says whether there were
/// any.
bool accept(ObjectField& field, std::vector<Proposal> proposals) {
  std::stable_sort(proposals.begin(), proposals.end(),
                   [](const Proposal& a, const Proposal& b) { return a.saved > b.saved; });
  std::vector<bool> stays(field.size(), true);
  std::vector<Box> changed;
  std::vector<std::pair<Region, std::size_t>> fresh;  ///< And which object each comes from.
  for (Proposal& proposal : proposals) {
    if (!(proposal.saved > 0)) break;
    const bool is_stale = std::any_of(changed.begin(), changed.end(), [&](const Box& window) {
      return do_meet(window, proposal.window);
    });
    if (is_stale) continue;
    changed.push_back(proposal.window);
    const auto& from = proposal.from;
    auto& to = proposal.to;
    for (std::size_t k = 0; k < std::max(from.size(), to.size()); ++k) {
      if (k >= from.size()) {
        fresh.emplace_back(std::move(to[k]), from[0]);
      } else if (k >= to.size()) {
        stays[from[k]] = false;
      } else {
        field.set_region(from[k], std::move(to[k]));
        // What two have become reaches beyond the zone of one.
        if (to.size() < from.size()) field.leave_zones(from[k]);
      }
    }
  }
  if (changed.empty()) return false;
  for (auto& [region, from] : fresh) field.add(std::move(region), from);
  stays.resize(field.size(), true);
  field.keep(stays);
  field.lay_windows(std::vector<bool>(field.size(), true));
  return true;
}

/// Those that touch, in order.
std::vector<Pair> pairs_in(const ObjectField& field) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < field.size(); ++i) {
    for (const std::size_t other : field.neighbours(i)) {
      const Polygon &a = field.object(i).region.outer, &b = field.object(other).region.outer;
      if (other > i && are_close(a, b, touching)) pairs.emplace_back(i, other);
    }
  }
  return pairs;
}

/// Until nothing is accepted: `propose` makes `count` proposals, each on its own.
template <class Count, class Propose>
Effort in_passes(ObjectField& field, const Control& control, Count count, Propose propose) {
  Effort effort;
  for (int pass = 0; pass < most_passes; ++pass) {
    std::vector<Proposal> proposals(count());
    if (control.stop.stop_requested()) throw Cancelled("stopped on request");
    for_all(field.scene(), proposals.size(),
            [&](std::size_t k) { proposals[k] = propose(k, control.stop); });
    for (const Proposal& proposal : proposals) effort += proposal.effort;
    if (!accept(field, std::move(proposals))) break;
  }
  return effort;
}

}  // namespace

Effort split_objects(ObjectField& field, const Control& control) {
  return in_passes(
      field, control, [&] { return field.size(); },
      [&](std::size_t i, const std::stop_token& stop) { return best_split(field, i, stop); });
}

Effort merge_objects(ObjectField& field, const Control& control) {
  std::vector<Pair> pairs;
  const auto find = [&] {
    pairs = pairs_in(field);
    return pairs.size();
  };
  return in_passes(field, control, find, [&](std::size_t k, const std::stop_token& stop) {
    return merger(field, pairs[k], stop);
  });
}

Effort redivide_objects(ObjectField& field, const Control& control) {
  std::vector<Pair> pairs;
  const auto find = [&] {
    pairs = pairs_in(field);
    std::erase_if(pairs, [&](const Pair& pair) {
      return bays_of(field.object(pair.first).region.outer) == 0 &&
             bays_of(field.object(pair.second).region.outer) == 0;
    });
    return pairs.size();
  };
  return in_passes(field, control, find, [&](std::size_t k, const std::stop_token& stop) {
    return redivision(field, pairs[k], stop);
  });
}

namespace {

/// How far a node is from an edge, in pixels.
double distance(GridPoint node, GridPoint a, GridPoint b) {
  const auto px = static_cast<double>(node.x - a.x), py = static_cast<double>(node.y - a.y);
  const auto ex = static_cast<double>(b.x - a.x), ey = static_cast<double>(b.y - a.y);
  const double length = ex * ex + ey * ey;
  const double part = length > 0 ? std::clamp((px * ex + py * ey) / length, 0.0, 1.0) : 0;
  return std::hypot(px - part * ex, py - part * ey) / grid_steps_per_pixel;
}

}  // namespace

Polygon without_spikes(Polygon ring) {
  constexpr std::size_t longest = 5;
  std::vector<GridPoint>& nodes = ring.vertices;
  for (int side = 0; side < 2; ++side) {
    std::reverse(nodes.begin(), nodes.end());
    for (std::size_t first = 0; first < nodes.size(); ++first) {
      const auto node = [&](std::size_t i) { return nodes[(first + i) % nodes.size()]; };
      for (std::size_t k = 1; k <= longest && k + 4 < nodes.size(); ++k) {
        if (!(distance(node(k + 1), node(0), node(1)) < 1)) continue;
        Polygon cut;
        for (std::size_t i = k + 1; i <= nodes.size(); ++i) cut.vertices.push_back(node(i));
        if (2 * cut.signed_area() / ring.signed_area() < 1 || !is_simple(cut)) continue;
        ring = std::move(cut);
        break;
      }
    }
  }
  return ring;
}

}  // namespace meander::contour
