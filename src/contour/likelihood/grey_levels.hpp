// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "contour/likelihood/criterion.hpp"
#include "meander/segment.hpp"

namespace meander::contour {

/// The image as whole numbers of 8 or 16 bits, which can be summed exactly.
struct GreyLevels {
  Image pixels;
  Levels levels;
};

/// Integers as they are. Floats are rounded to 16 bits: counts 0 to 65535 keep their values, others
/// are scaled so that the image's range, less what lies far beyond nearly all of its values, fills
/// the 16 bits. Where 0 has a meaning for the noise, number 0 stands for it. Throws InvalidArgument
/// for values that are not finite and for negative ones that the noise cannot have. Hears a stop,
/// and tells no progress.
GreyLevels grey_levels(const Image& image, const SegmentOptions& options,
                       const Control& control = {});

/// The type that it makes of another.
PixelType grey_type(PixelType type);

}  // namespace meander::contour
