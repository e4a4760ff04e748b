// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <numbers>
#include <string>
#include <vector>

#include "filter/smooth/smooth_testing.hpp"
#include "meander/flow.hpp"

/// What vector flow is compared with: gradient, step and residual cell by cell in float64. Nothing
/// here is shared with the library.
namespace meander::testing {

/// A grid for each component.
using Vectors = std::vector<Grid>;

inline constexpr FlowBorder flow_borders[] = {FlowBorder::mirror, FlowBorder::clamp};

inline Border border_kind(FlowBorder border) {
  return border == FlowBorder::mirror ? Border::mirror : Border::clamp;
}

template <class Work>
void for_each_place(const Shape& shape, Work&& work) {
  for (std::int64_t z = 0; z < shape.z; ++z) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      for (std::int64_t x = 0; x < shape.x; ++x) work(x, y, z);
    }
  }
}

/// A number for every pixel, of its place.
template <class Formula>
Grid grid_from(const Shape& shape, Formula&& formula) {
  Grid grid(shape);
  for_each_place(shape, [&](auto x, auto y, auto z) {
    grid.at(x, y, z) =
        formula(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
  });
  return grid;
}

/// Sharp edges, curved and straight, in as many axes as are longer than 1, and nothing between.
inline Grid sharp_phantom(const Shape& shape) {
  const auto across = [](double at, std::int64_t length) {
    return length == 1 ? 0 : (2 * at + 1) / static_cast<double>(length) - 1;
  };
  return grid_from(shape, [&](double x, double y, double z) {
    const double u = across(x, shape.x), v = across(y, shape.y), w = across(z, shape.z);
    const double wobble = 0.62 + 0.12 * std::sin(3 * std::atan2(v, u));
    const bool in_blob = u * u + v * v + w * w < wobble * wobble;
    const bool in_box = std::abs(u - 0.1) < 0.2 && std::abs(v) < 0.15 && std::abs(w) < 0.3;
    return in_box ? 60.0 : in_blob ? 200.0 : 20.0;
  });
}

inline Image image_with(const Grid& grid, const Spacing& spacing, PixelType type = PixelType::f64) {
  return image_of(grid, type).with_spacing(spacing);
}

inline Vectors vectors_of(const Field& field) {
  Vectors vectors;
  for (int i = 0; i < field.dimensions(); ++i) vectors.push_back(grid_of(field.components(), i));
  return vectors;
}

inline Field field_of(const Device& device, const Vectors& vectors, PixelType type,
                      const Spacing& spacing = {}) {
  Image image = Image::allocate({.shape = vectors[0].shape,
                                 .channels = static_cast<int>(vectors.size()),
                                 .type = type,
                                 .spacing = spacing});
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const Grid& grid = vectors[i];
    const int channel = static_cast<int>(i);
    for_each_place(grid.shape, [&](auto x, auto y, auto z) {
      if (type == PixelType::f64) {
        image.mutable_row<double>(y, z, channel)[x] = grid.at(x, y, z);
      } else {
        image.mutable_row<float>(y, z, channel)[x] = static_cast<float>(grid.at(x, y, z));
      }
    });
  }
  return Field(device.upload(image));
}

inline Vectors scaled(Vectors vectors, double factor) {
  for (Grid& grid : vectors) {
    for (double& value : grid.values) value *= factor;
  }
  return vectors;
}

inline double largest_difference(const Vectors& a, const Vectors& b) {
  if (a.size() != b.size()) return INFINITY;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, largest_difference(a[i], b[i]));
  }
  return largest;
}

/// Root of the sum of the squares of a - factor·b.
inline double norm_of_difference(const Vectors& a, const Vectors& b, double factor = 1) {
  double squares = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i].values.size() != b[i].values.size()) return INFINITY;
    for (std::size_t k = 0; k < a[i].values.size(); ++k) {
      squares += std::pow(a[i].values[k] - factor * b[i].values[k], 2);
    }
  }
  return std::sqrt(squares);
}
inline double norm_of(const Vectors& vectors) { return norm_of_difference(vectors, vectors, 0); }

/// In the norm L2, as a part of what is expected.
inline double relative_error(const Vectors& found, const Vectors& expected) {
  return norm_of_difference(found, expected) / norm_of(expected);
}

/// Both say no to a field of 0, whatever the bound: what such a field passes is no test.
inline void expect_relative(const Vectors& found, const Vectors& expected, double bound,
                            const std::string& at) {
  EXPECT_GT(relative_error(scaled(expected, 0), expected), bound) << at << ": 0 would pass";
  EXPECT_LE(relative_error(found, expected), bound) << at;
}
inline void expect_within(const Vectors& found, const Vectors& expected, double bound,
                          const std::string& at) {
  EXPECT_GT(largest_difference(scaled(expected, 0), expected), bound) << at << ": 0 would pass";
  EXPECT_LE(largest_difference(found, expected), bound) << at;
}

/// Sides of a pixel over the smallest; a plane has no third.
inline std::array<double, 3> relative_sides(const Shape& shape, const Spacing& spacing) {
  const double of_plane = std::min(spacing.x, spacing.y);
  const double smallest = shape.z > 1 ? std::min(of_plane, spacing.z) : of_plane;
  return {spacing.x / smallest, spacing.y / smallest, spacing.z / smallest};
}

inline double neighbour_of(const Grid& grid, std::array<std::int64_t, 3> at, std::size_t axis,
                           int step, FlowBorder border) {
  const std::int64_t extents[] = {grid.shape.x, grid.shape.y, grid.shape.z};
  at[axis] = pixel_for(at[axis] + step, extents[axis], border_kind(border));
  return grid.at(at[0], at[1], at[2]);
}

inline Vectors plain_gradient(const Grid& image, FlowBorder border, const Spacing& spacing = {}) {
  const auto range = std::ranges::minmax(image.values);
  const std::array<double, 3> sides = relative_sides(image.shape, spacing);
  Vectors gradient;
  for (std::size_t axis = 0; axis < (image.shape.z > 1 ? 3u : 2u); ++axis) {
    Grid& component = gradient.emplace_back(image.shape);
    for_each_place(image.shape, [&](auto x, auto y, auto z) {
      const double rise = neighbour_of(image, {x, y, z}, axis, 1, border) -
                          neighbour_of(image, {x, y, z}, axis, -1, border);
      component.at(x, y, z) = rise / (range.max - range.min) / 2 / sides[axis];
    });
  }
  return gradient;
}

inline Grid squares_of(const Vectors& vectors) {
  Grid sum(vectors[0].shape);
  for (const Grid& grid : vectors) {
    for (std::size_t i = 0; i < sum.values.size(); ++i) {
      sum.values[i] += grid.values[i] * grid.values[i];
    }
  }
  return sum;
}

/// μΔV - b(V - V0) of every component: what a step adds, and the residual of V.
inline Vectors plain_rate(const Vectors& v, const Vectors& v0, double mu, FlowBorder border,
                          const Spacing& spacing = {}) {
  const Grid held = squares_of(v0);
  const std::array<double, 3> sides = relative_sides(held.shape, spacing);
  Vectors rate;
  for (std::size_t i = 0; i < v.size(); ++i) {
    Grid& component = rate.emplace_back(held.shape);
    for_each_place(held.shape, [&](auto x, auto y, auto z) {
      double sum = held.at(x, y, z) * (v0[i].at(x, y, z) - v[i].at(x, y, z));
      for (std::size_t axis = 0; axis < v.size(); ++axis) {
        const double around = neighbour_of(v[i], {x, y, z}, axis, -1, border) +
                              neighbour_of(v[i], {x, y, z}, axis, 1, border);
        sum += mu * (around - 2 * v[i].at(x, y, z)) / (sides[axis] * sides[axis]);
      }
      component.at(x, y, z) = sum;
    });
  }
  return rate;
}

/// |rate| over |b·V0|.
inline double plain_residual(const Vectors& v, const Vectors& v0, double mu, FlowBorder border,
                             const Spacing& spacing = {}) {
  const Vectors rate = plain_rate(v, v0, mu, border, spacing);
  return norm_of(rate) / norm_of(plain_rate(scaled(v0, 0), v0, 0, border, spacing));
}

inline Vectors plain_steps(Vectors v, const Vectors& v0, double mu, FlowBorder border, int steps,
                           const Spacing& spacing = {}) {
  for (int step = 0; step < steps; ++step) {
    const Vectors rate = plain_rate(v, v0, mu, border, spacing);
    for (std::size_t i = 0; i < v.size(); ++i) {
      for (std::size_t k = 0; k < v[i].values.size(); ++k) v[i].values[k] += rate[i].values[k];
    }
  }
  return v;
}

inline FlowOptions in_double(double mu, double tolerance = 1e-10) {
  return {.mu = mu, .tolerance = tolerance, .precision = Precision::float64};
}
inline FlowOptions explicit_steps_of(double mu, std::int64_t steps,
                                     Precision precision = Precision::float32) {
  return {
      .mu = mu, .solver = FlowSolver::explicit_steps, .iterations = steps, .precision = precision};
}

inline std::string words(const Device& device, const Shape& shape, const FlowOptions& options,
                         const Spacing& spacing = {}) {
  return device.name() + " " + to_string(shape) + " " +
         OptionText<FlowSolver>::format(options.solver) + " border " +
         OptionText<FlowBorder>::format(options.border) + " mu " + std::to_string(options.mu) +
         " steps " + std::to_string(options.iterations.value_or(0)) + " spacing " +
         std::to_string(spacing.x) + "," + std::to_string(spacing.y) + "," +
         std::to_string(spacing.z) + " " + OptionText<Precision>::format(options.precision);
}

}  // namespace meander::testing
