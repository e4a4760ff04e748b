// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <cstdint>

#include "meander/image.hpp"

namespace meander::phantoms {

/// The factor of `PhantomOptions::shading` at a pixel, the same in every slice.
class Light {
 public:
  Light(const Shape& shape, double shading)
      : width_(shape.x), shading_(shading), x_(share_of(shape.x)), y_(share_of(shape.y)) {
    if (shape.x == 1) y_ *= 2;
    if (shape.y == 1) x_ *= 2;
    if (shape.x == 1 && shape.y == 1) shading_ = 0;
  }

  /// Of the pixels of a slice from index `first` on, row after row.
  void fill(std::int64_t first, std::int64_t count, double* factors) const {
    if (shading_ == 0) {
      std::fill_n(factors, count, 1.0);
      return;
    }
    std::int64_t x = first % width_, y = first / width_;
    for (std::int64_t i = 0; i < count; ++i) {
      factors[i] =
          1 + shading_ * (2 * (static_cast<double>(x) * x_ + static_cast<double>(y) * y_) - 1);
      if (++x == width_) x = 0, ++y;
    }
  }

 private:
  /// Half of the way from one border to the other, a pixel's share of it.
  static double share_of(std::int64_t length) {
    return length > 1 ? 0.5 / static_cast<double>(length - 1) : 0;
  }

  std::int64_t width_;
  double shading_, x_, y_;
};

}  // namespace meander::phantoms
