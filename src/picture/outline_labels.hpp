// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "meander/outline.hpp"
#include "picture/line.hpp"

/// Numbers of objects on a picture.
namespace meander::pictures {

/// Digits and where they are to be.
struct PlacedNumber {
  std::string digits;
  std::int64_t left = 0, top = 0;  ///< Of the ink.
  int scale = 1;                   ///< Pixels of the picture for one of the font.
};

/// Where the numbers of objects have room. Inside, the middle is the object's, or, where that is
/// not of the object, the middle of the longest piece of it on that row; as large as lies within
/// the outline, twice the font's size at most, and on no other number. Where the font itself does
/// not, beside it, on no object and no other number; none where there is no such place. `scale` is
/// of the picture, in pixels for one of the image.
std::vector<PlacedNumber> place_numbers(std::span<const LabelledRegion> objects, double scale,
                                        const Shape& picture, const Control& control = {});

/// White digits with a dark rim, rims below all digits.
void draw_numbers(std::span<const PlacedNumber> numbers, Image& picture,
                  const Control& control = {});

}  // namespace meander::pictures
