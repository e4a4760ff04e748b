// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/geometry/obstacles.hpp"

#include <algorithm>

namespace meander::contour {
namespace {

bool overlap(const Box& box, const ContourEdge& edge) {
  const auto [low_x, high_x] = std::minmax(edge.from.x, edge.to.x);
  const auto [low_y, high_y] = std::minmax(edge.from.y, edge.to.y);
  return low_x <= box.high.x && high_x >= box.low.x && low_y <= box.high.y && high_y >= box.low.y;
}

/// So that a cell holds about one of them.
std::int64_t cells_for(std::size_t edges) {
  std::int64_t cells = 1;
  while (cells < 64 && static_cast<std::size_t>(cells * cells) < edges) cells *= 2;
  return cells;
}

/// Calls f for the edges of a closed outline until one answers true; says whether one did.
template <class F>
bool any_edge(const Polygon& outline, F f) {
  const auto& v = outline.vertices;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (f(ContourEdge{v[i], v[(i + 1) % v.size()]})) return true;
  }
  return false;
}

}  // namespace

/// Edges of the rings that may reach into a window.
std::vector<Obstacles::RingEdge> Obstacles::edges_near(const Box& window,
                                                       const std::vector<const Polygon*>& rings) {
  std::vector<RingEdge> edges;
  for (std::size_t i = 0; i < rings.size(); ++i) {
    any_edge(*rings[i], [&](const ContourEdge& edge) {
      if (overlap(window, edge)) edges.push_back({edge, i});
      return false;
    });
  }
  return edges;
}

Obstacles::Obstacles(const Box& window, const std::vector<const Polygon*>& rings) {
  for (const Polygon* ring : rings) places_.push_back(ring->vertices.front());
  const std::vector<RingEdge> near = edges_near(window, rings);
  grid_ = EdgeGrid(window, cells_for(near.size()));
  first_.assign(grid_.cells() + 1, 0);
  const auto for_cells = [&](auto f) {
    for (const RingEdge& part : near) {
      grid_.any_cell(part.edge, [&](std::size_t cell) {
        f(cell, part);
        return false;
      });
    }
  };
  for_cells([&](std::size_t cell, const RingEdge&) { ++first_[cell + 1]; });
  for (std::size_t cell = 1; cell < first_.size(); ++cell) first_[cell] += first_[cell - 1];
  edges_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for_cells([&](std::size_t cell, const RingEdge& part) { edges_[next[cell]++] = part; });
}

/// Whether the edge touches one of the edges for which f(ring) is true.
template <class F>
bool Obstacles::any_touching(const ContourEdge& edge, F f) const {
  if (edges_.empty()) return false;
  return grid_.any_cell(edge, [&](std::size_t cell) {
    for (std::size_t i = first_[cell]; i < first_[cell + 1]; ++i) {
      if (f(edges_[i].ring) && touch(edge, edges_[i].edge)) return true;
    }
    return false;
  });
}

bool Obstacles::touches(const ContourEdge& edge) const {
  return any_touching(edge, [](std::size_t) { return true; });
}

bool Obstacles::touches(const Polygon& outline) const {
  return any_edge(outline, [&](const ContourEdge& edge) { return touches(edge); });
}

bool Obstacles::touches_another(const Polygon& ring, std::size_t i) const {
  return any_edge(ring, [&](const ContourEdge& edge) {
    return any_touching(edge, [&](std::size_t other) { return other != i; });
  });
}

std::vector<bool> Obstacles::rings_in(const Polygon& outline) const {
  std::vector<bool> found;
  for (const GridPoint p : places_) {
    bool is_inside = false;
    any_edge(outline, [&](const ContourEdge& edge) {
      const bool is_down = edge.from.y <= edge.to.y;
      const GridPoint low = is_down ? edge.from : edge.to, high = is_down ? edge.to : edge.from;
      if (low.y <= p.y && p.y < high.y && side_of(low, high, p) > 0) is_inside = !is_inside;
      return false;
    });
    found.push_back(is_inside);
  }
  return found;
}

bool Obstacles::lies_in(GridPoint a, GridPoint b, GridPoint c) const {
  return std::any_of(places_.begin(), places_.end(), [&](GridPoint p) {
    const int ab = side_of(a, b, p), bc = side_of(b, c, p), ca = side_of(c, a, p);
    return std::min({ab, bc, ca}) * std::max({ab, bc, ca}) >= 0;
  });
}

}  // namespace meander::contour
