// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "filter/smooth/smooth_testing.hpp"
#include "meander/react.hpp"

/// What networks are compared with: the equations as they stand, in u and v and float64, cell by
/// cell. Nothing here is shared with the library.
namespace meander::testing {

inline Border border_kind(ReactBorder border) {
  return border == ReactBorder::clamp      ? Border::clamp
         : border == ReactBorder::mirror   ? Border::mirror
         : border == ReactBorder::periodic ? Border::periodic
                                           : Border::constant;
}

/// The state at a place that may be beyond the grid; 0 beyond the fixed border.
inline double state_at(const Grid& grid, std::array<std::int64_t, 3> at, ReactBorder border) {
  const std::int64_t extents[] = {grid.shape.x, grid.shape.y, grid.shape.z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    at[axis] = pixel_for(at[axis], extents[axis], border_kind(border));
    if (at[axis] < 0) return 0;
  }
  return grid.at(at[0], at[1], at[2]);
}

inline double laplacian_at(const Grid& grid, std::int64_t x, std::int64_t y, std::int64_t z,
                           const ReactOptions& options) {
  const bool volume = grid.shape.z > 1;
  double sum = 0;
  for (int dz = volume ? -1 : 0; dz <= (volume ? 1 : 0); ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const int apart = std::abs(dx) + std::abs(dy) + std::abs(dz);
        const bool nine = !volume && options.laplacian == ReactLaplacian::nine;
        const double weight = apart == 1 ? (nine ? 4.0 / 6 : 1) : nine && apart == 2 ? 1.0 / 6 : 0;
        if (weight == 0) continue;
        sum +=
            weight * (state_at(grid, {x + dx, y + dy, z + dz}, options.border) - grid.at(x, y, z));
      }
    }
  }
  return sum;
}

struct PlainNetwork {
  Grid u, v;

  /// Both begin as the gain times `x`.
  PlainNetwork(const Grid& x, const ReactOptions& options) : u(x), v(x), options_(options) {
    for (Grid* state : {&u, &v}) {
      for (double& value : state->values) value *= options.gain;
    }
  }

  void run(std::int64_t steps) {
    for (std::int64_t i = 0; i < steps; ++i) step();
  }

 private:
  void step() {
    const Genes& g = options_.genes;
    Grid next_u(u.shape), next_v(v.shape);
    for (std::int64_t z = 0; z < u.shape.z; ++z) {
      for (std::int64_t y = 0; y < u.shape.y; ++y) {
        for (std::int64_t x = 0; x < u.shape.x; ++x) {
          const double a = u.at(x, y, z), b = v.at(x, y, z);
          const double f1 = g.c * a - a * a * a / 3 - b;
          const double f2 = -g.e * (a - g.b * b + g.a);
          next_u.at(x, y, z) =
              a + options_.dt * (f1 + options_.diffusion[0] * laplacian_at(u, x, y, z, options_));
          next_v.at(x, y, z) =
              b + options_.dt * (f2 + options_.diffusion[1] * laplacian_at(v, x, y, z, options_));
        }
      }
    }
    u = next_u;
    v = next_v;
  }

  const ReactOptions options_;
};

/// Options under which the pixels of a float image are x themselves.
inline ReactOptions plain_options() {
  ReactOptions options;
  options.window = {-1, 1};
  options.layer = ReactLayer::both;
  return options;
}

/// Numbers between -1 and 1 that float32 holds.
inline Grid random_states(const Shape& shape, unsigned seed) {
  Grid grid = random_grid(shape, seed);
  for (double& value : grid.values) value = value / 128 - 1;
  return grid;
}

inline Image run_on(const Device& device, const Grid& grid, const ReactOptions& options,
                    PixelType type = PixelType::f64) {
  return react(device.upload(image_of(grid, type)), options).layers;
}

/// Whether all numbers are the same to the bit; both are states, so there is no NaN.
inline bool same_bits(const Image& a, const Image& b) {
  if (a.channels() != b.channels() || a.type() != b.type()) return false;
  for (int c = 0; c < a.channels(); ++c) {
    if (largest_difference(grid_of(a, c), grid_of(b, c)) != 0) return false;
  }
  return true;
}

inline std::string words(const Device& device, const Shape& shape, const ReactOptions& options) {
  return device.name() + " " + to_string(shape) + " points " +
         OptionText<ReactLaplacian>::format(options.laplacian) + " border " +
         OptionText<ReactBorder>::format(options.border) + " diffusion " +
         OptionText<std::array<double, 2>>::format(options.diffusion) + " steps " +
         std::to_string(options.steps);
}

inline constexpr ReactBorder react_borders[] = {ReactBorder::clamp, ReactBorder::mirror,
                                                ReactBorder::periodic, ReactBorder::fixed};

}  // namespace meander::testing
