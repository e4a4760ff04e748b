// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/ring.hpp"

#include <algorithm>

namespace meander::contour {
namespace {

/// Cells along each axis for so many edges: so that a cell holds a few of them.
std::int64_t cells_for(std::int64_t edges) {
  std::int64_t cells = 16;
  while (cells < 1024 && cells * 32 < edges) cells *= 2;
  return cells;
}

struct Range {
  std::int64_t low, high;
};

/// The x that an edge has between two heights, to within one step outwards.
Range x_between(const ContourEdge& edge, std::int64_t y_low, std::int64_t y_high) {
  const GridPoint from = edge.from, to = edge.to;
  const auto [x_low, x_high] = std::minmax(from.x, to.x);
  if (from.y == to.y) return {x_low, x_high};
  const auto x_at = [&](std::int64_t y) {
    return from.x + (y - from.y) * (to.x - from.x) / (to.y - from.y);
  };
  const std::int64_t at_low = x_at(y_low), at_high = x_at(y_high);
  const auto [a, b] = std::minmax(at_low, at_high);
  return {std::max(a - 1, x_low), std::min(b + 1, x_high)};
}

}  // namespace

Ring::Ring(const std::vector<GridPoint>& nodes)
    : points_(nodes), size_(static_cast<std::int64_t>(nodes.size())) {
  const int count = static_cast<int>(nodes.size());
  for (int i = 0; i < count; ++i) links_.push_back({(i + count - 1) % count, (i + 1) % count});
  lay_grid();
}

void Ring::lay_grid() {
  const std::vector<int> nodes = order();
  const auto [low, high] = box_around(polygon());
  low_ = low;
  along_ = cells_for(size_);
  cell_ = std::max(high.x - low.x, high.y - low.y) / along_ + 1;
  cells_.assign(static_cast<std::size_t>(along_ * along_), {});
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

std::int64_t Ring::cell_of(std::int64_t distance) const {
  return distance < 0 ? 0 : std::min(distance / cell_, along_ - 1);
}

/// Calls f(cell) for the cells that an edge passes through, and some beside it, until one answers
/// true.
template <class F>
bool Ring::any_cell(const ContourEdge& edge, F f) const {
  const auto [y_low, y_high] = std::minmax(edge.from.y, edge.to.y);
  const std::int64_t last = cell_of(y_high - low_.y);
  for (std::int64_t row = cell_of(y_low - low_.y); row <= last; ++row) {
    const std::int64_t top = row == 0 ? y_low : std::max(y_low, low_.y + row * cell_);
    const std::int64_t bottom = row == last ? y_high : low_.y + (row + 1) * cell_;
    const Range x = x_between(edge, top, bottom);
    for (std::int64_t column = cell_of(x.low - low_.x); column <= cell_of(x.high - low_.x);
         ++column) {
      if (f(static_cast<std::size_t>(row * along_ + column))) return true;
    }
  }
  return false;
}

void Ring::enter(int node) {
  any_cell(edge(node), [&](std::size_t cell) {
    cells_[cell].push_back(node);
    return false;
  });
}

void Ring::leave(int node) {
  any_cell(edge(node), [&](std::size_t cell) {
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
  any_cell(proposal.edge, [&](std::size_t cell) {
    const auto conflict = std::find_if(cells_[cell].begin(), cells_[cell].end(),
                                       [&](int other) { return conflicts(proposal, other); });
    if (conflict != cells_[cell].end()) found = *conflict;
    return found >= 0;
  });
  return found;
}

bool Ring::is_free(const Proposal& proposal) const {
  return proposal.edge.from != proposal.edge.to && conflict_of(proposal) < 0;
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
  return allows_corner({before, after, to, {before, node, -1}});
}

bool Ring::allows_removal(int node) const {
  if (size_ <= 3) return false;
  const int before = previous(node), after = next(node);
  return is_free({{point(before), point(after)}, previous(before), after, {before, node, -1}});
}

bool Ring::allows_merger(int node, GridPoint to) const {
  if (size_ <= 3) return false;
  const int before = previous(node), other = next(node);
  return allows_corner({before, next(other), to, {before, node, other}});
}

bool Ring::allows_insertion(int node, GridPoint at) const {
  return allows_corner({node, next(node), at, {node, -1, -1}});
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
  if (cells_for(size_) > along_) {
    lay_grid();
  } else {
    enter(node);
    enter(fresh);
  }
  return fresh;
}

}  // namespace meander::contour

namespace meander {

bool is_simple(const Polygon& polygon) {
  return polygon.vertices.size() >= 3 && contour::Ring(polygon.vertices).is_simple();
}

}  // namespace meander
