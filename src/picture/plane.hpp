// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>

#include "meander/image.hpp"

/// What pictures of fields are drawn from: single slices in host memory. Of a control the stop is
/// heard, and no progress told.
namespace meander::pictures {

using Colour = std::array<double, 3>;  ///< Red, green, blue, 0 to 255.

/// A part of a picture.
struct Box {
  std::int64_t left = 0, top = 0, width = 0, height = 0;
};

/// The vectors of one slice.
struct VectorPlane {
  Image components;    ///< f32; of the channels x and y are drawn.
  double longest = 0;  ///< Of the vectors drawn.

  std::int64_t width() const { return components.shape().x; }
  std::int64_t height() const { return components.shape().y; }
  /// (0, 0) where it is not finite.
  std::array<double, 2> at(std::int64_t x, std::int64_t y) const;
};

/// The middle slice of a field.
VectorPlane plane_of(const Field& field, const Control& control = {});
/// A part of it, to which lengths are then relative.
VectorPlane part_of(const VectorPlane& plane, const Box& box);
/// The pixel of the longest vector, the first of equals; of a field without any the middle one.
std::array<std::int64_t, 2> longest_vector(const VectorPlane& plane);

/// How much of its full brightness or length a vector is drawn with: the root of its length.
double strength(double length, double longest);

/// Black pixels, RGB.
Image black_picture(std::int64_t width, std::int64_t height);
/// One channel of any type as RGB, grey from its least to its largest finite value.
Image grey_picture(const Image& image, const Control& control = {});
/// A single slice in host memory, grey between two values; black where they are not in order.
Image grey_picture(const Image& slice, const std::array<double, 2>& limits,
                   const Control& control = {});
/// Brightness by strength().
Image length_picture(const VectorPlane& plane, const Control& control = {});

Image part_of(const Image& picture, const Box& box);
/// Every pixel as factor x factor pixels.
Image enlarged(const Image& picture, std::int64_t factor);
/// Lays `coverage`, 0 to 1, of a colour over a pixel.
void blend(Image& picture, std::int64_t x, std::int64_t y, const Colour& colour, double coverage);

}  // namespace meander::pictures
