// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <vector>

#include "conformance/line_samples.hpp"

/// What the checks of the stencil engine share: rules with numbers that suit them, and images with
/// a frame.
namespace meander::conformance {

/// Of states and fields at the start. With the numbers below no state leaves twice this, the range
/// of which deviations are a part.
inline constexpr double largest_value = 0.25;
inline constexpr double stencil_range = 2 * largest_value;

/// Of one step of a rule, and of what gathers over any number of them; of f32 or f64.
double step_tolerance(PixelType type);
double steps_tolerance(PixelType type);

inline constexpr Shape small_shapes[] = {
    {1, 1, 1},   {2, 1, 1},   {1, 2, 1},  {2, 2, 1},  {3, 3, 1}, {31, 1, 1}, {1, 33, 1},
    {33, 31, 1}, {31, 33, 1}, {3, 2, 1},  {2, 33, 1}, {1, 1, 2}, {2, 1, 2},  {1, 2, 3},
    {3, 2, 2},   {31, 2, 2},  {33, 3, 3}, {17, 4, 3}, {2, 2, 31}};
/// The column has more rows than some drivers take in one launch.
inline constexpr Shape large_shapes[] = {{1023, 65, 1}, {1, 70001, 1}, {9001, 1, 1}, {129, 33, 5}};

/// Rules, neighbours and borders for a case. They take turns; their numbers, 13, 7 and 5, have no
/// common factor, so in 455 turns every combination comes by, in 91 every pair.
struct Turn {
  Turn(std::size_t index, PixelType type);
  Turn(engine::Rule chosen, std::size_t index, PixelType type);
  /// Whether a second step is of use: not of a quotient that has no bounds.
  bool may_go_on() const { return rule != engine::Rule::masked_diagonal; }

  engine::Rule rule;
  engine::Neighbours neighbours;
};

/// `steps` steps with one set of parameters for all or with `sets` of them, all different.
engine::Iteration sample_iteration(const Turn& turn, PixelType type, std::int64_t steps,
                                   std::int64_t sets);

/// An image with a frame, of another width for each `kind` so that pitches differ, and the part of
/// it that is computed. A column has no frame along x, which would be most of the image.
struct Framed {
  Framed(const Shape& computed, int channels, PixelType type, int kind);
  engine::View inside(const Image& copy) const;
  /// Every computed number becomes NaN.
  void fill_with_nan();

  Shape shape;
  std::int64_t start;
  Image image;
};

/// States and fields with which a rule stays in its range.
Framed sample_state(engine::Rule rule, const Shape& shape, PixelType type, int kind);
Framed sample_fields(engine::Rule rule, const Shape& shape, PixelType type, int kind);

/// The view of a rule's fields, without memory where it has none.
engine::View fields_inside(engine::Rule rule, const Framed& fields, const Image& copy);

/// The shape with the axes of a bit set in `which` halved.
Shape halved_along(const Shape& shape, unsigned which);

}  // namespace meander::conformance
