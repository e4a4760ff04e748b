// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Numbers to sum in: doubles, or, on devices that have none, unevaluated sums of two floats, good
// for 48 bits.

#ifdef WITH_FLOAT64
typedef double real;
typedef double wide;
wide widened(real value) { return value; }
real narrowed(wide value) { return value; }
wide square(real value) { return value * value; }
wide sum_of(wide a, wide b) { return a + b; }
#else
typedef float real;
typedef float2 wide;  // x is the rounded value, y what rounding lost
wide widened(real value) { return (wide)(value, 0); }
real narrowed(wide value) { return value.x; }
wide square(real value) {
  const real product = value * value;
  return (wide)(product, fma(value, value, -product));
}
// Knuth's exact sum of the leading parts, then of the rests, each made non-overlapping again.
wide exact_sum(real a, real b) {
  const real sum = a + b;
  const real of_b = sum - a;
  return (wide)(sum, (a - (sum - of_b)) + (b - of_b));
}
wide renormalised(real large, real small) {
  const real sum = large + small;
  return (wide)(sum, small - (sum - large));
}
wide sum_of(wide a, wide b) {
  const wide leading = exact_sum(a.x, b.x);
  const wide rest = exact_sum(a.y, b.y);
  const wide first = renormalised(leading.x, leading.y + rest.x);
  return renormalised(first.x, first.y + rest.y);
}
#endif
