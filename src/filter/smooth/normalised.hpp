// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "filter/smooth/axis_pass.hpp"

/// Normalised convolution: smooth(w·x) / smooth(w), with weight w = 1 where a pixel counts and 0
/// elsewhere. A pixel counts if it is finite and the mask, if there is one, is above 0 there.
namespace meander {

class Normaliser {
 public:
  /// `type` is that of the arithmetic; below `least_weight`, a power of two from 2^-20 on, a
  /// smoothed weight counts as nothing.
  Normaliser(const Device& device, PixelType type, double least_weight)
      : device_(device), type_(type), least_weight_(least_weight) {}

  /// Of the images that follow; one channel, or empty.
  void set_mask(const Image& mask);
  /// `values` and `weights` get w·x and w, channel by channel.
  void weigh(const Image& image, const Image& values, const Image& weights);
  /// Replaces the smoothed values by the average; uses up the smoothed weights. Pixels outside the
  /// mask keep what they hold, and so do those near which nothing counts. NaN and infinities are
  /// filled when they are to be ignored and stay otherwise.
  void divide(const Image& image, const Image& values, const Image& weights, Nonfinite nonfinite);

 private:
  engine::View counts_for(const Shape& shape) const;
  engine::View as_type(const Image& plane);

  const Device device_;
  const PixelType type_;
  const double least_weight_;
  Image counts_;     ///< 1 where the mask is above 0, else 0; empty without a mask.
  Image converted_;  ///< A channel of the image, when that has another type.
};

/// The border beyond which the weights of an image with `border` continue.
BorderRule border_of_weights(const BorderRule& border);

}  // namespace meander
