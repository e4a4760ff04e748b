// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <gtest/gtest.h>

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
