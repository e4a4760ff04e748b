// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/changes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace meander::contour {
namespace {

using engine::ContourEdge;
using engine::ContourTriangle;

/// Swept areas: with to, the triangles on both sides of node → to; their common side cancels.
std::vector<RegionSums> by_triangles(const SumLevels& image, std::span<const Change> changes) {
  if (changes.empty()) return {};
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
  if (changes.empty()) return {};
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

/// Small changes by what they sweep, large ones by their edges.
std::vector<RegionSums> by_size(const SumLevels& image, const CumulatedSums& sums,
                                std::span<const Change> changes) {
  std::array<std::vector<Change>, 2> kinds;
  for (const Change& c : changes) kinds[is_large(c) ? 1 : 0].push_back(c);
  const std::array<std::vector<RegionSums>, 2> parts{by_triangles(image, kinds[0]),
                                                     by_edges(image, sums, kinds[1])};
  std::array<std::size_t, 2> next{};
  std::vector<RegionSums> results;
  results.reserve(changes.size());
  for (const Change& c : changes) {
    const std::size_t kind = is_large(c) ? 1 : 0;
    results.push_back(parts[kind][next[kind]++]);
  }
  return results;
}

}  // namespace

std::vector<RegionSums> sums_of_changes(const SumLevels& image, const SearchLevel& level,
                                        std::span<const Change> changes) {
  return level.sweeps ? by_size(image, *level.sums, changes)
                      : by_edges(image, *level.sums, changes);
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
