// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/device.hpp"
#include "meander/image.hpp"

/// What filters check before they begin.
namespace meander {

/// Throws Unsupported when the arithmetic needs float64 and the device has none.
void check_device(PixelType arithmetic, const Device& device);
/// Throws InvalidArgument unless the mask has one channel and the image's shape.
void check_mask(const Description& image, const Description& mask);

std::int64_t count_nonfinite(const Image& image);
/// Throws InvalidArgument when there are any.
void refuse_nonfinite(std::int64_t count);

/// What the engines read of an image: all but f16 as they are.
PixelType readable_type(PixelType type);
/// The image as the engines read it; shares the pixels unless they are f16.
Image readable(const Image& image);

}  // namespace meander
