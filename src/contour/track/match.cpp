// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/track/match.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "contour/geometry/pixel_set.hpp"
#include "core/parallel_for.hpp"

namespace meander::contour {
namespace {

constexpr double least_overlap = 0.1;
constexpr double largest_ratio = 4;

struct Pair {
  std::size_t object, finding;
  std::int64_t common;
};

struct Candidate {
  double cost;
  std::size_t object, finding;
  bool operator<(const Candidate& other) const {
    return std::tie(cost, object, finding) < std::tie(other.cost, other.object, other.finding);
  }
};

class Matcher {
 public:
  Matcher(std::span<const TrackShape> expected, std::span<const TrackShape> found,
          const Shape& image)
      : expected_(expected),
        found_(found),
        index_(image),
        is_taken_(found.size(), false),
        is_settled_(expected.size(), false) {
    matches_.finding_of.resize(expected.size());
    matches_.parts_of.resize(expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) index_.add(found[i].box, i);
    find_overlaps();
  }

  TrackMatches run(bool sets_shared_aside) {
    divide();
    if (sets_shared_aside) set_shared_aside();
    take_in_order(by_overlap());
    take_in_order(by_distance());
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (!is_taken_[i]) matches_.unclaimed.push_back(i);
    }
    return std::move(matches_);
  }

 private:
  void find_overlaps() {
    overlaps_.resize(expected_.size());
    parallel_for(static_cast<std::int64_t>(expected_.size()), [&](std::int64_t task) {
      const auto object = static_cast<std::size_t>(task);
      const TrackShape& shape = expected_[object];
      for (const std::size_t finding : index_.near(shape.box)) {
        const std::int64_t common = count_common(shape.pixels, found_[finding].pixels);
        if (common > 0) overlaps_[object].push_back({object, finding, common});
      }
    });
  }

  /// The object with which each finding shares most.
  std::vector<std::size_t> owners() const {
    std::vector<std::size_t> owners(found_.size(), expected_.size());
    std::vector<std::int64_t> most(found_.size(), 0);
    for (const auto& pairs : overlaps_) {
      for (const Pair& pair : pairs) {
        if (pair.common <= most[pair.finding]) continue;
        most[pair.finding] = pair.common;
        owners[pair.finding] = pair.object;
      }
    }
    return owners;
  }

  void divide() {
    const std::vector<std::size_t> owner_of = owners();
    for (std::size_t object = 0; object < expected_.size(); ++object) {
      const std::int64_t whole = expected_[object].count;
      std::vector<std::size_t> parts;
      std::int64_t covered = 0;
      for (const Pair& pair : overlaps_[object]) {
        const bool lies_inside = 5 * pair.common >= 2 * found_[pair.finding].count;
        if (owner_of[pair.finding] != object || !lies_inside || 6 * pair.common < whole) continue;
        parts.push_back(pair.finding);
        covered += pair.common;
      }
      if (parts.size() < 2 || 5 * covered < 2 * whole) continue;
      for (const std::size_t part : parts) is_taken_[part] = true;
      matches_.parts_of[object] = std::move(parts);
      is_settled_[object] = true;
    }
  }

  void set_shared_aside() {
    std::vector<std::vector<std::size_t>> held(found_.size());
    for (std::size_t object = 0; object < expected_.size(); ++object) {
      if (is_settled_[object]) continue;
      for (const Pair& pair : overlaps_[object]) {
        const bool is_held = 2 * pair.common > expected_[object].count;
        if (is_held && !is_taken_[pair.finding]) held[pair.finding].push_back(object);
      }
    }
    for (std::size_t finding = 0; finding < found_.size(); ++finding) {
      if (held[finding].size() < 2) continue;
      is_taken_[finding] = true;
      for (const std::size_t object : held[finding]) is_settled_[object] = true;
    }
  }

  std::vector<Candidate> by_overlap() const {
    std::vector<Candidate> candidates;
    for (const auto& pairs : overlaps_) {
      for (const Pair& pair : pairs) {
        const std::int64_t either =
            expected_[pair.object].count + found_[pair.finding].count - pair.common;
        const double share = static_cast<double>(pair.common) / static_cast<double>(either);
        if (share >= least_overlap) candidates.push_back({-share, pair.object, pair.finding});
      }
    }
    return candidates;
  }

  std::vector<Candidate> by_distance() const {
    std::vector<Candidate> candidates;
    for (std::size_t object = 0; object < expected_.size(); ++object) {
      if (is_settled_[object]) continue;
      const TrackShape& shape = expected_[object];
      const auto area = static_cast<double>(shape.count);
      const double square_of_reach = 4 / std::numbers::pi * area;
      const auto reach = static_cast<std::int64_t>(std::sqrt(square_of_reach)) + 1;
      const PixelBox around{shape.box.x0 - reach, shape.box.y0 - reach, shape.box.x1 + reach,
                            shape.box.y1 + reach};
      for (const std::size_t finding : index_.near(around)) {
        const double dx = found_[finding].centre.x - shape.centre.x;
        const double dy = found_[finding].centre.y - shape.centre.y;
        const auto other = static_cast<double>(found_[finding].count);
        const bool is_alike = std::max(area, other) <= largest_ratio * std::min(area, other);
        const double square = dx * dx + dy * dy;
        if (is_alike && square <= square_of_reach) candidates.push_back({square, object, finding});
      }
    }
    return candidates;
  }

  void take_in_order(std::vector<Candidate> candidates) {
    std::sort(candidates.begin(), candidates.end());
    for (const Candidate& candidate : candidates) {
      if (is_settled_[candidate.object] || is_taken_[candidate.finding]) continue;
      is_settled_[candidate.object] = true;
      is_taken_[candidate.finding] = true;
      matches_.finding_of[candidate.object] = candidate.finding;
    }
  }

  const std::span<const TrackShape> expected_, found_;
  BoxIndex index_;  ///< Of findings.
  std::vector<std::vector<Pair>> overlaps_;
  std::vector<bool> is_taken_;    ///< Findings that are somebody's, or nobody's for good.
  std::vector<bool> is_settled_;  ///< Objects that need no finding any more.
  TrackMatches matches_;
};

}  // namespace

TrackMatches match_tracks(std::span<const TrackShape> expected, std::span<const TrackShape> found,
                          const Shape& image) {
  return Matcher(expected, found, image).run(true);
}

TrackMatches match_tracks_back(std::span<const TrackShape> expected,
                               std::span<const TrackShape> found, const Shape& image) {
  const TrackMatches in_time = Matcher(found, expected, image).run(false);
  TrackMatches matches;
  matches.finding_of.resize(expected.size());
  matches.parts_of.resize(expected.size());
  for (std::size_t finding = 0; finding < found.size(); ++finding) {
    std::vector<std::size_t> objects = in_time.parts_of[finding];
    if (in_time.finding_of[finding]) objects.push_back(*in_time.finding_of[finding]);
    for (const std::size_t object : objects) matches.finding_of[object] = finding;
    if (objects.empty()) matches.unclaimed.push_back(finding);
  }
  return matches;
}

}  // namespace meander::contour
