// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// IN is the pixel type, INTEGER is defined when it is one; ONLY_SQUARES and ONLY_RANGE when nothing
// else is wanted. The order of additions is that of the `cpu` backend, so that results agree to the
// bit where doubles exist: eight running sums for each row of a chunk, added as a tree, the rows in
// their order, the chunks as a balanced tree. Elsewhere the values of a chunk are scaled by a power
// of two, so that their squares stay within the range of a float.

#define LANES 8
#define AHEAD 16

typedef STORED(IN) pixel;

/// Eleven words of 8 bytes whichever `wide` is; the host has the same structure.
typedef struct {
  wide least, greatest, sum, magnitudes, squares;
  long integer_sum, integer_magnitudes, integer_squares;
  long finite, nonfinite;
  long exponent;  // sums are to be multiplied by 2 to this power, squares by 2 to twice of it
} partial;

partial nothing_yet() {
  partial result;
  result.least = widened(INFINITY);
  result.greatest = widened(-INFINITY);
  result.sum = result.magnitudes = result.squares = widened(0);
  result.integer_sum = result.integer_magnitudes = result.integer_squares = 0;
  result.finite = result.nonfinite = result.exponent = 0;
  return result;
}

/// What a value is loaded as: integers as they are.
#ifdef INTEGER
#define LOADED(address) (*(address))
typedef pixel loaded_pixel;
#else
#define LOADED(address) JOINED(load_, IN)(address)
typedef float loaded_f16, loaded_f32;
#ifdef WITH_FLOAT64
typedef double loaded_f64;
#endif
typedef JOINED(loaded_, IN) loaded_pixel;
#endif

/// One of the eight running sums of a row; extremes are kept as they were loaded, because taking the
/// shift off keeps their order.
typedef struct {
#ifdef INTEGER
  int least, greatest;
  long sum, magnitudes, squares;
#else
  loaded_pixel least, greatest;
  wide sum, magnitudes, squares;
  int finite;
#endif
} lane;

#ifdef INTEGER

lane empty_lane() {
  lane own;
  own.least = INT_MAX;
  own.greatest = INT_MIN;
  own.sum = own.magnitudes = own.squares = 0;
  return own;
}

void add_pixel(lane* own, pixel loaded, real shift, real scale) {
  const int value = loaded;
  own->least = min(own->least, value);
  own->greatest = max(own->greatest, value);
  own->sum += value;
  own->magnitudes += abs(value);
  own->squares += (long)value * value;
}

void add_pixels(lane* own, const pixel* loaded, real shift, real scale) {
  _Pragma("unroll") for (int k = 0; k < AHEAD; ++k) add_pixel(own, loaded[k], shift, scale);
}

partial row_of(local const lane* all, long count, real shift) {
  partial result = nothing_yet();
  int least = INT_MAX, greatest = INT_MIN;
  for (int l = 0; l < LANES; ++l) {
    least = min(least, all[l].least);
    greatest = max(greatest, all[l].greatest);
    result.integer_sum += all[l].sum;
    result.integer_magnitudes += all[l].magnitudes;
    result.integer_squares += all[l].squares;
  }
  result.least = widened(least);
  result.greatest = widened(greatest);
  result.finite = count;
  return result;
}

#else

bool is_kept(real value) { return value - value == 0; }  // false for NaN and infinities

lane empty_lane() {
  lane own;
  own.least = INFINITY;
  own.greatest = -INFINITY;
  own.sum = own.magnitudes = own.squares = widened(0);
  own.finite = 0;
  return own;
}

void add_finite(lane* own, loaded_pixel loaded, real shift, real scale) {
  const real value = loaded - shift;
#ifndef ONLY_SQUARES
  own->least = min(own->least, loaded);
  own->greatest = max(own->greatest, loaded);
#endif
  const real scaled_value = value * scale;
#if !defined(ONLY_SQUARES) && !defined(ONLY_RANGE)
  own->sum = sum_of(own->sum, widened(scaled_value));
  own->magnitudes = sum_of(own->magnitudes, widened(fabs(scaled_value)));
#endif
#ifndef ONLY_RANGE
  own->squares = sum_of(own->squares, square(scaled_value));
#endif
}

void add_pixel(lane* own, loaded_pixel loaded, real shift, real scale) {
  if (!is_kept(loaded - shift)) return;
  ++own->finite;
  add_finite(own, loaded, shift, scale);
}

/// Looks once whether all are finite: a test for each costs more than the sums.
void add_pixels(lane* own, const loaded_pixel* loaded, real shift, real scale) {
  real zero = 0;
  _Pragma("unroll") for (int k = 0; k < AHEAD; ++k)
    zero = fma(loaded[k] - shift, (real)0, zero);
  if (zero == 0) {
    own->finite += AHEAD;
    _Pragma("unroll") for (int k = 0; k < AHEAD; ++k)
      add_finite(own, loaded[k], shift, scale);
  } else {
    _Pragma("unroll") for (int k = 0; k < AHEAD; ++k)
      add_pixel(own, loaded[k], shift, scale);
  }
}

#define TREE(v)                                                                       \
  sum_of(sum_of(sum_of(all[0].v, all[4].v), sum_of(all[2].v, all[6].v)),              \
         sum_of(sum_of(all[1].v, all[5].v), sum_of(all[3].v, all[7].v)))

partial row_of(local const lane* all, long count, real shift) {
  partial result = nothing_yet();
  loaded_pixel least = INFINITY, greatest = -INFINITY;
  for (int l = 0; l < LANES; ++l) {
    least = min(least, all[l].least);
    greatest = max(greatest, all[l].greatest);
    result.finite += all[l].finite;
  }
  result.least = widened(least - shift);
  result.greatest = widened(greatest - shift);
  result.sum = TREE(sum);
  result.magnitudes = TREE(magnitudes);
  result.squares = TREE(squares);
  result.nonfinite = count - result.finite;
  return result;
}

#endif

lane sum_lane(global const pixel* row, int lane_index, long numbers, real shift, real scale) {
  lane own = empty_lane();
  const int count = (int)numbers, whole = count / (AHEAD * LANES);
  int i = lane_index;
  // The next numbers are on their way while those before them are added.
  loaded_pixel next[AHEAD], several[AHEAD];
  if (whole > 0) {
    _Pragma("unroll") for (int k = 0; k < AHEAD; ++k) next[k] = LOADED(row + i + k * LANES);
  }
  for (int step = 0; step < whole; ++step, i += AHEAD * LANES) {
    _Pragma("unroll") for (int k = 0; k < AHEAD; ++k) several[k] = next[k];
    if (step + 1 < whole) {
      _Pragma("unroll") for (int k = 0; k < AHEAD; ++k)
        next[k] = LOADED(row + i + (AHEAD + k) * LANES);
    }
    add_pixels(&own, several, shift, scale);
  }
  for (; i < count; i += LANES) add_pixel(&own, LOADED(row + i), shift, scale);
  return own;
}

#if defined(INTEGER) || defined(WITH_FLOAT64)

// Nothing needs scaling.
#define SCALES 0
void align(partial* a, partial* b) {}

#else

#define SCALES 1

/// The power of two that brings the largest magnitude of the chunk near 2^30: its square, summed
/// over any image, stays below 2^127, and what underflows is too small beside it to matter.
int scale_exponent(real largest) {
  int exponent = 0;
  frexp(largest, &exponent);
  return largest == 0 ? 0 : min(30 - exponent, 100);
}

real largest_of_lane(global const pixel* row, int lane_index, long count, real shift) {
  real largest = 0;
  for (long i = lane_index; i < count; i += LANES) {
    const real value = JOINED(load_, IN)(row + i) - shift;
    if (is_kept(value)) largest = max(largest, fabs(value));
  }
  return largest;
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

/// Of equal exponents.
void add_to(partial* a, const partial* b) {
  a->least = narrowed(b->least) < narrowed(a->least) ? b->least : a->least;
  a->greatest = narrowed(a->greatest) < narrowed(b->greatest) ? b->greatest : a->greatest;
  a->sum = sum_of(a->sum, b->sum);
  a->magnitudes = sum_of(a->magnitudes, b->magnitudes);
  a->squares = sum_of(a->squares, b->squares);
  a->integer_sum += b->integer_sum;
  a->integer_magnitudes += b->integer_magnitudes;
  a->integer_squares += b->integer_squares;
  a->finite += b->finite;
  a->nonfinite += b->nonfinite;
}

partial combined(partial a, partial b) {
  align(&a, &b);
  add_to(&a, &b);
  return a;
}

/// Where node `node` of `depth` begins in [begin, begin + size), and its size, where halves are
/// size / 2 and the rest.
void find_node(long node, int depth, long* begin, long* size) {
  for (int level = depth; level-- > 0;) {
    const bool right = (node >> level) & 1;
    *begin += right ? *size / 2 : 0;
    *size = right ? *size - *size / 2 : *size / 2;
  }
}

/// Adds up `size` partials in place by the items of a group.
void add_tree(local partial* partials, int size) {
  int depth = 0;
  while ((1 << depth) < size) ++depth;
  while (depth-- > 0) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int node = get_local_id(0); node < (1 << depth); node += get_local_size(0)) {
      long first = 0, numbers = size;
      find_node(node, depth, &first, &numbers);
      if (numbers > 1)
        partials[first] = combined(partials[first], partials[first + numbers / 2]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

/// How rows are cut into chunks, see engine::ReduceChunks. A group takes a node of `depth` of the
/// tree, of at most `together` chunks, and `rows_at_a_time` of their rows at a time.
typedef struct {
  long width, rows, rows_per_chunk, chunks_per_row, chunk_numbers, chunks;
  int together, rows_at_a_time, depth, unused;
} cut;

kernel void reduce_chunks(global const uchar* in, layout view, cut by, wide shift,
                          global partial* partials, long to, local lane* lanes,
                          local partial* of_rows, local real* largest) {
  const int rows_of_chunk = by.rows_at_a_time / by.together;
  long begin = 0, size = by.chunks;
  find_node(get_group_id(0), by.depth, &begin, &size);
  const long end = begin + size;
  const int all_lanes = by.rows_at_a_time * LANES;
#if SCALES
  for (int slot = get_local_id(0); slot < by.rows_at_a_time; slot += get_local_size(0)) {
    largest[slot] = 0;
  }
  // The same walk as below.
  for (long step = 0; step < by.rows_per_chunk; step += rows_of_chunk) {
    for (int slot = get_local_id(0); slot < by.rows_at_a_time; slot += get_local_size(0)) {
      const long index = begin + slot / rows_of_chunk;
      const long in_chunk = step + slot % rows_of_chunk;
      const long row = index / by.chunks_per_row * by.rows_per_chunk + in_chunk;
      if (index >= end || in_chunk >= by.rows_per_chunk || row >= by.rows) continue;
      const long column = index % by.chunks_per_row * by.chunk_numbers;
      global const pixel* pixels = (global const pixel*)(in + row_offset(view, row)) + column;
      const long count = min(by.chunk_numbers, by.width - column);
      for (int l = 0; l < LANES; ++l) {
        largest[slot] = max(largest[slot], largest_of_lane(pixels, l, count, narrowed(shift)));
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  for (long step = 0; step < by.rows_per_chunk; step += rows_of_chunk) {
    for (int item = get_local_id(0); item < all_lanes; item += get_local_size(0)) {
      const int slot = item / LANES;
      const long index = begin + slot / rows_of_chunk;
      const long in_chunk = step + slot % rows_of_chunk;
      const long row = index / by.chunks_per_row * by.rows_per_chunk + in_chunk;
      if (index >= end || in_chunk >= by.rows_per_chunk || row >= by.rows) continue;
      const long column = index % by.chunks_per_row * by.chunk_numbers;
      real scale = 1;
#if SCALES
      real most = 0;
      for (int i = 0; i < rows_of_chunk; ++i) {
        most = max(most, largest[slot / rows_of_chunk * rows_of_chunk + i]);
      }
      scale = ldexp((real)1, scale_exponent(most));
#endif
      lanes[item] = sum_lane((global const pixel*)(in + row_offset(view, row)) + column,
                             item % LANES, min(by.chunk_numbers, by.width - column),
                             narrowed(shift), scale);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // One item a chunk adds its rows.
    for (int chunk = get_local_id(0); chunk < by.together; chunk += get_local_size(0)) {
      const long index = begin + chunk;
      const long first = index / by.chunks_per_row * by.rows_per_chunk;
      const long column = index % by.chunks_per_row * by.chunk_numbers;
      partial total = step == 0 ? nothing_yet() : of_rows[chunk];
#if SCALES
      real most = 0;
      for (int i = 0; i < rows_of_chunk; ++i) most = max(most, largest[chunk * rows_of_chunk + i]);
      total.exponent = -scale_exponent(most);
#endif
      for (long i = 0; i < rows_of_chunk; ++i) {
        if (index >= end || step + i >= by.rows_per_chunk || first + step + i >= by.rows) break;
        const partial one = row_of(lanes + (chunk * rows_of_chunk + i) * LANES,
                                   min(by.chunk_numbers, by.width - column), narrowed(shift));
        add_to(&total, &one);
      }
      of_rows[chunk] = total;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  add_tree(of_rows, (int)size);
  if (get_local_id(0) == 0) partials[to + get_group_id(0)] = of_rows[0];
}

/// A group for every `held` partials, a power of two, which are a whole tree: adds them up into one
/// of those that begin at `to`.
kernel void combine_partials(global partial* partials, long from, int held, long to,
                             local partial* own) {
  for (int i = get_local_id(0); i < held; i += get_local_size(0))
    own[i] = partials[from + get_group_id(0) * (long)held + i];
  add_tree(own, held);
  if (get_local_id(0) == 0) partials[to + get_group_id(0)] = own[0];
}
