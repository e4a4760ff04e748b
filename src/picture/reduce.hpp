// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/image.hpp"

namespace meander::pictures {

inline std::int64_t divided_up(std::int64_t number, std::int64_t divisor) {
  return (number + divisor - 1) / divisor;
}

/// The 2-D u8 picture with at most `longest_side` pixels along x and y, reduced by a whole factor;
/// the picture itself when it is small enough.
Image reduced(const Image& picture, std::int64_t longest_side);

}  // namespace meander::pictures
