// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/changes.hpp"

namespace meander::contour {
namespace {

using engine::ContourEdge;
using engine::ContourTriangle;

/// Swept areas: with to, the triangles on both sides of node → to; their common side cancels.
std::vector<RegionSums> by_triangles(const SumLevels& image, std::span<const Change> changes) {
  std::vector<ContourTriangle> triangles;
  triangles.reserve(2 * changes.size());
  for (const Change& c : changes) {
    if (c.to) {
      triangles.push_back({c.before, *c.to, c.node});
      triangles.push_back({*c.to, c.after, c.node});
    } else {
      triangles.push_back({c.before, c.after, c.node});
    }
  }
  std::vector<RegionSums> swept(triangles.size());
  image.backend().sum_triangles(image.pixels(), triangles, swept.data());
  std::vector<RegionSums> results(changes.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    results[i] = swept[next++];
    if (changes[i].to) results[i] += swept[next++];
  }
  return results;
}

/// Edges that come less those that go. Candidates of one node follow each other: the edges that go
/// are the same, and summed once.
std::vector<RegionSums> by_edges(const SumLevels& image, const CumulatedSums& sums,
                                 std::span<const Change> changes) {
  std::vector<ContourEdge> edges;
  edges.reserve(3 * changes.size());
  const auto same_chain = [&](std::size_t i) {
    const Change &a = changes[i - 1], &b = changes[i];
    return a.before == b.before && a.node == b.node && a.after == b.after;
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Change& c = changes[i];
    if (i == 0 || !same_chain(i)) {
      edges.push_back({c.node, c.before});
      edges.push_back({c.after, c.node});
    }
    edges.push_back({c.before, c.to.value_or(c.after)});
    if (c.to) edges.push_back({*c.to, c.after});
  }
  std::vector<RegionSums> parts(edges.size());
  image.backend().sum_edges(sums, edges, parts.data());
  std::vector<RegionSums> results(changes.size());
  RegionSums going;
  std::size_t next = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (i == 0 || !same_chain(i)) {
      going = parts[next] + parts[next + 1];
      next += 2;
    }
    results[i] = going + parts[next++];
    if (changes[i].to) results[i] += parts[next++];
  }
  return results;
}

}  // namespace

std::vector<RegionSums> sums_of_changes(const SumLevels& image, const SearchLevel& level,
                                        std::span<const Change> changes) {
  if (changes.empty()) return {};
  return level.sweeps ? by_triangles(image, changes) : by_edges(image, *level.sums, changes);
}

RegionSums sums_inside(const SumLevels& image, const CumulatedSums& sums, const Polygon& polygon) {
  std::vector<ContourEdge> edges;
  const auto& vertices = polygon.vertices;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    edges.push_back({vertices[i], vertices[(i + 1) % vertices.size()]});
  }
  std::vector<RegionSums> parts(edges.size());
  image.backend().sum_edges(sums, edges, parts.data());
  RegionSums inside;
  for (const auto& part : parts) inside += part;
  return inside;
}

}  // namespace meander::contour
