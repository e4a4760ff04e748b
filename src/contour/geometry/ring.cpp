// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/geometry/ring.hpp"

#include <algorithm>

namespace meander::contour {
namespace {

/// Rings of so few edges are gone through as a whole where they may be.
constexpr std::int64_t few_edges = 48;

}  // namespace

Ring::Ring(const std::vector<GridPoint>& nodes, const Obstacles* obstacles,
           std::int64_t fewest_cells)
    : points_(nodes),
      size_(static_cast<std::int64_t>(nodes.size())),
      obstacles_(obstacles != nullptr && !obstacles->is_empty() ? obstacles : nullptr),
      fewest_cells_(fewest_cells) {
  const int count = static_cast<int>(nodes.size());
  for (int i = 0; i < count; ++i) links_.push_back({(i + count - 1) % count, (i + 1) % count});
  lay_grid();
}

/// Along each axis: so that a cell holds a few edges.
std::int64_t Ring::wanted_cells() const {
  if (size_ <= few_edges) return fewest_cells_;
  std::int64_t cells = 16;
  while (cells < 1024 && cells * 32 < size_) cells *= 2;
  return cells;
}

void Ring::lay_grid() {
  const std::vector<int> nodes = order();
  grid_ = EdgeGrid(box_around(polygon()), wanted_cells());
  cells_.assign(grid_.cells(), {});
  for (const int node : nodes) enter(node);
}

std::vector<int> Ring::order() const {
  std::vector<int> order;
  order.reserve(static_cast<std::size_t>(size_));
  int node = head_;
  for (std::int64_t i = 0; i < size_; ++i, node = next(node)) order.push_back(node);
  return order;
}

Polygon Ring::polygon() const {
  Polygon polygon;
  for (const int node : order()) polygon.vertices.push_back(point(node));
  return polygon;
}

void Ring::enter(int node) {
  grid_.any_cell(edge(node), [&](std::size_t cell) {
    cells_[cell].push_back(node);
    return false;
  });
}

void Ring::leave(int node) {
  grid_.any_cell(edge(node), [&](std::size_t cell) {
    std::erase(cells_[cell], node);
    return false;
  });
}

bool Ring::conflicts(const Proposal& p, int other) const {
  if (std::find(p.gone.begin(), p.gone.end(), other) != p.gone.end()) return false;
  const ContourEdge there = edge(other);
  if (other == p.before || other == p.after) {
    // A triangle's third edge is both: then the new one has an end in common at either side.
    return (other == p.before && folds_back(there.from, p.edge.from, p.edge.to)) ||
           (other == p.after && folds_back(p.edge.from, p.edge.to, there.to));
  }
  return touch(p.edge, there);
}

int Ring::conflict_of(const Proposal& proposal) const {
  int found = -1;
  grid_.any_cell(proposal.edge, [&](std::size_t cell) {
    const auto conflict = std::find_if(cells_[cell].begin(), cells_[cell].end(),
                                       [&](int other) { return conflicts(proposal, other); });
    if (conflict != cells_[cell].end()) found = *conflict;
    return found >= 0;
  });
  return found;
}

bool Ring::is_free(const Proposal& proposal) const {
  return proposal.edge.from != proposal.edge.to && conflict_of(proposal) < 0 &&
         (obstacles_ == nullptr || !obstacles_->touches(proposal.edge));
}

bool Ring::allows_corner(const Corner& corner) const {
  const GridPoint a = point(corner.before), b = point(corner.after);
  return !folds_back(a, corner.at, b) &&
         is_free({{a, corner.at}, previous(corner.before), -1, corner.gone}) &&
         is_free({{corner.at, b}, -1, corner.after, corner.gone});
}

bool Ring::is_simple() const {
  const auto nodes = order();
  return std::all_of(nodes.begin(), nodes.end(), [&](int node) { return crossing(node) < 0; });
}

int Ring::crossing(int node, int left_out) const {
  const ContourEdge here = edge(node);
  if (here.from == here.to) return next(node);
  return conflict_of({here, previous(node), next(node), {node, left_out, -1}});
}

bool Ring::allows_move(int node, GridPoint to) const {
  const int before = previous(node), after = next(node);
  return allows_corner({before, after, to, {before, node, -1}}) &&
         is_clear(point(before), to, point(node)) && is_clear(to, point(after), point(node));
}

bool Ring::allows_removal(int node) const {
  if (size_ <= 3) return false;
  const int before = previous(node), after = next(node);
  return is_free({{point(before), point(after)}, previous(before), after, {before, node, -1}}) &&
         is_clear(point(before), point(after), point(node));
}

bool Ring::allows_merger(int node, GridPoint to) const {
  if (size_ <= 3) return false;
  const int before = previous(node), other = next(node), after = next(other);
  return allows_corner({before, after, to, {before, node, other}}) &&
         is_clear(point(before), to, point(node)) && is_clear(to, point(other), point(node)) &&
         is_clear(to, point(after), point(other));
}

bool Ring::allows_insertion(int node, GridPoint at) const {
  return allows_corner({node, next(node), at, {node, -1, -1}}) &&
         is_clear(point(node), at, point(next(node)));
}

void Ring::move(int node, GridPoint to) {
  leave(previous(node));
  leave(node);
  points_[at(node)] = to;
  enter(previous(node));
  enter(node);
}

void Ring::remove(int node) {
  const int before = previous(node), after = next(node);
  leave(before);
  leave(node);
  links_[at(before)].next = after;
  links_[at(after)].previous = before;
  if (head_ == node) head_ = after;
  --size_;
  enter(before);
}

void Ring::merge(int node, GridPoint to) {
  remove(next(node));
  move(node, to);
}

int Ring::insert(int node, GridPoint place) {
  const int after = next(node), fresh = numbers();
  leave(node);
  points_.push_back(place);
  links_.push_back({node, after});
  links_[at(node)].next = fresh;
  links_[at(after)].previous = fresh;
  ++size_;
  if (wanted_cells() > grid_.along()) {
    lay_grid();
  } else {
    enter(node);
    enter(fresh);
  }
  return fresh;
}

}  // namespace meander::contour

namespace meander {

namespace {

/// Whether all of it is seen from the mean of its vertices, in one turn: then no two edges meet.
bool is_star_shaped(const std::vector<GridPoint>& vertices) {
  const auto n = static_cast<std::int64_t>(vertices.size());
  GridPoint middle;
  for (const GridPoint& p : vertices) middle = {middle.x + p.x, middle.y + p.y};
  middle = {middle.x / n, middle.y / n};
  int turns = 0;
  GridPoint a = vertices.back();
  for (const GridPoint& b : vertices) {
    const std::int64_t ax = a.x - middle.x, ay = a.y - middle.y;
    const std::int64_t bx = b.x - middle.x, by = b.y - middle.y;
    if (ax * by - ay * bx <= 0) return false;
    if (ay < 0 && by >= 0) ++turns;
    a = b;
  }
  return turns == 1;
}

}  // namespace

bool is_simple(const Polygon& polygon) {
  return polygon.vertices.size() >= 3 &&
         (is_star_shaped(polygon.vertices) || contour::Ring(polygon.vertices).is_simple());
}

}  // namespace meander
