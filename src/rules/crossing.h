// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Where the edge of a polygon crosses the rows of a grid of cells: in integers, so that every
// processor finds the same cells inside. Written like the rules, in the common part of C++, CUDA
// and OpenCL C; whoever includes it has said before what `wide` is, a signed integer of 64 bits,
// and what CROSSING is, the words before a function.
//
// The centre of cell i lies at origin + i·unit. Coordinates are at most 2^29 in size, so no product
// leaves 62 bits.

/// An edge as a walk down the rows [first, end): in row r it crosses at
/// ceil((numerator + (r - first)·advance) / divisor), which is the first cell not left of it.
struct edge_rows {
  wide first, end;
  wide numerator, advance, divisor;
  wide sign;  ///< 1 where y rises along the edge, else -1.
};

CROSSING wide ceiling_quotient(wide a, wide positive) {
  const wide quotient = a / positive;
  return quotient + (a % positive > 0 ? 1 : 0);
}

CROSSING wide between(wide value, wide low, wide high) {
  return value < low ? low : (value > high ? high : value);
}

/// Rows beyond the grid's [0, rows) are left out; a level edge covers none.
CROSSING struct edge_rows rows_of_edge(wide from_x, wide from_y, wide to_x, wide to_y, wide unit,
                                       wide origin, wide rows) {
  const int falls = to_y < from_y;
  const wide x0 = falls ? to_x : from_x, y0 = falls ? to_y : from_y;
  const wide x1 = falls ? from_x : to_x, y1 = falls ? from_y : to_y;
  struct edge_rows edge;
  edge.sign = falls ? -1 : 1;
  edge.first = between(ceiling_quotient(y0 - origin, unit), 0, rows);
  edge.end = between(ceiling_quotient(y1 - origin, unit), 0, rows);
  edge.numerator = (x0 - origin) * (y1 - y0) + (edge.first * unit + origin - y0) * (x1 - x0);
  edge.advance = unit * (x1 - x0);
  edge.divisor = unit * (y1 - y0);
  return edge;
}

/// For a row that the edge covers, which has a divisor above 0 then.
CROSSING wide column_of_edge(struct edge_rows edge, wide row, wide columns) {
  const wide numerator = edge.numerator + (row - edge.first) * edge.advance;
  return between(ceiling_quotient(numerator, edge.divisor), 0, columns);
}

/// Pixels in the first `column` cells of a row of cells of block x block pixels.
CROSSING wide pixels_before(wide column, wide row, wide block, wide image_x, wide image_y) {
  const wide across = between(column * block, 0, image_x);
  const wide down = between((row + 1) * block, 0, image_y) - row * block;
  return across * down;
}
