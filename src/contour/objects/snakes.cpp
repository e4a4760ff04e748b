// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/objects/snakes.hpp"

#include <algorithm>

#include "contour/geometry/pixel_set.hpp"
#include "contour/likelihood/sums.hpp"

namespace meander::contour {
namespace {

/// Rounds over all objects; few take part in later ones.
constexpr int most_rounds = 4;
/// Of those in which objects that have outgrown their windows take part.
constexpr int most_growing_rounds = 8;
/// Small outlines are searched thoroughly, which costs little; in large ones little is gained.
bool is_large(const Polygon& ring) {
  constexpr std::int64_t pixels = 64;
  const Box box = box_around(ring);
  return std::max(box.high.x - box.low.x, box.high.y - box.low.y) > pixels * grid_steps_per_pixel;
}

/// Outlines farther apart are not in each other's way.
constexpr std::int64_t far_apart = 4 * grid_steps_per_pixel;
/// A background that has lost or won more than its part of this is another.
constexpr std::uint64_t much = 16;

Box widened(const Box& box) {
  return {{box.low.x - far_apart, box.low.y - far_apart},
          {box.high.x + far_apart, box.high.y + far_apart}};
}

Polygon reversed(Polygon ring) {
  std::reverse(ring.vertices.begin(), ring.vertices.end());
  return ring;
}

/// A region of which one ring after the other moves.
class MovingRegion {
 public:
  MovingRegion(const Scene& scene, const Surrounded& start, const std::stop_token& stop)
      : scene_(&scene),
        window_(start.window),
        ground_(start.ground),
        others_(start.others),
        family_(start.family),
        control_{.stop = stop, .progress = {}},
        done_{start.region, {}, {}} {
    sums_.push_back(sums_of_ring(image(), region().outer));
    for (const Polygon& hole : region().holes) sums_.push_back(sums_of_ring(image(), hole));
  }

  Improved run() {
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      change(i, [&](Search& search, const Criterion& criterion, const Polygon& outline) {
        return scene_->starts_are_near && is_large(outline) ? search.touched_up(criterion, outline)
                                                            : search.improved(criterion, outline);
      });
    }
    return std::move(done_);
  }

  /// Its rings as curves.
  Improved curve() {
    done_.splines.resize(sums_.size());
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      change(i, [&](Search& search, const Criterion& criterion, const Polygon& outline) {
        const std::optional<CurveFit> curve = search.curved(criterion, outline);
        if (!curve) return outline;
        Spline& spline = done_.splines[i];
        spline = curve->spline;
        if (i == 0) return flattened(spline);
        std::reverse(spline.nodes.begin(), spline.nodes.end());
        return reversed(flattened(spline));
      });
    }
    const bool is_any = std::any_of(done_.splines.begin(), done_.splines.end(),
                                    [](const Spline& spline) { return !spline.nodes.empty(); });
    if (!is_any) done_.splines.clear();
    return std::move(done_);
  }

 private:
  const SumLevels& image() const { return *scene_->image; }
  const Region& region() const { return done_.region; }
  Polygon& ring(std::size_t i) { return i == 0 ? done_.region.outer : done_.region.holes[i - 1]; }

  /// What the other rings hold, holes as negative.
  RegionSums held_by_others(std::size_t ring) const {
    RegionSums held;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      if (i != ring) held += sums_[i];
    }
    return held;
  }

  /// Puts f's outline in the place of a ring; both are of positive area.
  template <class F>
  void change(std::size_t number, F f) {
    std::vector<const Polygon*> rings = others_;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      if (i != number) rings.push_back(&ring(i));
    }
    const Obstacles obstacles(window_, rings);
    const bool is_hole = number > 0;
    const RegionSums held = held_by_others(number);
    // A hole's inside is background, as what no ring of the object holds.
    const Criterion criterion(family_, scene_->levels, ground_, is_hole ? ground_ - held : held);
    // Others may leave no ground around an object; it then stays where it is.
    const RegionSums own = is_hole ? RegionSums{} - sums_[number] : sums_[number];
    const bool is_all = own.count == image().total().count;
    if (!is_all && !criterion.is_divided_by(own)) return;
    const SegmentInputs none;
    Search search(image(), scene_->options->search, none, control_, {window_, &obstacles});
    Polygon outline = f(search, criterion, is_hole ? reversed(ring(number)) : ring(number));
    ring(number) = is_hole ? reversed(std::move(outline)) : std::move(outline);
    sums_[number] = sums_of_ring(image(), ring(number));
    done_.effort += {search.evaluations(), search.iterations()};
  }

  const Scene* scene_;
  const Box window_;
  const RegionSums ground_;
  const std::vector<const Polygon*>& others_;
  const Criterion::Family family_;
  const Control control_;
  Improved done_;
  std::vector<RegionSums> sums_;  ///< Of its rings, the outer one first.
};

/// Which objects to look at, and which have changed when.
class Rounds {
 public:
  Rounds(ObjectField& field, std::vector<bool> which, const Control& control, double from,
         double to)
      : field_(&field),
        control_(&control),
        progress_(from),
        end_(to),
        is_open_(std::move(which)),
        searched_(field.size(), 0),
        changed_(field.size(), 0),
        ground_(field.size(), 0) {
    for (std::size_t i = 0; i < field.size(); ++i) {
      if (!is_open_[i]) ground_[i] = field.ground_of(i).count;
    }
  }

  Effort run() {
    for (int round = 0; round < most_growing_rounds; ++round) {
      field_->lay_windows(is_open_);
      const auto groups = groups_apart_now();
      if (groups.empty()) break;
      const double share = (end_ - progress_) / 2;
      for (const auto& group : groups) {
        control_->step(progress_);
        improve(group);
        progress_ += share / static_cast<double>(groups.size());
      }
      reopen(round + 1 >= most_rounds);
    }
    return effort_;
  }

 private:
  std::vector<std::vector<std::size_t>> groups_apart_now() const {
    std::vector<std::vector<std::size_t>> neighbours;
    for (std::size_t i = 0; i < field_->size(); ++i) neighbours.push_back(field_->neighbours(i));
    return groups_apart(neighbours, is_open_);
  }

  void improve(const std::vector<std::size_t>& group) {
    ++time_;
    std::vector<Improved> improved(group.size());
    for_all(field_->scene(), group.size(), [&](std::size_t k) {
      improved[k] =
          contour::improved(field_->scene(), surrounded(*field_, group[k]), control_->stop);
    });
    for (std::size_t k = 0; k < group.size(); ++k) {
      const std::size_t i = group[k];
      searched_[i] = time_;
      ground_[i] = field_->ground_of(i).count;
      effort_ += improved[k].effort;
      if (improved[k].region == field_->object(i).region) continue;
      changed_[i] = time_;
      field_->set_region(i, std::move(improved[k].region));
    }
  }

  bool is_held_back_now(std::size_t i) const {
    const Object& object = field_->object(i);
    return is_held_back(object.region.outer, object.window, field_->scene().shape());
  }
  /// Whether the object has changed after one of its rings was searched, a neighbour that may be in
  /// its way has, or its background is another.
  bool is_out_of_date(std::size_t i) const {
    const Object& object = field_->object(i);
    if (!object.region.holes.empty() && changed_[i] == searched_[i]) return true;
    const Box about = widened(box_around(object.region.outer));
    const auto& near = field_->neighbours(i);
    const bool is_crowded = std::any_of(near.begin(), near.end(), [&](std::size_t other) {
      return changed_[other] > searched_[i] &&
             do_meet(box_around(field_->object(other).region.outer), about);
    });
    return is_crowded || is_another(field_->ground_of(i).count, ground_[i]);
  }
  static bool is_another(std::uint64_t pixels, std::uint64_t before) {
    const std::uint64_t difference = pixels > before ? pixels - before : before - pixels;
    return difference > before / much;
  }

  void reopen(bool growing_only) {
    for (std::size_t i = 0; i < field_->size(); ++i) {
      // What was found is where it was found: one that would go farther follows the shading.
      const bool grows =
          !field_->scene().starts_are_near && is_held_back_now(i) && changed_[i] == searched_[i];
      is_open_[i] = grows || (!growing_only && is_out_of_date(i));
    }
  }

  ObjectField* field_;
  const Control* control_;
  double progress_, end_;
  std::vector<bool> is_open_;
  std::vector<int> searched_, changed_;  ///< Times; 0: never.
  std::vector<std::uint64_t> ground_;    ///< Pixels of it and its background when searched.
  int time_ = 0;
  Effort effort_;
};

}  // namespace

Surrounded surrounded(const ObjectField& field, std::size_t i) {
  const Object& object = field.object(i);
  std::vector<const Polygon*> rings = field.rings_about(i);
  for (const Polygon& zone : object.zones) rings.push_back(&zone);
  return {object.region, object.window, field.ground_of(i), std::move(rings), object.family};
}

Improved improved(const Scene& scene, const Surrounded& start, const std::stop_token& stop) {
  return MovingRegion(scene, start, stop).run();
}

Effort curve_all(ObjectField& field, const Control& control) {
  const Shape& shape = field.scene().shape();
  const std::size_t count = field.size();
  field.lay_windows(std::vector<bool>(count, true));
  std::vector<std::vector<std::size_t>> neighbours;
  for (std::size_t i = 0; i < count; ++i) neighbours.push_back(field.neighbours(i));
  Effort effort;
  const auto curve = [&](const std::vector<std::size_t>& group) {
    control.step(0.9);
    std::vector<Improved> curved(group.size());
    for_all(field.scene(), group.size(), [&](std::size_t k) {
      const Surrounded start = surrounded(field, group[k]);
      curved[k] = MovingRegion(field.scene(), start, control.stop).curve();
      // What was cut does not come back, and nothing falls below the least area or above the most.
      const Region& region = curved[k].region;
      if (!parts_without_necks(pixels_of(region, shape)).empty() ||
          region.area() < std::min(field.scene().min_area, start.region.area()) ||
          region.area() > field.scene().options->max_area.value_or(region.area())) {
        curved[k].splines = {};
      }
    });
    for (std::size_t k = 0; k < group.size(); ++k) {
      effort += curved[k].effort;
      if (curved[k].splines.empty()) continue;
      field.set_region(group[k], std::move(curved[k].region), std::move(curved[k].splines));
    }
  };
  for (const auto& group : groups_apart(neighbours, std::vector<bool>(count, true))) curve(group);
  // Polygons among curves may have room now.
  std::vector<bool> is_open(count);
  for (std::size_t i = 0; i < count; ++i) {
    is_open[i] = field.object(i).splines.empty() &&
                 std::any_of(neighbours[i].begin(), neighbours[i].end(), [&](std::size_t other) {
                   return !field.object(other).splines.empty();
                 });
  }
  for (const auto& group : groups_apart(neighbours, is_open)) curve(group);
  field.lay_windows(std::vector<bool>(count, true));
  return effort;
}

Effort improve_all(ObjectField& field, const Control& control, double from, double to) {
  return improve_some(field, std::vector<bool>(field.size(), true), control, from, to);
}

Effort improve_some(ObjectField& field, std::vector<bool> which, const Control& control,
                    double from, double to) {
  return Rounds(field, std::move(which), control, from, to).run();
}

}  // namespace meander::contour
