// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

#include "meander/control.hpp"
#include "meander/image.hpp"
#include "meander/outline.hpp"

/// Where outlines begin that somebody gives.
namespace meander {

/// Every part of a mask, with its holes; of an image with several values besides 0 every part of
/// every label. A 2-D host image of one channel; two passes over its pixels. Throws InvalidArgument
/// when every pixel is 0 or a label is no whole number, Unsupported for more than most_outlines.
std::vector<Region> starts_of_mask(const Image& mask, const Control& control = {});

/// Where an image lies in the one that its starts were given for.
struct ImagePart {
  std::int64_t left = 0, top = 0;  ///< Its first pixel.
  bool is_whole = true;            ///< Whether it is not cut out of a larger one.
};

/// Throws InvalidArgument for starts that overlap, hold no pixel of an image, or all of them, and
/// Unsupported for more than most_outlines; they are as before then. Of several in a part of an
/// image those without a pixel are left out. Of none nothing is asked. Two passes over the pixels
/// of a label image, 16 MiB at a time.
void check_starts(std::vector<Region>& starts, const Shape& image, const ImagePart& part = {},
                  const Control& control = {});

/// What parts of a mask begin with as curves, which have no holes. Specks, around which eight
/// points so many pixels apart have no room, are left out where there are others.
std::vector<Curve> curves_around(const std::vector<Region>& parts, double point_spacing);

}  // namespace meander
