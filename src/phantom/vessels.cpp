// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/scene.hpp"

#include <algorithm>
#include <cmath>

#include "phantom/noise/elementary.hpp"
#include "phantom/noise/noise.hpp"
#include "phantom/noise/philox.hpp"

/// The tree grows by space colonisation (Runions, Lane and Prusinkiewicz, 2007): points of demand
/// are strewn over the image, each pulls the node nearest to it, and falls silent once it is
/// reached. Lengths are relative to the longest side until the tubes are made.
namespace meander::phantoms {
namespace {

using Vector = std::array<double, 3>;

Vector operator+(const Vector& a, const Vector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Vector operator-(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Vector operator*(double s, const Vector& a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

struct Node {
  Vector place;
  std::size_t parent;
};

struct Demand {
  Vector place;
  std::size_t nearest = 0;
  double distance = 0;
};

struct Domain {
  Vector extent;
  double longest;  // in pixels
  int dimensions;
  double gap;  // between points of demand

  explicit Domain(const Shape& shape) : dimensions(shape.rank()) {
    longest = static_cast<double>(std::max({shape.x, shape.y, shape.z}));
    const double depth = dimensions == 3 ? static_cast<double>(shape.z) : 0;
    extent = {static_cast<double>(shape.x) / longest, static_cast<double>(shape.y) / longest,
              depth / longest};
    const double area = extent[0] * extent[1];
    gap = dimensions == 3 ? cube_root(area * extent[2] / 1000) : std::sqrt(area / 500);
    gap = std::max(gap, 0.01);  // a thread of pixels needs no thousands of points
  }
};

std::vector<Demand> strew_demand(const Domain& domain, std::uint64_t seed) {
  std::array<int, 3> counts{};
  for (int axis = 0; axis < 3; ++axis) {
    counts[axis] = std::max(1, static_cast<int>(domain.extent[axis] / domain.gap));
  }
  UniformSequence uniforms(seed, 0, Purpose::geometry);
  std::vector<Demand> demand;
  for (int cell = 0; cell < counts[0] * counts[1] * counts[2]; ++cell) {
    const std::array<int, 3> index{cell % counts[0], cell / counts[0] % counts[1],
                                   cell / counts[0] / counts[1]};
    Demand point;
    for (int axis = 0; axis < 3; ++axis) {
      point.place[axis] = domain.extent[axis] * (index[axis] + uniforms.next()) / counts[axis];
    }
    demand.push_back(point);
  }
  return demand;
}

double distance_between(const Vector& a, const Vector& b) { return std::sqrt(dot(a - b, a - b)); }

/// One new node from every node that is pulled, towards the mean of its pulls.
void sprout(std::vector<Node>& nodes, const std::vector<Demand>& demand, double stride) {
  const std::size_t count = nodes.size();
  std::vector<Vector> pull(count, Vector{});
  for (const Demand& point : demand) {
    pull[point.nearest] =
        pull[point.nearest] + (1 / point.distance) * (point.place - nodes[point.nearest].place);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const double strength = std::sqrt(dot(pull[i], pull[i]));
    if (strength > 1e-9) nodes.push_back({nodes[i].place + (stride / strength) * pull[i], i});
  }
}

/// How many points pull each node.
std::vector<int> count_pulls(const std::vector<Demand>& demand, std::size_t nodes) {
  std::vector<int> pulls(nodes, 0);
  for (const Demand& point : demand) ++pulls[point.nearest];
  return pulls;
}

/// Lets the points turn to nodes from `first` on that are nearer by at least `least_gain`.
void turn_to_new_nodes(std::vector<Demand>& demand, const std::vector<Node>& nodes,
                       std::size_t first, double least_gain) {
  for (Demand& point : demand) {
    for (std::size_t i = first; i < nodes.size(); ++i) {
      const double distance = distance_between(point.place, nodes[i].place);
      if (distance < point.distance - least_gain) {
        point.distance = distance;
        point.nearest = i;
      }
    }
  }
}

/// Forgets points that were reached, and those at nodes that no point has left: their pulls cancel
/// and would give the same useless node for ever. So every round brings some point nearer or drops
/// one.
void drop_settled(std::vector<Demand>& demand, const std::vector<int>& pulls_before, double reach) {
  std::vector<int> pulls = count_pulls(demand, pulls_before.size());
  std::erase_if(demand, [&](const Demand& point) {
    return point.distance < reach || pulls[point.nearest] == pulls_before[point.nearest];
  });
}

std::vector<Node> grow_nodes(const Domain& domain, std::uint64_t seed) {
  const double stride = 0.25 * domain.gap;
  const double reach = 0.7 * domain.gap;
  std::vector<Node> nodes{{{0.5 * domain.extent[0], domain.extent[1], 0.5 * domain.extent[2]}, 0}};
  std::vector<Demand> demand = strew_demand(domain, seed);
  for (Demand& point : demand) point.distance = distance_between(point.place, nodes[0].place);
  std::erase_if(demand, [&](const Demand& point) { return point.distance < reach; });
  while (!demand.empty()) {
    const std::size_t first = nodes.size();
    sprout(nodes, demand, stride);
    std::vector<int> pulls = count_pulls(demand, nodes.size());
    turn_to_new_nodes(demand, nodes, first, 1e-3 * stride);
    drop_settled(demand, pulls, reach);
  }
  return nodes;
}

/// Murray's law: at a fork the cubes of the radii add up.
std::vector<double> radii_of(const std::vector<Node>& nodes, double tip) {
  std::vector<double> cubes(nodes.size(), 0.0);
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (cubes[i] == 0) cubes[i] = tip * tip * tip;
    if (i > 0) cubes[nodes[i].parent] += cubes[i];
  }
  for (double& cube : cubes) cube = cube_root(cube);
  return cubes;
}

bool is_inside(const Tube& tube, const Vector& pixel) {
  const Vector axis = tube.to - tube.from;
  const Vector offset = pixel - tube.from;
  const double along = std::clamp(dot(offset, axis) / dot(axis, axis), 0.0, 1.0);
  const double radius = tube.radius_from + along * (tube.radius_to - tube.radius_from);
  const Vector across = offset - along * axis;
  return dot(across, across) <= radius * radius;
}

struct Interval {
  std::int64_t begin, end;
};

/// The pixels that the tube may cover along one axis, cut to [begin, end).
Interval covered(const Tube& tube, int axis, std::int64_t begin, std::int64_t end) {
  const double low = std::min(tube.from[axis] - tube.radius_from, tube.to[axis] - tube.radius_to);
  const double high = std::max(tube.from[axis] + tube.radius_from, tube.to[axis] + tube.radius_to);
  return {std::max(begin, static_cast<std::int64_t>(std::ceil(low))),
          std::min(end, static_cast<std::int64_t>(std::floor(high)) + 1)};
}

}  // namespace

std::vector<Tube> grow_vessels(const Canvas& canvas) {
  const Domain domain(canvas.shape);
  const std::vector<Node> nodes = grow_nodes(domain, canvas.seed);
  const std::vector<double> radii = radii_of(nodes, std::max(0.75, 0.004 * domain.longest));
  const auto in_pixels = [&](const Vector& place) {
    Vector pixel = domain.longest * place - Vector{0.5, 0.5, 0.5};
    if (domain.dimensions == 2) pixel[2] = 0;
    return pixel;
  };
  std::vector<Tube> tubes;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const std::size_t parent = nodes[i].parent;
    tubes.push_back(
        {in_pixels(nodes[parent].place), in_pixels(nodes[i].place), radii[parent], radii[i]});
  }
  return tubes;
}

void paint_tubes(const std::vector<Tube>& tubes, const Band& band, std::uint8_t* tenths) {
  std::fill(tenths, tenths + band.pixels(), std::uint8_t{0});
  for (const Tube& tube : tubes) {
    const Interval depth = covered(tube, 2, band.z, band.z + 1);
    if (depth.begin >= depth.end) continue;
    const Interval rows = covered(tube, 1, band.y_begin, band.y_end);
    const Interval columns = covered(tube, 0, 0, band.width);
    for (std::int64_t y = rows.begin; y < rows.end; ++y) {
      std::uint8_t* row = tenths + (y - band.y_begin) * band.width;
      for (std::int64_t x = columns.begin; x < columns.end; ++x) {
        const Vector pixel{static_cast<double>(x), static_cast<double>(y),
                           static_cast<double>(band.z)};
        if (is_inside(tube, pixel)) row[x] = tenths_of_target;
      }
    }
  }
}

}  // namespace meander::phantoms
