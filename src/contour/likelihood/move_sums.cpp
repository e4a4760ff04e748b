// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/likelihood/sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace meander::contour {
namespace {

using engine::ContourEdge;
using engine::ContourTriangle;

/// What of some changes is asked of the engine, and where the answers go. A search makes thousands
/// of small batches: buffers are kept from one to the next, one set for each thread.
struct Batch {
  std::vector<ContourTriangle> triangles;
  std::vector<ContourEdge> edges;
  std::vector<RegionSums> swept, along;
  std::vector<char> is_by_edges;  ///< Of each change.

  void clear() {
    triangles.clear();
    edges.clear();
  }
  void run(const SumLevels& image, const CumulatedSums& sums) {
    swept.resize(triangles.size());
    along.resize(edges.size());
    if (!triangles.empty()) {
      image.backend().sum_triangles(image.pixels(), triangles, swept.data());
    }
    if (!edges.empty()) image.backend().sum_edges(sums, edges, along.data());
  }
};

Batch& empty_batch() {
  thread_local Batch batch;
  batch.clear();
  return batch;
}

/// The areas that a change sweeps: with `to`, the triangles on both sides of node → to; their
/// common side cancels.
void add_triangles(const Change& c, std::vector<ContourTriangle>& triangles) {
  if (c.to) {
    triangles.push_back({c.before, *c.to, c.node});
    triangles.push_back({*c.to, c.after, c.node});
  } else {
    triangles.push_back({c.before, c.after, c.node});
  }
}

bool is_same_chain(const Change& a, const Change& b) {
  return a.before == b.before && a.node == b.node && a.after == b.after;
}

/// Edges that come less those that go. Candidates of one node follow each other: the edges that go
/// are the same, and summed once.
void add_edges(const Change* last, const Change& c, std::vector<ContourEdge>& edges) {
  if (last == nullptr || !is_same_chain(*last, c)) {
    edges.push_back({c.node, c.before});
    edges.push_back({c.after, c.node});
  }
  edges.push_back({c.before, c.to.value_or(c.after)});
  if (c.to) edges.push_back({*c.to, c.after});
}

/// Takes the answers in the order in which changes were added.
class Answers {
 public:
  explicit Answers(const Batch& batch) : batch_(batch) {}
  RegionSums by_triangles(const Change& c) {
    RegionSums sums = batch_.swept[triangle_++];
    if (c.to) sums += batch_.swept[triangle_++];
    return sums;
  }
  RegionSums by_edges(const Change* last, const Change& c) {
    if (last == nullptr || !is_same_chain(*last, c)) {
      going_ = batch_.along[edge_] + batch_.along[edge_ + 1];
      edge_ += 2;
    }
    RegionSums sums = going_ + batch_.along[edge_++];
    if (c.to) sums += batch_.along[edge_++];
    return sums;
  }

 private:
  const Batch& batch_;
  std::size_t triangle_ = 0, edge_ = 0;
  RegionSums going_;
};

double doubled_area(GridPoint a, GridPoint b, GridPoint c) {
  return std::abs(static_cast<double>((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)));
}

/// Whether a change sweeps so much that the sums along its edges are found sooner: those cost as
/// much as some 64 pixels in every row.
bool is_large(const Change& c) {
  constexpr double pixels_a_row = 64;
  const GridPoint to = c.to.value_or(c.after);
  const double swept = doubled_area(c.before, to, c.node) + doubled_area(to, c.after, c.node);
  const auto [top, bottom] = std::minmax({c.before.y, c.node.y, c.after.y, to.y});
  return swept / 2 > pixels_a_row * grid_steps_per_pixel * static_cast<double>(bottom - top);
}

}  // namespace

/// Small changes by what they sweep, large ones, and all of a level of blocks, by their edges.
void sums_of_changes(const SumLevels& image, const SearchLevel& level,
                     std::span<const Change> changes, std::vector<RegionSums>& results) {
  Batch& batch = empty_batch();
  results.resize(changes.size());
  batch.is_by_edges.resize(changes.size());
  const Change* last = nullptr;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Change& c = changes[i];
    batch.is_by_edges[i] = !level.sweeps || is_large(c);
    if (batch.is_by_edges[i]) {
      add_edges(last, c, batch.edges);
      last = &c;
    } else {
      add_triangles(c, batch.triangles);
    }
  }
  batch.run(image, *level.sums);
  Answers answers(batch);
  last = nullptr;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Change& c = changes[i];
    const bool along = batch.is_by_edges[i];
    results[i] = along ? answers.by_edges(last, c) : answers.by_triangles(c);
    if (along) last = &c;
  }
}

RegionSums sums_inside(const SumLevels& image, const CumulatedSums& sums, const Polygon& polygon) {
  Batch& batch = empty_batch();
  const auto& vertices = polygon.vertices;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    batch.edges.push_back({vertices[i], vertices[(i + 1) % vertices.size()]});
  }
  batch.run(image, sums);
  RegionSums inside;
  for (const auto& part : batch.along) inside += part;
  return inside;
}

}  // namespace meander::contour
