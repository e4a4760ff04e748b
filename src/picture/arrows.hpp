// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/picture.hpp"
#include "picture/plane.hpp"

namespace meander::pictures {

/// The distance of arrows in pixels of the image, and the factor by which it is enlarged for them.
struct ArrowGrid {
  std::int64_t apart = 1;
  std::int64_t zoom = 1;
};
ArrowGrid arrow_grid(std::int64_t width, std::int64_t height, const ArrowOptions& options);

/// Enlarges the RGB picture of the same size and draws the arrows of the plane on it.
/// Tells no progress.
Image with_arrows(const Image& picture, const VectorPlane& plane, const ArrowOptions& options,
                  const Control& control = {});

}  // namespace meander::pictures
