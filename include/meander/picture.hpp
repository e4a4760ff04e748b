// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "meander/image.hpp"

/// Pictures for people to look at.
namespace meander {

/// One picture of a contact sheet.
struct Tile {
  Image picture;      ///< 2-D, u8, 1 or 3 channels, in host memory.
  std::string label;  ///< Printable ASCII; any other character of UTF-8 is shown as a box.
};

/// Small pictures side by side on a white ground, each with its label in black above it. Every
/// column is as wide as its widest picture, every row as tall as its tallest; pictures lie at the
/// upper left of their place, 8 pixels apart and from the edge, below a line of 20 pixels for the
/// label. Rows may be of unequal length. A label ends at the last character that its column has
/// room for (12 pixels each).
///
/// A picture with more than `longest_side` pixels along x or y is reduced by the smallest whole
/// factor that makes it fit, each pixel being the rounded mean of those it stands for (fewer at the
/// right and lower edge where the factor does not divide the size). None is enlarged.
///
/// Throws InvalidArgument when there is no tile, a row is empty, a picture is of another kind,
/// channel counts are mixed or `longest_side` is below 1.
Image contact_sheet(const std::vector<std::vector<Tile>>& rows, std::int64_t longest_side = 512);

}  // namespace meander
