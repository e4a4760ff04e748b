// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/edge/motion.hpp"

#include <algorithm>

#include "contour/geometry/ring.hpp"

namespace meander::contour {
namespace {

/// A line in a ring, whose nodes have the numbers of the points.
class LoopCutter {
 public:
  LoopCutter(const Polyline& line, std::int64_t least)
      : ring_(on_grid(line).points),
        is_open_(line.is_open),
        is_there_(line.points.size(), true),
        most_(static_cast<std::int64_t>(line.points.size()) / 4),
        least_(least) {}

  bool run() {
    for (int node = 0; node < ring_.numbers(); ++node) {
      if (!clear(node)) return false;
    }
    return true;
  }
  std::int64_t loops() const { return loops_; }
  bool has(std::size_t point) const { return is_there_[point]; }

 private:
  int last() const { return is_open_ ? ring_.previous(ring_.head()) : -1; }

  /// Cuts until the edge of a node, or the one that took its place, is free.
  bool clear(int node) {
    while (is_there_[static_cast<std::size_t>(node)] && node != last()) {
      const int other = ring_.crossing(node, last());
      if (other < 0) break;
      if (other == last()) return false;  // the end of an open line is not taken out
      // Between the two lie the points from behind the one to the start of the other's edge.
      const bool is_ahead = is_open_ ? node < other : fewer_ahead(node, other);
      if (!cut(is_ahead ? node : other, is_ahead ? other : node)) return false;
      if (!is_ahead) node = other;
    }
    return true;
  }

  /// Whether there are fewer nodes behind `node` up to `other` than the other way round.
  bool fewer_ahead(int node, int other) const {
    int ahead = node, behind = other;
    while (true) {
      ahead = ring_.next(ahead);
      if (ahead == other) return true;
      behind = ring_.next(behind);
      if (behind == node) return false;
    }
  }

  /// Takes out the nodes behind `from` up to `to`.
  bool cut(int from, int to) {
    ++loops_;
    for (std::int64_t count = 1;; ++count) {
      const int node = ring_.next(from);
      if (count > std::max<std::int64_t>(most_, 1) || ring_.size() <= least_) return false;
      ring_.remove(node);
      is_there_[static_cast<std::size_t>(node)] = false;
      if (node == to) return true;
    }
  }

  Ring ring_;
  bool is_open_;
  std::vector<bool> is_there_;
  std::int64_t most_, least_;
  std::int64_t loops_ = 0;
};

}  // namespace

std::optional<std::int64_t> cut_loops(Polyline& line, std::int64_t least) {
  LoopCutter cutter(line, least);
  if (!cutter.run()) return {};
  if (cutter.loops() > 0) {
    Polyline left{.is_open = line.is_open};
    for (std::size_t i = 0; i < line.points.size(); ++i) {
      if (cutter.has(i)) left.points.push_back(line.points[i]);
    }
    line = std::move(left);
  }
  return cutter.loops();
}

}  // namespace meander::contour
