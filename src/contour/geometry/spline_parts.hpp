// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "engine/contour.hpp"
#include "meander/outline.hpp"

/// A closed spline in pieces.
namespace meander::contour {

Point in_grid_steps(GridPoint point);
double length_of(Point a);
GridPoint rounded(Point a);

/// How much each of its four control points counts in a cubic, at a place from 0 to 1.
std::array<double, 4> spline_basis(double t);

/// The control points of a spline, a corner three times, and its cubics: number i has control
/// points i to i + 3.
class Controls {
 public:
  Controls() = default;
  explicit Controls(const Spline& spline);

  std::size_t size() const { return points_.size(); }
  /// The node that a control point is of.
  std::size_t node(std::size_t i) const { return nodes_[i % nodes_.size()]; }
  std::array<Point, 4> bezier(std::size_t i) const;
  /// Edges in the place of a cubic, nowhere farther than 1/20 pixel from it, behind others.
  void append(std::size_t i, std::vector<engine::ContourEdge>& edges) const;
  /// All edges, and the number of the first one of each cubic.
  std::vector<std::size_t> first_edges(std::vector<engine::ContourEdge>& edges) const;
  /// The first of the cubics that a node is part of, and how many they are.
  std::size_t first_piece_of(std::size_t node) const {
    return (first_[node] + size() - 3) % size();
  }
  std::size_t pieces_of(std::size_t node) const {
    return std::min(first_[node + 1] - first_[node] + 3, size());
  }
  /// Of the basis functions of two nodes, in cubics.
  double inner_product(std::size_t a, std::size_t b) const;

 private:
  std::vector<Point> points_;
  std::vector<std::size_t> nodes_;
  std::vector<std::size_t> first_;  ///< Control point of each node.
};

/// A smooth spline through points along a polygon, at distances that are one third equal in length
/// and two thirds in vertices, of which there are more where it bends; the first is so many
/// distances (`phase`) behind the first vertex.
Spline spline_through(const Polygon& ring, std::size_t nodes, double phase);

}  // namespace meander::contour
