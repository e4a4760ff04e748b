// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

#include "phantom/scene.hpp"

namespace meander::phantoms {

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

}  // namespace meander::phantoms
