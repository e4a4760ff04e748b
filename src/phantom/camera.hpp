// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "meander/image.hpp"
#include "meander/phantom.hpp"
#include "phantom/scene.hpp"

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

/// The Gaussian of `PhantomOptions::blur`. A pixel is a function of its place alone: what it sums
/// up, and in which order, depends on neither bands nor slabs.
class Blur {
 public:
  explicit Blur(const PhantomOptions& options);

  /// In pixels; 0 when there is no blur.
  std::int64_t radius() const { return static_cast<std::int64_t>(weights_.size()) - 1; }

  /// Tenths of the way from background to target at every pixel of the band, row after row, from 0
  /// to 10. Holds a few times the pixels of the band.
  void paint(const Scene& scene, const Band& band, double* tenths) const;

 private:
  /// Places of one axis that a place sees.
  struct Window {
    std::int64_t begin, end;
  };
  Window window(std::int64_t begin, std::int64_t end, std::int64_t length) const;
  double weight(std::int64_t place, std::int64_t seen, std::int64_t length) const;
  void add_slices(const Scene& scene, const Band& seen, std::int64_t z, double* sums) const;
  void blur_row(double* row, std::vector<double>& padded) const;

  Shape shape_;
  bool blurs_depth_;
  std::vector<double> weights_;  ///< At distances 0, 1, …
  std::vector<double> tails_;    ///< Sums of the weights from each distance on.
};

/// The levels that the options ask for, by the table at PhantomOptions. Throws InvalidArgument when
/// options contradict each other or ask for a level that noise or pixel type cannot have.
PhantomLevels levels_of(const PhantomOptions& options);

}  // namespace meander::phantoms
