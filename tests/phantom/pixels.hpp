// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "meander/phantom.hpp"

namespace meander {

/// Every number of a host image in memory order, as float64.
inline std::vector<double> numbers_of(const Image& image) {
  std::vector<double> numbers;
  visit(image.type(), [&]<class T>(std::type_identity<T>) {
    for (std::int64_t z = 0; z < image.shape().z; ++z) {
      for (std::int64_t y = 0; y < image.shape().y; ++y) {
        const T* row = image.row<T>(y, z);
        for (std::int64_t x = 0; x < image.shape().x; ++x) numbers.push_back(to_double(row[x]));
      }
    }
  });
  return numbers;
}

inline std::int64_t slab_length_of(const Phantom& phantom) {
  const Shape& shape = phantom.description().shape;
  return shape.rank() == 3 ? shape.z : shape.y;
}

inline Image whole_truth(const Phantom& phantom) {
  return phantom.truth_slab(0, slab_length_of(phantom));
}

inline std::vector<double> labels_of(const Phantom& phantom) {
  return numbers_of(phantom.labels_slab(0, slab_length_of(phantom)));
}

/// Neighbours of a pixel that belong together: by sides, or by corners too.
enum class Connected : std::uint8_t { by_sides, by_corners };

/// Parts of a 2-D image: neighbours of one value, each part counted once under its value.
inline std::map<double, int> parts_by_value(std::vector<double> image, std::int64_t nx,
                                            Connected connected) {
  const std::int64_t ny = static_cast<std::int64_t>(image.size()) / nx;
  constexpr double taken = -1;
  std::map<double, int> parts;
  std::vector<std::int64_t> open;
  for (std::int64_t start = 0; start < nx * ny; ++start) {
    const double value = image[static_cast<std::size_t>(start)];
    if (value == taken) continue;
    ++parts[value];
    image[static_cast<std::size_t>(start)] = taken;
    for (open.push_back(start); !open.empty();) {
      const std::int64_t x = open.back() % nx, y = open.back() / nx;
      open.pop_back();
      for (std::int64_t v = std::max<std::int64_t>(y - 1, 0); v <= std::min(y + 1, ny - 1); ++v) {
        for (std::int64_t u = std::max<std::int64_t>(x - 1, 0); u <= std::min(x + 1, nx - 1); ++u) {
          double& pixel = image[static_cast<std::size_t>(v * nx + u)];
          if (pixel != value || (connected == Connected::by_sides && u != x && v != y)) continue;
          pixel = taken;
          open.push_back(v * nx + u);
        }
      }
    }
  }
  return parts;
}

/// Mean and variance of the numbers whose mask value is `wanted`.
struct Moments {
  double count = 0, mean = 0, variance = 0;
  Moments(const std::vector<double>& numbers, const std::vector<double>& mask, double wanted) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (mask[i] == wanted) mean += numbers[i], ++count;
    }
    mean /= count;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (mask[i] == wanted) variance += (numbers[i] - mean) * (numbers[i] - mean);
    }
    variance /= count;
  }
};

/// The message of the InvalidArgument that making this phantom throws.
inline std::string refusal_of(const PhantomOptions& options) {
  try {
    const Phantom phantom(options);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "not refused";
}

}  // namespace meander
