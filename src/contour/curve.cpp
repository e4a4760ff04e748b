// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "contour/spline_parts.hpp"

namespace meander::contour {
namespace {

/// In pixels. Steps of less are below what noise tells of any outline.
constexpr double narrowest = 0.125;
/// In pixels: an image has room for few outlines as long, for which a longer search takes little in
/// all.
constexpr double long_outline = 1000;
/// By how much the criterion has to fall, at least, for a step to count.
constexpr double worth_moving = 0.5;

/// What the search may turn: a node along a direction.
struct Parameter {
  std::size_t node = 0;
  Vector direction;  ///< Of length 1.
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
             const std::vector<bool>& rings, Spline spline, std::int64_t& evaluations)
      : image_(&image),
        criterion_(&criterion),
        surroundings_(&surroundings),
        rings_(&rings),
        evaluations_(&evaluations) {
    become(std::move(spline));
  }

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
  void draw_back() {
    constexpr int most_steps = 12;
    constexpr double pixels = -0.5;
    for (int i = 0; i < most_steps; ++i) {
      std::vector<std::size_t> blocked = blocked_nodes();
      if (blocked.empty()) return;
      std::sort(blocked.begin(), blocked.end());
      blocked.erase(std::unique(blocked.begin(), blocked.end()), blocked.end());
      const std::vector<Parameter> outwards = across();
      Spline next = spline_;
      for (const std::size_t node : blocked) {
        next.nodes[node].at = rounded(moved(outwards[node], pixels));
      }
      become(std::move(next));
    }
  }

  /// What it takes to say where a node lies across the curve: the log of the number of places that
  /// can be told apart, by a rise of the criterion by 1, within the distance between nodes. Where
  /// it lies along the curve says nothing but at a corner.
  double node_cost() {
    if (!node_cost_) {
      const auto count = static_cast<double>(spline_.nodes.size());
      constexpr double fewest_places = 3;
      const double places = polygon().perimeter() / count * mean_rise(slopes(across(), 1), 1);
      node_cost_ = rounded_criterion(std::log(std::max(places, fewest_places)));
    }
    return *node_cost_;
  }
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
  bool add_corner(const Polygon& corners) {
    std::vector<engine::ContourEdge> edges;
    std::vector<std::size_t> ends;
    std::vector<Spline> others;
    std::vector<RegionSums> sums;
    for (std::size_t i = 0; i < spline_.nodes.size(); ++i) {
      if (spline_.nodes[i].is_corner) continue;
      const Vector from = vector_of(spline_.nodes[i].at);
      const auto away = [&](GridPoint p) { return length_of(vector_of(p) - from); };
      const GridPoint to =
          *std::min_element(corners.vertices.begin(), corners.vertices.end(),
                            [&](GridPoint p, GridPoint q) { return away(p) < away(q); });
      others.push_back(spline_);
      others.back().nodes[i] = {to, true};
      sums.push_back(without_pieces_of(i));
      const Controls controls(others.back());
      for (std::size_t k = 0; k < controls.pieces_of(i); ++k) {
        controls.append((controls.first_piece_of(i) + k) % controls.size(), edges);
      }
      ends.push_back(edges.size());
    }
    const std::vector<RegionSums> parts = sums_along(edges, others.size());
    for (std::size_t i = 0, next = 0; i < sums.size(); ++i) {
      for (; next < ends[i]; ++next) sums[i] += parts[next];
    }
    double least = value_ - node_cost();
    std::size_t best = others.size();
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (!criterion_->is_divided_by(sums[i]) || !(criterion_->of(sums[i]) < least)) continue;
      least = criterion_->of(sums[i]);
      best = i;
    }
    if (best == others.size()) return false;
    become(std::move(others[best]));
    return true;
  }

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

  void become(Spline spline) {
    spline_ = std::move(spline);
    controls_ = Controls(spline_);
    edges_.clear();
    ends_.clear();
    for (std::size_t i = 0; i < controls_.size(); ++i) {
      controls_.append(i, edges_);
      ends_.push_back(edges_.size());
    }
    sums_ = sums_along(edges_, 1);
    inside_ = {};
    for (const RegionSums& sums : sums_) inside_ += sums;
    value_ = criterion_->of(inside_);
    node_cost_.reset();
  }

  /// Of each node across the curve and, where it is a corner or all are asked for, along it.
  std::vector<Parameter> parameters(bool is_all) const {
    std::vector<Parameter> found;
    const std::size_t n = spline_.nodes.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Vector chord =
          vector_of(spline_.nodes[(i + 1) % n].at) - vector_of(spline_.nodes[(i + n - 1) % n].at);
      const double length = length_of(chord);
      const Vector along = length > 0 ? 1 / length * chord : Vector{1, 0};
      found.push_back({i, {along.y, -along.x}});
      if (is_all || spline_.nodes[i].is_corner) found.push_back({i, along});
    }
    return found;
  }
  std::vector<Parameter> across() const {
    std::vector<Parameter> found = parameters(true);
    for (std::size_t i = 0; 2 * i < found.size(); ++i) found[i] = found[2 * i];
    found.resize(found.size() / 2);
    return found;
  }

  Vector moved(const Parameter& parameter, double pixels) const {
    return vector_of(spline_.nodes[parameter.node].at) +
           pixels * grid_steps_per_pixel * parameter.direction;
  }

  /// Sums along the pieces that a node is no part of.
  RegionSums without_pieces_of(std::size_t node) const {
    RegionSums rest = inside_;
    for (std::size_t k = 0; k < controls_.pieces_of(node); ++k) {
      const std::size_t piece = (controls_.first_piece_of(node) + k) % controls_.size();
      for (std::size_t e = piece > 0 ? ends_[piece - 1] : 0; e < ends_[piece]; ++e)
        rest -= sums_[e];
    }
    return rest;
  }

  /// By all parameters, which are in the order of the nodes. The strips of the width on both sides
  /// of the edges are what the curve sweeps when all of it moves; when one node does, it sweeps of
  /// each strip the part that the node's basis function says.
  std::vector<Slope> slopes(const std::vector<Parameter>& parameters, double width) const {
    const std::size_t n = edges_.size();
    std::vector<Vector> normals;  // At each vertex.
    for (std::size_t i = 0; i < n; ++i) {
      const Vector along = vector_of(edges_[i].to) - vector_of(edges_[(i + n - 1) % n].from);
      const double length = length_of(along);
      normals.push_back(length > 0 ? 1 / length * Vector{along.y, -along.x} : Vector{});
    }
    std::vector<engine::ContourEdge> sides, far;  // Across the curve at each vertex, and beside it.
    for (const double by : {width, -width}) {
      for (std::size_t i = 0; i < n; ++i) {
        const Vector to = vector_of(edges_[i].from) + by * grid_steps_per_pixel * normals[i];
        sides.push_back({edges_[i].from, rounded(to)});
      }
      const engine::ContourEdge* side = &sides[sides.size() - n];
      for (std::size_t i = 0; i < n; ++i) far.push_back({side[i].to, side[(i + 1) % n].to});
    }
    sides.insert(sides.end(), far.begin(), far.end());
    const std::vector<RegionSums> sums = sums_along(sides, 2 * parameters.size());
    std::vector<std::size_t> first(spline_.nodes.size() + 1, parameters.size());  // Of each node.
    for (std::size_t p = parameters.size(); p-- > 0;) first[parameters[p].node] = p;

    std::vector<std::array<double, 2>> rises(parameters.size());
    for (std::size_t piece = 0, edge = 0; piece < ends_.size(); ++piece) {
      const auto count = static_cast<double>(ends_[piece] - edge);
      for (double k = 0.5; edge < ends_[piece]; ++edge, ++k) {
        const std::size_t next = (edge + 1) % n;
        std::array<double, 2> rise{};
        for (std::size_t side = 0; side < 2; ++side) {
          const RegionSums inside = inside_ - sums_[edge] + sums[side * n + edge] +
                                    sums[(2 + side) * n + edge] - sums[side * n + next];
          if (criterion_->is_divided_by(inside)) rise[side] = criterion_->of(inside) - value_;
        }
        const std::array<double, 4> basis = spline_basis(k / count);
        const Vector along = vector_of(edges_[edge].to) - vector_of(edges_[edge].from);
        const Vector across{along.y, -along.x};
        // At a corner a strip is narrower.
        const double strip = dot(normals[edge] + normals[next], across) / 2;
        for (std::size_t c = 0; c < basis.size(); ++c) {
          const std::size_t node = controls_.node(piece + c);
          for (std::size_t p = first[node]; p < first[node + 1]; ++p) {
            const double share =
                strip > 0 ? basis[c] * dot(parameters[p].direction, across) / strip : 0;
            const std::size_t outer = share > 0 ? 0 : 1;
            rises[p][0] += std::abs(share) * rise[outer];
            rises[p][1] += std::abs(share) * rise[1 - outer];
          }
        }
      }
    }
    std::vector<Slope> found;
    for (const auto& [a, b] : rises) {
      found.push_back({(a - b) / (2 * width), (a + b) / (width * width), std::min(a, b)});
    }
    return found;
  }

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
                                  const std::vector<Slope>& slopes, double width) const {
    const std::size_t n = parameters.size();
    double mean = 0;
    for (const Slope& slope : slopes) mean += std::max(slope.second, 0.0) / static_cast<double>(n);
    if (!(mean > 0)) return std::vector<double>(n, 0);
    // Parameters of nodes up to three apart.
    const bool has_two = n > spline_.nodes.size();
    const std::size_t reach = std::min<std::size_t>(has_two ? 7 : 3, (n - 1) / 2);
    const auto product = [&](std::size_t p, std::size_t q) {
      return controls_.inner_product(parameters[p].node, parameters[q].node) *
             dot(parameters[p].direction, parameters[q].direction);
    };
    std::vector<double> root(n), band(n * (2 * reach + 1));
    for (std::size_t p = 0; p < n; ++p) {
      root[p] = std::sqrt(std::max(slopes[p].second, mean) / product(p, p));
    }
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t k = 0; k <= 2 * reach; ++k) {
        const std::size_t q = (p + n - reach + k) % n;
        band[p * (2 * reach + 1) + k] = root[p] * root[q] * product(p, q);
      }
    }
    const auto times_band = [&](const std::vector<double>& x) {
      std::vector<double> y(n, 0);
      for (std::size_t p = 0; p < n; ++p) {
        for (std::size_t k = 0; k <= 2 * reach; ++k) {
          y[p] += band[p * (2 * reach + 1) + k] * x[(p + n - reach + k) % n];
        }
      }
      return y;
    };
    const auto inner = [&](const std::vector<double>& a, const std::vector<double>& b) {
      double sum = 0;
      for (std::size_t p = 0; p < n; ++p) sum += a[p] * b[p];
      return sum;
    };
    // Conjugate gradients; a few are enough, for the basis is well conditioned.
    constexpr int iterations = 8;
    std::vector<double> x(n, 0), rest(n);
    for (std::size_t p = 0; p < n; ++p) rest[p] = -slopes[p].first;
    std::vector<double> direction = rest;
    double squares = inner(rest, rest);
    for (int i = 0; i < iterations && squares > 0; ++i) {
      const std::vector<double> image = times_band(direction);
      const double along = inner(direction, image);
      if (!(along > 0)) break;
      const double factor = squares / along;
      for (std::size_t p = 0; p < n; ++p) {
        x[p] += factor * direction[p];
        rest[p] -= factor * image[p];
      }
      const double next = inner(rest, rest);
      for (std::size_t p = 0; p < n; ++p) direction[p] = rest[p] + next / squares * direction[p];
      squares = next;
    }
    for (double& by : x) by = std::clamp(by, -width, width);
    return x;
  }

  /// Some steps, until nothing moves.
  void walk(double width, bool is_thorough, bool may_rise, const Control& control) {
    const int most_steps = is_thorough ? 6 : 2;
    for (int i = 0; i < most_steps; ++i) {
      control.step(0);
      const std::vector<Parameter> all = parameters(is_thorough);
      if (!step(all, newton_step(all, slopes(all, width), width), may_rise)) return;
    }
  }

  /// All nodes at once; half as far, and less, where that does not lower the criterion. Says
  /// whether they have moved.
  bool step(const std::vector<Parameter>& parameters, std::vector<double> by, bool may_rise) {
    constexpr int attempts = 2;
    for (int attempt = 0; attempt < attempts; ++attempt) {
      std::vector<Vector> places;
      for (const SplineNode& node : spline_.nodes) places.push_back(vector_of(node.at));
      for (std::size_t p = 0; p < by.size(); ++p) {
        Vector& place = places[parameters[p].node];
        place = place + by[p] * grid_steps_per_pixel * parameters[p].direction;
      }
      Spline to = spline_;
      for (std::size_t i = 0; i < places.size(); ++i) to.nodes[i].at = rounded(places[i]);
      if (to == spline_) return false;
      CurveSnake next = *this;
      next.become(std::move(to));
      const bool is_better = may_rise || next.value_ < value_ - worth_moving;
      if (is_better && criterion_->is_divided_by(next.inside_)) {
        const std::vector<std::size_t> blocked = next.blocked_nodes();
        if (blocked.empty() && next.is_in_place()) {
          *this = std::move(next);
          return true;
        }
        for (std::size_t p = 0; p < by.size(); ++p) {
          const bool is_blocked =
              std::find(blocked.begin(), blocked.end(), parameters[p].node) != blocked.end();
          if (is_blocked) by[p] = 0;
        }
        if (!blocked.empty()) continue;
      }
      for (double& pixels : by) pixels /= 2;
    }
    return false;
  }

  /// Whether it is simple and has passed over no ring; it touches none.
  bool is_in_place() const {
    const Polygon outline = polygon();
    const Obstacles* obstacles = surroundings_->obstacles;
    return is_simple(outline) && (obstacles == nullptr || obstacles->rings_in(outline) == *rings_);
  }

  /// Those of pieces that leave the window or touch an obstacle.
  std::vector<std::size_t> blocked_nodes() const {
    const Box& limits = surroundings_->limits;
    const auto is_free = [&](const engine::ContourEdge& edge) {
      return edge.from.x >= limits.low.x && edge.from.y >= limits.low.y &&
             edge.from.x <= limits.high.x && edge.from.y <= limits.high.y &&
             (surroundings_->obstacles == nullptr || !surroundings_->obstacles->touches(edge));
    };
    std::vector<std::size_t> found;
    std::size_t edge = 0;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      bool is_blocked = false;
      for (; edge < ends_[i]; ++edge) is_blocked = is_blocked || !is_free(edges_[edge]);
      for (std::size_t c = 0; c < 4 && is_blocked; ++c) found.push_back(controls_.node(i + c));
    }
    return found;
  }

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

/// Curves of more and more, or fewer and fewer nodes, of which the one with the shortest
/// description stays.
class CurveSearch {
 public:
  CurveSearch(const SumLevels& image, const Criterion& criterion, const Surroundings& surroundings,
              const Polygon& start, double of_start, const Control& control,
              std::int64_t& evaluations)
      : image_(image),
        criterion_(criterion),
        surroundings_(surroundings),
        start_(start),
        of_start_(of_start),
        control_(control),
        evaluations_(evaluations),
        is_thorough_(start.perimeter() >= long_outline) {
    const double side = std::sqrt(start.signed_area());
    while ((is_thorough_ ? 8 : 32) * widest_ < side) widest_ *= 2;
    if (surroundings.obstacles != nullptr) rings_ = surroundings.obstacles->rings_in(start);
  }

  std::optional<CurveSnake> run() {
    std::size_t count = std::clamp(start_.vertices.size() / (is_thorough_ ? 1 : 2), std::size_t{6},
                                   std::size_t{48});
    if (!is_shorter_with(count, 0)) is_shorter_with(count *= 2, 0);
    if (!best_) return {};
    const auto climb = [&](auto next) {
      const int most_failures = is_thorough_ ? 2 : 1;
      int failures = 0;
      for (std::size_t n = next(count);
           n >= fewest_nodes && n <= most_nodes && failures < most_failures; n = next(n)) {
        const bool is_shorter = is_shorter_with(n, 0);
        if (is_shorter) count = n;
        failures = is_shorter ? 0 : failures + 1;
      }
    };
    const std::size_t first = count;
    climb([](std::size_t n) { return n + (n + 3) / 4; });
    if (count == first) climb([](std::size_t n) { return n - (n + 4) / 5; });
    // Nodes between those of the best one.
    constexpr int most_rounds = 3;
    for (int round = 0; round < most_rounds && is_thorough_; ++round) {
      const std::size_t before = count, tenth = (count + 9) / 10;
      bool is_any = false;
      for (const std::size_t n : {before, before + tenth, before - tenth}) {
        if (n < fewest_nodes || !is_shorter_with(n, 0.5)) continue;
        count = n, is_any = true;
      }
      if (!is_any) break;
    }
    return best_;
  }

  double description_length() const { return shortest_; }

 private:
  static constexpr std::size_t fewest_nodes = 5, most_nodes = 256;

  /// From the best curve so far, at first from the polygon and with longer steps.
  bool is_shorter_with(std::size_t count, double phase) {
    const Polygon from = best_ ? best_->polygon() : start_;
    CurveSnake snake(image_, criterion_, surroundings_, rings_, spline_through(from, count, phase),
                     evaluations_);
    snake.draw_back();
    if (!snake.is_allowed()) return false;
    settle(snake, best_ ? std::max(widest_ / 4, 1.0) : widest_);
    return takes(with_corners(std::move(snake)));
  }

  /// As long as the polygon, which has corners, is closer to the image.
  CurveSnake with_corners(CurveSnake snake) const {
    constexpr int most_corners = 16;
    double length = snake.description_length();
    for (int i = 0; i < most_corners && snake.criterion() > of_start_; ++i) {
      CurveSnake next = snake;
      if (!next.add_corner(start_) || !next.is_allowed()) break;
      settle(next, std::max(widest_, 2.0));
      const double its_length = next.description_length();
      if (!(its_length < length)) break;
      snake = std::move(next);
      length = its_length;
    }
    return snake;
  }

  void settle(CurveSnake& snake, double width) const {
    // Few have corners, and those need more steps.
    const auto& nodes = snake.spline().nodes;
    const bool has_corner = std::any_of(nodes.begin(), nodes.end(),
                                        [](const SplineNode& node) { return node.is_corner; });
    const bool is_thorough = is_thorough_ || has_corner;
    for (; width >= narrowest; width /= 2) snake.settle(width, is_thorough, control_);
  }

  bool takes(CurveSnake snake) {
    const double length = snake.description_length();
    if (best_ && !(length < shortest_)) return false;
    best_ = std::move(snake);
    shortest_ = length;
    return true;
  }

  const SumLevels& image_;
  const Criterion& criterion_;
  const Surroundings& surroundings_;
  const Polygon& start_;
  const double of_start_;  ///< The criterion.
  const Control& control_;
  std::int64_t& evaluations_;
  const bool is_thorough_;
  std::vector<bool> rings_;
  double widest_ = 1;  ///< In pixels.
  std::optional<CurveSnake> best_;
  double shortest_ = 0;
};

}  // namespace

std::optional<CurveFit> fitted_curve(const SumLevels& image, const Criterion& criterion,
                                     const Surroundings& surroundings, const CurveStart& start,
                                     const Control& control, std::int64_t& evaluations) {
  const std::size_t nodes = start.polygon.vertices.size();
  const double value = criterion.of(sums_inside(image, image.rows(), start.polygon));
  const double described =
      cost_of_node(start.polygon, criterion.family().correlation) * static_cast<double>(nodes);
  // Where rounding the corners costs far more than describing them, they are
  // corners.
  if (!start.is_forced) {
    constexpr double far_more = 4;
    const std::vector<bool> none;
    const CurveSnake round(image, criterion, surroundings, none,
                           spline_through(start.polygon, 2 * nodes, 0), evaluations);
    if (round.criterion() - value > far_more * described) return {};
  }
  CurveSearch search(image, criterion, surroundings, start.polygon, value, control, evaluations);
  const std::optional<CurveSnake> best = search.run();
  if (!best) return {};
  // Nodes of polygons and of curves are described differently: what is nearly as long says nothing.
  constexpr double much = 0.85;
  if (!start.is_forced && !(search.description_length() < value + much * described)) return {};
  return CurveFit{best->spline(), search.description_length()};
}

std::vector<double> confidence_of(const SumLevels& image, const Criterion& criterion,
                                  const Spline& spline) {
  std::int64_t evaluations = 0;
  const Surroundings anywhere = everywhere(image);
  const std::vector<bool> none;
  return CurveSnake(image, criterion, anywhere, none, spline, evaluations).confidence();
}

}  // namespace meander::contour
