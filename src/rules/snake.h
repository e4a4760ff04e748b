// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// What a point of a snake feels. Written like the rules, in the common part of C++, CUDA and
// OpenCL C; whoever includes it has said before what `real` and `wide` (a signed integer of 64
// bits) are, what `floor` is, and what SNAKE is, the words before a function. Only sums, differences
// and products, each rounded by itself: given the same field every processor finds the same places.

/// The two pixels along an axis between which a place lies, and which part of the way.
struct snake_cell {
  wide low, high;
  real part;
};

SNAKE wide snake_pixel(wide at, wide count) {
  return at < 0 ? 0 : (at > count - 1 ? count - 1 : at);
}

/// Places count from pixel `origin`; beyond the image it is as at its border.
SNAKE struct snake_cell snake_cell_of(real place, wide origin, wide count) {
  const real whole = floor(place);
  const wide at = (wide)whole + origin;
  struct snake_cell cell;
  cell.low = snake_pixel(at, count);
  cell.high = snake_pixel(at + 1, count);
  cell.part = place - whole;
  return cell;
}

SNAKE real snake_between(real a, real b, real part) {
  const real way = part * (b - a);
  return a + way;
}

/// Of a component of the force at the four pixels around a place, first y then x in the names.
SNAKE real snake_force(real low_low, real low_high, real high_low, real high_high, real part_x,
                       real part_y) {
  return snake_between(snake_between(low_low, low_high, part_x),
                       snake_between(high_low, high_high, part_x), part_y);
}

/// What a vector that is nearly of length 1 is multiplied by to come nearer to it: a step of Newton's
/// for 1 over the root. It never makes it longer than 1, as long as it was not above 2, so that
/// where a curve is stretched nothing pushes it harder.
SNAKE real snake_unit(real x, real y) {
  const real square = x * x + y * y;
  const real capped = square < 2 ? square : 2;
  return (real)1.5 - (real)0.5 * capped;
}

/// By how much a coordinate of a point would change without a solve. `pull` is the force and
/// balloon times the step, `bend…` the second differences at the point before, here and at the point
/// after.
SNAKE real snake_change(real pull, real bend_before, real bend, real bend_after, real tension,
                        real rigidity) {
  const real stretch = tension * bend;
  const real twist = rigidity * ((bend_before - bend) + (bend_after - bend));
  return pull + (stretch - twist);
}
