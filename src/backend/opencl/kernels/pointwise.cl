// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one work item a number. REAL is the type of all images; see engine::Pointwise.

enum {
  SUM,
  NORM,
  WEIGHT,
  WEIGHTED,
  QUOTIENT,
  SELECT,
  DIFFERENCE,
  PRODUCT,
  ADD_SQUARE,
  DIRECTION,
  GROWTH,
  ROOT
};

/// By the ratio of the smaller to the larger: squares of large or small numbers leave the range.
REAL norm(REAL a, REAL b) {
  const REAL left = fabs(a), right = fabs(b);
  const REAL large = left > right ? left : right, small = left > right ? right : left;
  const REAL ratio = small == large ? 1 : small / large;
  return large * sqrt(1 + ratio * ratio);
}

/// NaN stays NaN.
REAL limited_growth(REAL a) {
  const REAL limit = (REAL)0x1p20f, growth = expm1(a);
  return growth > limit ? limit : growth;
}

REAL combined(int operation, REAL a, REAL b, REAL c) {
  switch (operation) {
    case SUM:
      return a + b;
    case NORM:
      return norm(a, b);
    case WEIGHT:
      return isfinite(a) ? b : 0;
    case WEIGHTED:
      return isfinite(a) ? a * b : 0;
    case QUOTIENT:
      return b > (REAL)0x1p-20f ? a / b : (REAL)NAN;
    case SELECT:
      return c > 0 ? a : b;
    case DIFFERENCE:
      return a - b;
    case PRODUCT:
      return a * b;
    case ADD_SQUARE:
      return fma(b, b, a);
    case DIRECTION:
      return b > 0 ? a / b : 0;
    case GROWTH:
      return limited_growth(a);
    default:
      return sqrt(a);
  }
}

kernel void combine_pixels(int operation, global const uchar* a, layout a_layout,
                           global const uchar* b, layout b_layout, global const uchar* c,
                           layout c_layout, global uchar* out, layout out_layout, long width,
                           long rows) {
  for (long row = get_global_id(1); row < rows; row += get_global_size(1)) {
    global const REAL* of_a = (global const REAL*)(a + row_offset(a_layout, row));
    global const REAL* of_b = (global const REAL*)(b + row_offset(b_layout, row));
    global const REAL* of_c = (global const REAL*)(c + row_offset(c_layout, row));
    global REAL* result = (global REAL*)(out + row_offset(out_layout, row));
    for (long x = get_global_id(0); x < width; x += get_global_size(0)) {
      result[x] = combined(operation, of_a[x], of_b[x], operation == SELECT ? of_c[x] : 0);
    }
  }
}
