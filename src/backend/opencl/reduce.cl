// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// IN is the pixel type, INTEGER is defined when it is one. One work item per chunk, with the lanes and
// the order of additions of the `cpu` backend, so that results agree to the bit where doubles exist.
// Elsewhere a `wide` is the unevaluated sum of two floats, and the values of a chunk are scaled by a
// power of two so that their squares stay within the range of a float.

#define LANES 8

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

/// Eleven words of 8 bytes whichever `wide` is; the host has the same structure.
typedef struct {
  wide least, greatest, sum, magnitudes, squares;
  long integer_sum, integer_magnitudes, integer_squares;
  long finite, nonfinite;
  long exponent;  // sums are to be multiplied by 2 to this power, squares by 2 to twice of it
} partial;

typedef struct {
  long first_row, last_row, first_column, last_column;
} chunk;

#ifdef INTEGER

void reduce_row(global const STORED(IN)* row, long count, partial* result) {
  int least = row[0], greatest = row[0];
  long sum = 0, magnitudes = 0, squares = 0;
  for (long i = 0; i < count; ++i) {
    const int value = row[i];
    const long wider = value;
    least = value < least ? value : least;
    greatest = value > greatest ? value : greatest;
    sum += wider;
    magnitudes += wider < 0 ? -wider : wider;
    squares += wider * wider;
  }
  result->least = widened(min((real)least, narrowed(result->least)));
  result->greatest = widened(max((real)greatest, narrowed(result->greatest)));
  result->integer_sum += sum;
  result->integer_magnitudes += magnitudes;
  result->integer_squares += squares;
  result->finite += count;
}

#else

bool is_kept(real value) { return value - value == 0; }  // false for NaN and infinities

wide tree_sum(const wide* v) {
  return sum_of(sum_of(sum_of(v[0], v[4]), sum_of(v[2], v[6])),
                sum_of(sum_of(v[1], v[5]), sum_of(v[3], v[7])));
}

void reduce_row(global const STORED(IN)* row, long count, real scale, partial* result) {
  wide sum[LANES], magnitudes[LANES], squares[LANES];
  real least[LANES], greatest[LANES];
  for (int l = 0; l < LANES; ++l) {
    sum[l] = magnitudes[l] = squares[l] = widened(0);
    least[l] = INFINITY;
    greatest[l] = -INFINITY;
  }
  long finite = 0;
  for (long i = 0; i < count; i += LANES) {
    for (int l = 0; l < LANES && i + l < count; ++l) {
      const real value = JOINED(load_, IN)(row + i + l);
      const bool keep = is_kept(value);
      const real kept = keep ? value * scale : 0;
      sum[l] = sum_of(sum[l], widened(kept));
      magnitudes[l] = sum_of(magnitudes[l], widened(fabs(kept)));
      squares[l] = sum_of(squares[l], square(kept));
      finite += keep ? 1 : 0;
      least[l] = keep && value < least[l] ? value : least[l];
      greatest[l] = keep && value > greatest[l] ? value : greatest[l];
    }
  }
  for (int l = 0; l < LANES; ++l) {
    if (least[l] < narrowed(result->least)) result->least = widened(least[l]);
    if (greatest[l] > narrowed(result->greatest)) result->greatest = widened(greatest[l]);
  }
  result->sum = sum_of(result->sum, tree_sum(sum));
  result->magnitudes = sum_of(result->magnitudes, tree_sum(magnitudes));
  result->squares = sum_of(result->squares, tree_sum(squares));
  result->finite += finite;
  result->nonfinite += count - finite;
}

#endif

#if !defined(INTEGER) && !defined(WITH_FLOAT64)

/// The power of two that brings the largest magnitude of the chunk near 2^30: its square, summed over
/// any image, stays below 2^127, and what underflows is too small beside it to matter.
int scale_exponent(global const uchar* in, layout view, chunk part) {
  real largest = 0;
  for (long row = part.first_row; row < part.last_row; ++row) {
    global const STORED(IN)* pixels = (global const STORED(IN)*)(in + row_offset(view, row));
    for (long x = part.first_column; x < part.last_column; ++x) {
      const real value = JOINED(load_, IN)(pixels + x);
      if (is_kept(value)) largest = max(largest, fabs(value));
    }
  }
  int exponent = 0;
  frexp(largest, &exponent);
  return largest == 0 ? 0 : min(30 - exponent, 100);
}

wide scaled(wide value, long exponent) {
  const int power = (int)max(exponent, -126L);
  return (wide)(ldexp(value.x, power), ldexp(value.y, power));
}

#endif

kernel void reduce_chunks(global const uchar* in, layout view, long width, long rows,
                          long rows_per_chunk, long chunks_per_row, long chunk_numbers,
                          long chunks, global partial* partials) {
  const long index = get_global_id(0);
  if (index >= chunks) return;
  chunk part;
  part.first_row = index / chunks_per_row * rows_per_chunk;
  part.last_row = min(part.first_row + rows_per_chunk, rows);
  part.first_column = index % chunks_per_row * chunk_numbers;
  part.last_column = min(part.first_column + chunk_numbers, width);

  partial result;
  result.least = widened(INFINITY);
  result.greatest = widened(-INFINITY);
  result.sum = result.magnitudes = result.squares = widened(0);
  result.integer_sum = result.integer_magnitudes = result.integer_squares = 0;
  result.finite = result.nonfinite = result.exponent = 0;
#if !defined(INTEGER)
  real scale = 1;
#ifndef WITH_FLOAT64
  const int exponent = scale_exponent(in, view, part);
  scale = ldexp(1.0f, exponent);
  result.exponent = -exponent;
#endif
#endif
  for (long row = part.first_row; row < part.last_row; ++row) {
    global const STORED(IN)* pixels =
        (global const STORED(IN)*)(in + row_offset(view, row)) + part.first_column;
#ifdef INTEGER
    reduce_row(pixels, part.last_column - part.first_column, &result);
#else
    reduce_row(pixels, part.last_column - part.first_column, scale, &result);
#endif
  }
  partials[index] = result;
}

partial combined(partial a, partial b) {
#if !defined(INTEGER) && !defined(WITH_FLOAT64)
  const long exponent = max(a.exponent, b.exponent);
  a.sum = scaled(a.sum, a.exponent - exponent);
  b.sum = scaled(b.sum, b.exponent - exponent);
  a.magnitudes = scaled(a.magnitudes, a.exponent - exponent);
  b.magnitudes = scaled(b.magnitudes, b.exponent - exponent);
  a.squares = scaled(a.squares, 2 * (a.exponent - exponent));
  b.squares = scaled(b.squares, 2 * (b.exponent - exponent));
  a.exponent = exponent;
#endif
  a.least = narrowed(b.least) < narrowed(a.least) ? b.least : a.least;
  a.greatest = narrowed(a.greatest) < narrowed(b.greatest) ? b.greatest : a.greatest;
  a.sum = sum_of(a.sum, b.sum);
  a.magnitudes = sum_of(a.magnitudes, b.magnitudes);
  a.squares = sum_of(a.squares, b.squares);
  a.integer_sum += b.integer_sum;
  a.integer_magnitudes += b.integer_magnitudes;
  a.integer_squares += b.integer_squares;
  a.finite += b.finite;
  a.nonfinite += b.nonfinite;
  return a;
}

/// One group adds up `count` partials pairwise: the first half of a range (rounded down) and the rest,
/// down to single ones. Nodes of one depth are independent; each leaves its result where its range
/// begins. `depth` is the least with 2^depth >= count.
kernel void combine_partials(global partial* partials, long count, int depth,
                             global partial* result) {
  while (depth-- > 0) {
    for (long node = get_local_id(0); node < (1L << depth); node += get_local_size(0)) {
      long begin = 0, size = count;
      for (int level = depth; level-- > 0;) {
        const bool right = (node >> level) & 1;
        begin += right ? size / 2 : 0;
        size = right ? size - size / 2 : size / 2;
      }
      if (size > 1) partials[begin] = combined(partials[begin], partials[begin + size / 2]);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  if (get_local_id(0) == 0) *result = partials[0];
}
