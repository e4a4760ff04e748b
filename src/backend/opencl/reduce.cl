// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// IN is the pixel type, INTEGER is defined when it is one. One work item per chunk, with the lanes
// and the order of additions of the `cpu` backend, so that results agree to the bit where doubles
// exist. Elsewhere the values of a chunk are scaled by a power of two, so that their squares stay
// within the range of a float.

#define LANES 8

typedef STORED(IN) pixel;

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

void reduce_row(global const pixel* row, long count, real shift, real scale, partial* result) {
  int least = row[0], greatest = row[0];
  long sum = 0, magnitudes = 0, squares = 0;
  for (long i = 0; i < count; ++i) {
    const int value = row[i];
    const long wider = value;
    least = min(value, least);
    greatest = max(value, greatest);
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

typedef struct {
  wide sum[LANES], magnitudes[LANES], squares[LANES];
  real least[LANES], greatest[LANES];
  long finite;
} lanes;

void add_to_lane(lanes* all, int l, real value, real scale) {
  const bool keep = is_kept(value);
  const real kept = keep ? value * scale : 0;
  all->sum[l] = sum_of(all->sum[l], widened(kept));
  all->magnitudes[l] = sum_of(all->magnitudes[l], widened(fabs(kept)));
  all->squares[l] = sum_of(all->squares[l], square(kept));
  all->least[l] = keep && value < all->least[l] ? value : all->least[l];
  all->greatest[l] = keep && value > all->greatest[l] ? value : all->greatest[l];
  all->finite += keep ? 1 : 0;
}

wide tree_sum(const wide* v) {
  return sum_of(sum_of(sum_of(v[0], v[4]), sum_of(v[2], v[6])),
                sum_of(sum_of(v[1], v[5]), sum_of(v[3], v[7])));
}

void add_lanes(partial* result, const lanes* all, long count) {
  for (int l = 0; l < LANES; ++l) {
    if (all->least[l] < narrowed(result->least)) result->least = widened(all->least[l]);
    if (all->greatest[l] > narrowed(result->greatest)) result->greatest = widened(all->greatest[l]);
  }
  result->sum = sum_of(result->sum, tree_sum(all->sum));
  result->magnitudes = sum_of(result->magnitudes, tree_sum(all->magnitudes));
  result->squares = sum_of(result->squares, tree_sum(all->squares));
  result->finite += all->finite;
  result->nonfinite += count - all->finite;
}

void reduce_row(global const pixel* row, long count, real shift, real scale, partial* result) {
  lanes all;
  all.finite = 0;
  for (int l = 0; l < LANES; ++l) {
    all.sum[l] = all.magnitudes[l] = all.squares[l] = widened(0);
    all.least[l] = INFINITY;
    all.greatest[l] = -INFINITY;
  }
  const long whole = count / LANES * LANES;
  for (long i = 0; i < whole; i += LANES) {
    for (int l = 0; l < LANES; ++l)
      add_to_lane(&all, l, JOINED(load_, IN)(row + i + l) - shift, scale);
  }
  for (long i = whole; i < count; ++i) {
    add_to_lane(&all, (int)(i - whole), JOINED(load_, IN)(row + i) - shift, scale);
  }
  add_lanes(result, &all, count);
}

#endif

#if defined(INTEGER) || defined(WITH_FLOAT64)

// Nothing needs scaling.
int scale_exponent(global const uchar* in, layout view, chunk part, real shift) { return 0; }
void align(partial* a, partial* b) {}

#else

/// The power of two that brings the largest magnitude of the chunk near 2^30: its square, summed
/// over any image, stays below 2^127, and what underflows is too small beside it to matter.
int scale_exponent(global const uchar* in, layout view, chunk part, real shift) {
  real largest = 0;
  for (long row = part.first_row; row < part.last_row; ++row) {
    global const pixel* pixels = (global const pixel*)(in + row_offset(view, row));
    for (long x = part.first_column; x < part.last_column; ++x) {
      const real value = JOINED(load_, IN)(pixels + x) - shift;
      if (is_kept(value)) largest = max(largest, fabs(value));
    }
  }
  int exponent = 0;
  frexp(largest, &exponent);
  return largest == 0 ? 0 : min(30 - exponent, 100);
}

wide scaled(wide value, long exponent) {
  return (wide)(ldexp(value.x, (int)exponent), ldexp(value.y, (int)exponent));
}

void rescale(partial* p, long exponent) {
  p->sum = scaled(p->sum, p->exponent - exponent);
  p->magnitudes = scaled(p->magnitudes, p->exponent - exponent);
  p->squares = scaled(p->squares, 2 * (p->exponent - exponent));
  p->exponent = exponent;
}

/// Brings both to the larger exponent; that of a partial that is all zero says nothing.
void align(partial* a, partial* b) {
  const long exponent = narrowed(a->magnitudes) == 0   ? b->exponent
                        : narrowed(b->magnitudes) == 0 ? a->exponent
                                                       : max(a->exponent, b->exponent);
  rescale(a, exponent);
  rescale(b, exponent);
}

#endif

chunk chunk_at(long index, long width, long rows, long rows_per_chunk, long chunks_per_row,
               long chunk_numbers) {
  chunk part;
  part.first_row = index / chunks_per_row * rows_per_chunk;
  part.last_row = min(part.first_row + rows_per_chunk, rows);
  part.first_column = index % chunks_per_row * chunk_numbers;
  part.last_column = min(part.first_column + chunk_numbers, width);
  return part;
}

partial nothing_yet() {
  partial result;
  result.least = widened(INFINITY);
  result.greatest = widened(-INFINITY);
  result.sum = result.magnitudes = result.squares = widened(0);
  result.integer_sum = result.integer_magnitudes = result.integer_squares = 0;
  result.finite = result.nonfinite = result.exponent = 0;
  return result;
}

kernel void reduce_chunks(global const uchar* in, layout view, long width, long rows,
                          long rows_per_chunk, long chunks_per_row, long chunk_numbers, long chunks,
                          wide shift, global partial* partials) {
  const long index = get_global_id(0);
  if (index >= chunks) return;
  const chunk part = chunk_at(index, width, rows, rows_per_chunk, chunks_per_row, chunk_numbers);
  const int exponent = scale_exponent(in, view, part, narrowed(shift));
  partial result = nothing_yet();
  result.exponent = -exponent;
  for (long row = part.first_row; row < part.last_row; ++row) {
    global const pixel* pixels =
        (global const pixel*)(in + row_offset(view, row)) + part.first_column;
    reduce_row(pixels, part.last_column - part.first_column, narrowed(shift),
               ldexp((real)1, exponent), &result);
  }
  partials[index] = result;
}

partial combined(partial a, partial b) {
  align(&a, &b);
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

/// One group adds up `count` partials pairwise: the first half of a range (rounded down) and the
/// rest, down to single ones. Nodes of one depth are independent; each leaves its result where its
/// range begins. `depth` is the least with 2^depth >= count.
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
