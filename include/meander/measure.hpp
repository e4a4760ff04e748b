// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/image.hpp"
#include "meander/outline.hpp"
#include "meander/segment.hpp"

/// How large outlines and objects are, and where.
namespace meander {

/// Size of an outline.
struct OutlineMeasure {
  double area = 0;       ///< In the spacing's unit squared.
  double perimeter = 0;  ///< In the spacing's unit.
};
/// Area is positive whichever way the vertices run.
OutlineMeasure measure(const Polygon& polygon, const Spacing& spacing);
/// An open curve has no area, and its length for the perimeter.
OutlineMeasure measure(const Curve& curve, const Spacing& spacing);
/// What is covered, and the length of all rings.
OutlineMeasure measure(const Region& region, const Spacing& spacing);

/// What an outline covers.
Region region_of(const Outline& outline);

/// What is told of an object; lengths in the spacing's unit.
struct ObjectMeasure {
  double area = 0;         ///< Without the holes.
  double perimeter = 0;    ///< Of all rings.
  double circularity = 0;  ///< 4π·area over the square of the outer ring's perimeter: 1 of a disc.
  double x = 0, y = 0;     ///< The centroid of what is covered.
  double contrast = 0;    ///< (mean inside - mean outside) / sigma outside; not finite without any.
  double confidence = 0;  ///< The least of a node; NaN where none is known.
};
/// Of an outline that was found.
ObjectMeasure measure(const Outline& outline, const Spacing& spacing);
/// The same of a closed curve, of which only the shape is known: contrast and confidence are NaN.
ObjectMeasure measure_shape(const Region& region, const Spacing& spacing);

}  // namespace meander
