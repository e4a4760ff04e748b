// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <vector>

#include "contour/geometry/spline_parts.hpp"
#include "contour/region/snake.hpp"

namespace meander::contour {

/// What the search may turn: a node along a direction.
struct Parameter {
  std::size_t node = 0;
  Point direction;  ///< Of length 1.
};

/// Derivatives of the criterion, by differences over a width.
struct Slope {
  double first = 0, second = 0;
  double rise = 0;  ///< To the lower of both sides.
};

/// A closed spline on its way to the least criterion. Sums and criterion are its own at any time.
class CurveSnake {
 public:
  /// `rings`: those of the obstacles that lie within it, and stay so.
  CurveSnake(const SumLevels& image, const Criterion& criterion, const Surroundings& surroundings,
             const std::vector<bool>& rings, Spline spline, std::int64_t& evaluations);

  const Spline& spline() const { return spline_; }
  double criterion() const { return value_; }
  Polygon polygon() const {
    Polygon polygon;
    for (const engine::ContourEdge& edge : edges_) polygon.vertices.push_back(edge.from);
    return polygon;
  }
  bool is_allowed() const {
    return criterion_->is_divided_by(inside_) && blocked_nodes().empty() && is_in_place();
  }
  /// Nodes that are in the way of obstacles draw back, by some pixels at most.
  void draw_back();

  /// What it takes to say where a node lies across the curve: the log of the number of places that
  /// can be told apart, by a rise of the criterion by 1, within the distance between nodes. Where
  /// it lies along the curve says nothing but at a corner.
  double node_cost();
  double description_length() {
    double coordinates = 0;
    for (const SplineNode& node : spline_.nodes) coordinates += node.is_corner ? 2 : 1;
    return value_ + node_cost() * coordinates;
  }

  /// Newton's method with differences over a width in pixels. While a wrong step costs so little
  /// that noise may outweigh it, some are taken that raise the criterion: what lowers it on
  /// average over the width is followed, not the noise. `is_thorough`: with those, and along the
  /// curve too.
  void settle(double width, bool is_thorough, const Control& control) {
    constexpr double least_rise = 4, most_rise = 64;
    const double rise = is_thorough ? mean_rise(slopes(parameters(true), width), width) : 0;
    if (rise > least_rise && rise < most_rise) walk(width, is_thorough, true, control);
    walk(width, is_thorough, false, control);
  }

  /// The smooth node that lowers the criterion most as a corner at the nearest vertex of a polygon
  /// becomes one, if that is by more than it costs. Says whether one has.
  bool add_corner(const Polygon& corners);

  /// See Outline::confidence.
  std::vector<double> confidence() const {
    std::vector<double> rises;
    for (const Slope& slope : slopes(across(), 1)) rises.push_back(slope.rise);
    return rises;
  }

 private:
  /// Along each edge. `trials`: how many outlines that is.
  std::vector<RegionSums> sums_along(const std::vector<engine::ContourEdge>& edges,
                                     std::size_t trials) const {
    std::vector<RegionSums> sums(edges.size());
    if (!edges.empty()) image_->backend().sum_edges(image_->rows(), edges, sums.data());
    *evaluations_ += static_cast<std::int64_t>(trials);
    return sums;
  }

  void become(Spline spline);

  /// Of each node across the curve and, where it is a corner or all are asked for, along it.
  std::vector<Parameter> parameters(bool is_all) const;
  std::vector<Parameter> across() const {
    std::vector<Parameter> found = parameters(true);
    for (std::size_t i = 0; 2 * i < found.size(); ++i) found[i] = found[2 * i];
    found.resize(found.size() / 2);
    return found;
  }

  Point moved(const Parameter& parameter, double pixels) const {
    return in_grid_steps(spline_.nodes[parameter.node].at) +
           pixels * grid_steps_per_pixel * parameter.direction;
  }

  /// Sums along the pieces that a node is no part of.
  RegionSums without_pieces_of(std::size_t node) const;

  /// By all parameters, which are in the order of the nodes. The strips of the width on both sides
  /// of the edges are what the curve sweeps when all of it moves; when one node does, it sweeps of
  /// each strip the part that the node's basis function says.
  std::vector<Slope> slopes(const std::vector<Parameter>& parameters, double width) const;

  /// Of the criterion when a node moves by the width, along all its parameters, added up.
  double mean_rise(const std::vector<Slope>& slopes, double width) const {
    double sum = 0;
    for (const Slope& slope : slopes) sum += slope.second * width * width / 2;
    return sum / static_cast<double>(spline_.nodes.size());
  }

  /// Where Newton's method leads, in pixels along each parameter. Second derivatives of two nodes
  /// together are taken from what their basis functions have in common, times those of each alone,
  /// which are no less than their mean: where nothing is told, little moves.
  std::vector<double> newton_step(const std::vector<Parameter>& parameters,
                                  const std::vector<Slope>& slopes, double width) const;

  /// Some steps, until nothing moves.
  void walk(double width, bool is_thorough, bool may_rise, const Control& control);

  /// All nodes at once; half as far, and less, where that does not lower the criterion. Says
  /// whether they have moved.
  bool step(const std::vector<Parameter>& parameters, std::vector<double> by, bool may_rise);

  /// Whether it is simple and has passed over no ring; it touches none.
  bool is_in_place() const {
    const Polygon outline = polygon();
    const Obstacles* obstacles = surroundings_->obstacles;
    return is_simple(outline) && (obstacles == nullptr || obstacles->rings_in(outline) == *rings_);
  }

  /// Those of pieces that leave the window or touch an obstacle.
  std::vector<std::size_t> blocked_nodes() const;

  const SumLevels* image_;
  const Criterion* criterion_;
  const Surroundings* surroundings_;
  const std::vector<bool>* rings_;
  Spline spline_;
  Controls controls_;
  std::vector<engine::ContourEdge> edges_;  ///< Of all pieces.
  std::vector<std::size_t> ends_;           ///< Of each piece.
  std::vector<RegionSums> sums_;            ///< Along each edge.
  RegionSums inside_;
  double value_ = 0;
  std::optional<double> node_cost_;  ///< Once it is known.
  std::int64_t* evaluations_;
};

}  // namespace meander::contour
