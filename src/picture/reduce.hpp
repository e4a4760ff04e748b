// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/image.hpp"

namespace meander::pictures {

inline std::int64_t divided_up(std::int64_t number, std::int64_t divisor) {
  return (number + divisor - 1) / divisor;
}

/// Of an image whose boxes of factor x factor pixels become single ones.
Shape reduced_shape(const Shape& image, std::int64_t factor);

/// One channel of a 2-D host image; f32, each pixel the mean of the finite values of its box, NaN
/// where there are none.
Image means_of_boxes(const Image& image, std::int64_t factor, const Control& control = {});

/// The 2-D u8 picture with at most `longest_side` pixels along x and y, reduced by a whole factor;
/// the picture itself when it is small enough.
/// Tells no progress.
Image reduced(const Image& picture, std::int64_t longest_side, const Control& control = {});

}  // namespace meander::pictures
