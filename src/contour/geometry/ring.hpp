// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "contour/geometry/obstacles.hpp"

namespace meander::contour {

/// The nodes of a polygon in a ring. A node keeps its number while others come and go; the edge
/// from a node to the next one has the node's number.
///
/// The ring stays simple: whoever changes it asks `allows_…` first. A coarse grid over the polygon
/// knows which edges pass through each of its cells, so a question costs about the edges near by.
/// Where there are obstacles, the ring begins and stays off them and on its side of each.
class Ring {
 public:
  /// Takes any polygon of at least three nodes; `is_simple` says whether it is one.
  explicit Ring(const std::vector<GridPoint>& nodes) : Ring(nodes, nullptr, 16) {}
  /// `obstacles`, which may be none, outlive it. `fewest_cells` along each axis: 1 makes a ring of
  /// few nodes cheap to copy, and it may name another edge where several cross.
  Ring(const std::vector<GridPoint>& nodes, const Obstacles* obstacles, std::int64_t fewest_cells);

  std::int64_t size() const { return size_; }
  int head() const { return head_; }
  int next(int node) const { return links_[at(node)].next; }
  int previous(int node) const { return links_[at(node)].previous; }
  GridPoint point(int node) const { return points_[at(node)]; }
  /// One more than the highest number of a node.
  int numbers() const { return static_cast<int>(points_.size()); }
  ContourEdge edge(int node) const { return {point(node), point(next(node))}; }
  /// Nodes from the head on.
  std::vector<int> order() const;
  Polygon polygon() const;

  bool is_simple() const;
  /// Another edge that the edge of `node` touches, or that follows a point it stands still at; -1
  /// when there is none. The edge `left_out` does not count.
  int crossing(int node, int left_out = -1) const;
  bool allows_move(int node, GridPoint to) const;
  bool allows_removal(int node) const;
  /// Of a node and the next one into one node at `to`.
  bool allows_merger(int node, GridPoint to) const;
  /// A new node behind `node`, before the next one.
  bool allows_insertion(int node, GridPoint at) const;

  void move(int node, GridPoint to);
  void remove(int node);
  void merge(int node, GridPoint to);
  int insert(int node, GridPoint at);

 private:
  struct Links {
    int previous = 0, next = 0;
  };
  /// An edge that would be new. Edges are named by their numbers.
  struct Proposal {
    ContourEdge edge;
    int before = -1;                      ///< Ends where the new one begins.
    int after = -1;                       ///< Begins where the new one ends.
    std::array<int, 3> gone{-1, -1, -1};  ///< Will be no more.
  };

  static std::size_t at(int node) { return static_cast<std::size_t>(node); }
  /// A node that would stand between two others.
  struct Corner {
    int before, after;
    GridPoint at;
    std::array<int, 3> gone;
  };
  bool allows_corner(const Corner& corner) const;
  bool is_free(const Proposal& proposal) const;
  /// An edge that the new one would touch; -1 when there is none.
  int conflict_of(const Proposal& proposal) const;
  bool conflicts(const Proposal& proposal, int other) const;
  /// Whether no obstacle lies in what a change sweeps.
  bool is_clear(GridPoint a, GridPoint b, GridPoint c) const {
    return obstacles_ == nullptr || !obstacles_->lies_in(a, b, c);
  }
  std::int64_t wanted_cells() const;
  void lay_grid();
  void enter(int node);
  void leave(int node);

  std::vector<GridPoint> points_;
  std::vector<Links> links_;
  std::int64_t size_ = 0;
  int head_ = 0;
  const Obstacles* obstacles_;
  std::int64_t fewest_cells_;
  EdgeGrid grid_;
  std::vector<std::vector<int>> cells_;
};

}  // namespace meander::contour
