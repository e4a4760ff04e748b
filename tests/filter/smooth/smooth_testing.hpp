// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "device_testing.hpp"
#include "meander/smooth.hpp"

/// What smoothing is compared with: the image is extended on all sides, number by number, and
/// convolved directly in float64. Nothing here is shared with the library.
namespace meander::testing {

struct Grid {
  Shape shape;
  std::vector<double> values;

  explicit Grid(const Shape& of)
      : shape(of), values(static_cast<std::size_t>(of.x * of.y * of.z)) {}
  double& at(std::int64_t x, std::int64_t y, std::int64_t z) {
    return values[static_cast<std::size_t>((z * shape.y + y) * shape.x + x)];
  }
  double at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return values[static_cast<std::size_t>((z * shape.y + y) * shape.x + x)];
  }
};

/// -1 where the constant stands. By walking, not by a formula.
inline std::int64_t pixel_for(std::int64_t i, std::int64_t n, Border border) {
  while (i < 0 || i >= n) {
    switch (border) {
      case Border::clamp:
        return i < 0 ? 0 : n - 1;
      case Border::constant:
        return -1;
      case Border::reflect:
        i = i < 0 ? -1 - i : 2 * n - 1 - i;
        break;
      case Border::mirror:
        if (n == 1) return 0;
        i = i < 0 ? -i : 2 * n - 2 - i;
        break;
      case Border::periodic:
        i += i < 0 ? n : -n;
        break;
    }
  }
  return i;
}

inline Grid extended(const Grid& in, const std::array<std::int64_t, 3>& by,
                     const BorderRule& border) {
  Grid out({in.shape.x + 2 * by[0], in.shape.y + 2 * by[1], in.shape.z + 2 * by[2]});
  for (std::int64_t z = 0; z < out.shape.z; ++z) {
    for (std::int64_t y = 0; y < out.shape.y; ++y) {
      for (std::int64_t x = 0; x < out.shape.x; ++x) {
        const std::int64_t from[] = {pixel_for(x - by[0], in.shape.x, border.kind),
                                     pixel_for(y - by[1], in.shape.y, border.kind),
                                     pixel_for(z - by[2], in.shape.z, border.kind)};
        const bool beyond = from[0] < 0 || from[1] < 0 || from[2] < 0;
        out.at(x, y, z) = beyond ? border.value : in.at(from[0], from[1], from[2]);
      }
    }
  }
  return out;
}

/// The sampled Gaussian or its derivative: answers 1, n and n² with 1 (0, 0), (0,) 1 and 2.
inline std::vector<double> kernel_of(double sigma, int order, std::int64_t radius) {
  std::vector<double> gauss, weights;
  double sum = 0, squares = 0, fourths = 0;
  for (std::int64_t n = -radius; n <= radius; ++n) {
    const auto place = static_cast<double>(n);
    gauss.push_back(std::exp(-place * place / (2 * sigma * sigma)));
    sum += gauss.back();
    squares += gauss.back() * place * place;
    fourths += gauss.back() * place * place * place * place;
  }
  for (std::int64_t n = -radius; n <= radius; ++n) {
    const double g = gauss[static_cast<std::size_t>(n + radius)];
    const auto place = static_cast<double>(n);
    const double mean = squares / sum;
    weights.push_back(order == 0   ? g / sum
                      : order == 1 ? g * place / squares
                                   : 2 * g * (place * place - mean) / (fourths - mean * squares));
  }
  return weights;
}

/// Only where the kernel lies inside.
inline Grid convolved(const Grid& in, int axis, const std::vector<double>& kernel) {
  Shape shape = in.shape;
  const auto shrink = static_cast<std::int64_t>(kernel.size()) - 1;
  (axis == 0 ? shape.x : axis == 1 ? shape.y : shape.z) -= shrink;
  Grid out(shape);
  for (std::int64_t z = 0; z < shape.z; ++z) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      for (std::int64_t x = 0; x < shape.x; ++x) {
        double sum = 0;
        for (std::size_t k = 0; k < kernel.size(); ++k) {
          const auto step = static_cast<std::int64_t>(k);
          sum += kernel[k] * in.at(x + (axis == 0 ? step : 0), y + (axis == 1 ? step : 0),
                                   z + (axis == 2 ? step : 0));
        }
        out.at(x, y, z) = sum;
      }
    }
  }
  return out;
}

inline Grid directly_smoothed(const Grid& in, const std::array<double, 3>& sigma,
                              const std::array<int, 3>& order, const BorderRule& border) {
  std::array<std::int64_t, 3> radius{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    radius[axis] = static_cast<std::int64_t>(std::ceil(9 * sigma[axis]));
  }
  Grid out = extended(in, radius, border);
  for (const int axis : {2, 1, 0}) {
    const auto place = static_cast<std::size_t>(axis);
    if (sigma[place] > 0)
      out = convolved(out, axis, kernel_of(sigma[place], order[place], radius[place]));
  }
  return out;
}

inline Grid random_grid(const Shape& shape, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int> level(0, 255);
  Grid grid(shape);
  for (double& value : grid.values) value = level(generator);
  return grid;
}

/// Channel c holds the grid's values times `factor(c)`.
inline Image image_of(
    const Grid& grid, PixelType type, int channels = 1,
    const std::function<double(int)>& factor = [](int) { return 1.0; }) {
  Image image = Image::allocate({.shape = grid.shape, .channels = channels, .type = type});
  visit(type, [&]<class T>(std::type_identity<T>) {
    for (int c = 0; c < channels; ++c) {
      for (std::int64_t z = 0; z < grid.shape.z; ++z) {
        for (std::int64_t y = 0; y < grid.shape.y; ++y) {
          for (std::int64_t x = 0; x < grid.shape.x; ++x) {
            const double value = grid.at(x, y, z) * factor(c);
            if constexpr (std::is_same_v<T, Half>) {
              image.mutable_row<T>(y, z, c)[x] = to_half(value);
            } else if constexpr (std::is_integral_v<T>) {
              using Limits = std::numeric_limits<T>;
              image.mutable_row<T>(y, z, c)[x] =
                  static_cast<T>(std::clamp<double>(value, Limits::min(), Limits::max()));
            } else {
              image.mutable_row<T>(y, z, c)[x] = static_cast<T>(value);
            }
          }
        }
      }
    }
  });
  return image;
}

inline Grid grid_of(const Image& image, int channel = 0) {
  const Image host = image.download();
  Grid grid(host.shape());
  for (std::int64_t z = 0; z < grid.shape.z; ++z) {
    for (std::int64_t y = 0; y < grid.shape.y; ++y) {
      for (std::int64_t x = 0; x < grid.shape.x; ++x) {
        grid.at(x, y, z) = host.type() == PixelType::f64 ? host.row<double>(y, z, channel)[x]
                                                         : host.row<float>(y, z, channel)[x];
      }
    }
  }
  return grid;
}

/// NaN differs from everything.
inline double largest_difference(const Grid& a, const Grid& b) {
  double largest = a.values.size() == b.values.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const double apart = std::abs(a.values[i] - b.values[i]);
    if (!(apart <= largest)) largest = std::isnan(apart) ? INFINITY : apart;
  }
  return largest;
}

inline const std::vector<BorderRule> all_borders = {
    {Border::clamp, 0},   {Border::constant, 0}, {Border::constant, 37.25},
    {Border::reflect, 0}, {Border::mirror, 0},   {Border::periodic, 0}};

inline std::string words(const SmoothOptions& options) {
  return OptionText<SmoothMethod>::format(options.method) + " sigma " +
         OptionText<Scale>::format(options.sigma) + " order " +
         OptionText<std::array<int, 3>>::format(options.order) + " border " +
         OptionText<BorderRule>::format(options.border);
}

}  // namespace meander::testing
