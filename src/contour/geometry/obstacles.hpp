// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "contour/geometry/edge_grid.hpp"

namespace meander::contour {

/// Rings that an outline in a window may neither touch nor pass over. Does not change, so that
/// copies of an outline share it. All answers are exact.
class Obstacles {
 public:
  /// None.
  Obstacles() = default;
  /// `rings` are closed and need not live on.
  Obstacles(const Box& window, const std::vector<const Polygon*>& rings);

  bool is_empty() const { return edges_.empty() && places_.empty(); }
  /// Whether an edge has a point in common with a ring.
  bool touches(const ContourEdge& edge) const;
  /// Whether a closed outline has.
  bool touches(const Polygon& outline) const;
  /// Whether one of the rings, the i-th, has a point in common with another.
  bool touches_another(const Polygon& ring, std::size_t i) const;
  /// Whether a ring that touches no side of the triangle may lie in it: its first node does. Enough
  /// for a change of an outline that touches no ring before and after, since each ring is then on
  /// one side of it as a whole.
  bool lies_in(GridPoint a, GridPoint b, GridPoint c) const;
  /// Which rings lie within an outline that touches none.
  std::vector<bool> rings_in(const Polygon& outline) const;

 private:
  struct RingEdge {
    ContourEdge edge;
    std::size_t ring;
  };
  static std::vector<RingEdge> edges_near(const Box& window,
                                          const std::vector<const Polygon*>& rings);
  template <class F>
  bool any_touching(const ContourEdge& edge, F f) const;

  EdgeGrid grid_;
  std::vector<RingEdge> edges_;     ///< By cells; in several where it passes through several.
  std::vector<std::size_t> first_;  ///< Of each cell, and the end of the last one.
  std::vector<GridPoint> places_;   ///< A node of each ring.
};

}  // namespace meander::contour
