// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// engine::Recurrence in stretches, for CUDA and OpenCL C: the same text, so that both have the same
// bits and what is tested on one processor holds for the other. Whoever takes it has said before
// what REAL, STATES and SUM (1 for that form, else 0) are; FUNCTION, GLOBAL, LOCAL and TABLE; UNROLL
// and ONE_BY_ONE; BARRIER, WARP_BARRIER for 32 threads that follow each other, THREAD, THREADS and
// BLOCK; CONSTANT_BORDER and PERIODIC_BORDER; fma, lines, line_offset and ghost_index; and has pixel_at with TYPE_OF_REAL, load_stretch, load_rows and
// store_rows. In CUDA it is the body of a class template.
//
// Arrays that are indexed by constants once loops are unrolled stay in registers.

enum {
  STRETCH = 32,
  SPAN = 8,  // stretches
  MATRIX = SUM ? STATES : STATES * STATES,
  TILE = STRETCH + 1,         // so that threads side by side read from banks side by side
  ENTRY = (STATES + 1) | 1,  // what a stretch hands on: its state and its first pixel
  BACKWARD = 0,
  FORWARD = 1
};

#ifdef __OPENCL_VERSION__
/// TypedScanNumbers of scan_numbers.hpp.
typedef struct {
  int warmup, border;
  REAL value;
  REAL feed[2][STATES], weights[2][STATES], steady[STATES];
  REAL wrap[MATRIX], turn[MATRIX], leap[2][MATRIX], span_leap[2][MATRIX];
  REAL leaps[SPAN][MATRIX], rows[2][STRETCH][STATES];
} scan_numbers;
#endif

/// Pixels along a line; `type` is for pixel_at.
typedef struct {
  GLOBAL const uchar* pixels;
  long step, length;
  int type;
} source;

FUNCTION void scan_step(REAL* s, REAL x, TABLE REAL* feed) {
  if (SUM) {
    // The change is added to s last: on a constant it is 0, and nothing drifts.
    UNROLL for (int t = 0; t + 1 < STATES; t += 2) {
      const REAL re = s[t], im = s[t + 1];
      s[t] = re + fma(feed[t + 1], im, fma(-feed[t], re, x));
      s[t + 1] = im + fma(-feed[t], im, -feed[t + 1] * re);
    }
  } else {
    // What does not wait for the last result comes first.
    REAL top = fma(-feed[STATES - 1], s[STATES - 1], s[STATES - 1]);
    UNROLL for (int k = STATES - 2; k > 0; --k) top = fma(-feed[k], s[k], top);
    s[STATES - 1] = fma(feed[0], x - s[0], top);
    UNROLL for (int k = STATES - 2; k >= 0; --k) s[k] += s[k + 1];
  }
}

/// start + factors·s
FUNCTION REAL scan_product(const REAL* s, TABLE REAL* factors, REAL start) {
  REAL result = start;
  UNROLL for (int k = 0; k < STATES; ++k) result = fma(factors[k], s[k], result);
  return result;
}

/// s += matrix·d; of a sum the matrix is one complex factor for each term.
FUNCTION void scan_add_product(REAL* s, const REAL* d, TABLE REAL* matrix) {
  if (SUM) {
    UNROLL for (int t = 0; t + 1 < STATES; t += 2) {
      s[t] = fma(-matrix[t + 1], d[t + 1], fma(matrix[t], d[t], s[t]));
      s[t + 1] = fma(matrix[t + 1], d[t], fma(matrix[t], d[t + 1], s[t + 1]));
    }
  } else {
    UNROLL for (int row = 0; row < STATES; ++row)
      s[row] = scan_product(d, matrix + row * STATES, s[row]);
  }
}

FUNCTION void scan_steady(REAL* s, REAL edge, TABLE scan_numbers* r) {
  UNROLL for (int k = 0; k < STATES; ++k) s[k] = SUM ? r->steady[k] * edge : k == 0 ? edge : 0;
}

/// s becomes steady·edge, d what s was beyond that.
FUNCTION void scan_part_from(REAL* s, REAL* d, REAL edge, TABLE scan_numbers* r) {
  UNROLL for (int k = 0; k < STATES; ++k) d[k] = s[k];
  scan_steady(s, edge, r);
  UNROLL for (int k = 0; k < (SUM ? STATES : 1); ++k) d[k] -= s[k];
}

/// s becomes steady·edge + matrix·(s - steady·edge).
FUNCTION void scan_map(REAL* s, REAL edge, TABLE REAL* matrix, TABLE scan_numbers* r) {
  REAL d[STATES];
  scan_part_from(s, d, edge, r);
  scan_add_product(s, d, matrix);
}

FUNCTION REAL value_at(source line, long place) {
  return pixel_at(line.pixels + place * line.step, line.type);
}

FUNCTION REAL value_or_ghost(source line, long place, TABLE scan_numbers* r) {
  const long index = ghost_index(place, line.length, (int)r->border);
  return index < 0 ? r->value : value_at(line, index);
}

/// The state with which a pass over a whole line starts.
FUNCTION void scan_first_state(REAL* s, source line, int direction, TABLE scan_numbers* r) {
  const long end = direction == FORWARD ? 0 : line.length - 1, out = direction == FORWARD ? -1 : 1;
  const REAL edge =
      r->border == CONSTANT_BORDER ? r->value : value_or_ghost(line, end + out * r->warmup, r);
  scan_steady(s, edge, r);
  if (r->warmup == 0) return;
  for (long places = r->warmup; places > 0; --places)
    scan_step(s, value_or_ghost(line, end + out * places, r), r->feed[direction]);
  scan_map(s, edge, r->wrap, r);
}

/// What a pixel becomes, from the state with which the pass meets it; `before` is what the backward
/// pass left of a sum.
FUNCTION REAL scan_pixel(REAL* s, REAL x, REAL before, int direction, TABLE scan_numbers* r) {
  if (SUM && direction == BACKWARD) {
    const REAL result = scan_product(s, r->weights[BACKWARD], 0);
    scan_step(s, x, r->feed[BACKWARD]);
    return result;
  }
  scan_step(s, x, r->feed[direction]);
  return SUM ? scan_product(s, r->weights[FORWARD], before) : s[0];
}

/// One pass over pixels [begin, begin + in.length) of a line of `length`, by one thread. s, d and
/// `of_span` as Backend::scan_part has them. Without `out` nothing is cut into stretches.
FUNCTION void scan_serially(source in, GLOBAL uchar* out, long out_step, long begin, long length,
                            int direction, REAL* s, REAL* d, REAL* of_span,
                            TABLE scan_numbers* r) {
  const long last = (length - 1) / STRETCH, end = direction == FORWARD ? length - 1 : 0;
  REAL all[STATES];
  for (long n = 0; n < in.length; ++n) {
    const long i = direction == FORWARD ? n : in.length - 1 - n, place = begin + i;
    const REAL x = value_at(in, i);
    if (out == 0) {
      scan_step(s, x, r->feed[direction]);
      continue;
    }
    GLOBAL REAL* pixel = (GLOBAL REAL*)(out + i * out_step);
    const long stretch = place / STRETCH, first = direction == FORWARD ? 0 : last;
    const int age = (int)(direction == FORWARD ? place % STRETCH : STRETCH - 1 - place % STRETCH);
    const int turn = (int)(direction == FORWARD ? stretch % SPAN : SPAN - 1 - stretch % SPAN);
    const bool in_first_span = stretch / SPAN == first / SPAN, is_first = stretch == first;
    if (!is_first && age == 0) {
      // The stretch before this one, unless it began where its pass or span did.
      const long before = direction == FORWARD ? stretch - 1 : stretch + 1;
      const bool was_first = before == first;
      if (!was_first && (turn != 1 || in_first_span)) scan_add_product(s, d, r->leap[direction]);
      if (turn == 0) {
        if (before / SPAN != first / SPAN) scan_add_product(s, of_span, r->span_leap[direction]);
        scan_part_from(s, of_span, x, r);
      } else {
        scan_part_from(s, d, x, r);
      }
    }
    if (n == 0 || age == 0) {
      UNROLL for (int k = 0; k < STATES; ++k) all[k] = turn == 0 && !in_first_span ? 0 : d[k];
      if (!in_first_span) scan_add_product(all, of_span, r->leaps[turn]);
    }
    const REAL before = SUM && direction == FORWARD ? *pixel : 0;
    const REAL result = scan_pixel(s, x, before, direction, r);
    *pixel = is_first ? result : scan_product(all, r->rows[direction][age], result);
    if (place != end || is_first) continue;
    // The state at the end of the pass, as one.
    if (direction == BACKWARD) {
      scan_add_product(s, d, r->leap[BACKWARD]);
      if (!in_first_span) scan_add_product(s, of_span, r->span_leap[BACKWARD]);
    } else {
      for (int step = 0; step <= age; ++step) scan_step(all, 0, r->feed[FORWARD]);
      UNROLL for (int k = 0; k < STATES; ++k) s[k] += all[k];
    }
  }
}

/// A whole line by one thread.
FUNCTION void scan_line(source line, GLOBAL uchar* out, long out_step, TABLE scan_numbers* r) {
  REAL s[STATES], d[STATES], of_span[STATES];
  // Before anything is written: `out` may be `in`.
  const REAL edge = r->border == CONSTANT_BORDER ? r->value : value_at(line, 0);
  scan_first_state(s, line, BACKWARD, r);
  scan_serially(line, out, out_step, 0, line.length, BACKWARD, s, d, of_span, r);
  source results = line;
  if (!SUM) {
    results.pixels = out;
    results.step = out_step;
    results.type = TYPE_OF_REAL;
  }
  if (SUM || r->border == PERIODIC_BORDER) {
    scan_first_state(s, results, FORWARD, r);
  } else {
    scan_map(s, edge, r->turn, r);
  }
  scan_serially(results, out, out_step, 0, line.length, FORWARD, s, d, of_span, r);
}

/// Goes through entries of `carry` in the order of the pass: from the state that each ended with
/// when it began with steady·pixel (the pixel stands after the state) to what it lacked. The first
/// lacked nothing, and its entry is left as it is. s becomes the state at the end.
FUNCTION void scan_chain(REAL* s, LOCAL REAL* carry, int pitch, int count, int direction,
                         TABLE REAL* leap, TABLE scan_numbers* r) {
  const int step = direction == FORWARD ? ENTRY * pitch : -ENTRY * pitch;
  LOCAL REAL* at = carry + (direction == FORWARD ? 0 : (count - 1) * ENTRY * pitch);
  ONE_BY_ONE for (int n = 0; n < count; ++n, at += step) {
    REAL end[STATES], d[STATES];
    UNROLL for (int k = 0; k < STATES; ++k) end[k] = at[k * pitch];
    if (n > 0) {
      scan_part_from(s, d, at[STATES * pitch], r);
      scan_add_product(end, d, leap);
      UNROLL for (int k = 0; k < STATES; ++k) at[k * pitch] = d[k];
    }
    UNROLL for (int k = 0; k < STATES; ++k) s[k] = end[k];
  }
}

/// Where two views of one shape have a line.
FUNCTION void line_offsets(lines a, lines b, long index, long* of_a, long* of_b) {
  if (((index | a.inner_count | a.middle_count) >> 31) == 0) {  // by fast divisions of 32 bits
    const uint place = (uint)index, inner = (uint)a.inner_count, middle = (uint)a.middle_count;
    const uint plane = place / inner, column = place % inner;
    const uint outer = plane / middle, row = plane % middle;
    *of_a = a.offset + column * a.inner_step + row * a.middle_step + outer * a.outer_step;
    *of_b = b.offset + column * b.inner_step + row * b.middle_step + outer * b.outer_step;
  } else {
    *of_a = line_offset(a, index);
    *of_b = line_offset(b, index);
  }
}

/// Lines [BLOCK·across, …) by a block of threads, `parts` of which have a stretch of each: all of
/// a line, which is read once and written once. Not for periodic cascades, whose second pass needs
/// the first one's results. `along_x` is a constant where it is called. `room` is local memory, see
/// ScanBlock.
FUNCTION void scan_block(GLOBAL const uchar* in, lines in_lines, int in_type, GLOBAL uchar* out,
                         lines out_lines, long length, long count, int across, int parts,
                         int along_x, TABLE scan_numbers* r, LOCAL REAL* room) {
  const int thread = THREAD, pitch = across | 1, spans = (parts + SPAN - 1) / SPAN;
  const int line = along_x ? thread / parts : thread % across;
  const int part = along_x ? thread % parts : thread / across;
  const long first = (long)BLOCK * across;
  const bool is_there = part < parts && line < across && first + line < count;
  const bool chains = thread < across && first + thread < count;
  LOCAL REAL* tile = room + thread * TILE;
  LOCAL REAL* carry = room + (along_x ? THREADS * TILE : 0);
  LOCAL REAL* of_spans = carry + parts * ENTRY * pitch;
  LOCAL REAL* starts = of_spans + spans * ENTRY * pitch;
  LOCAL REAL* leaps = starts + (STATES + 1) * across;
  LOCAL REAL* own = carry + part * ENTRY * pitch + line;
  LOCAL REAL* kept = starts + thread;  // the state of the line that this thread chains
  source from;
  long in_offset = 0, out_offset = 0;
  if (is_there) line_offsets(in_lines, out_lines, first + line, &in_offset, &out_offset);
  from.pixels = in + in_offset;
  from.step = in_lines.step;
  from.length = length;
  from.type = in_type;
  GLOBAL uchar* to = out + out_offset + part * (long)STRETCH * out_lines.step;
  if (chains) {  // its first pixel, before that is written
    if (along_x) line_offsets(in_lines, out_lines, first + thread, &in_offset, &out_offset);
    kept[STATES * across] =
        r->border == CONSTANT_BORDER ? r->value : pixel_at(in + in_offset, in_type);
  }
  if (spans > 1) {
    for (int i = thread; i < SPAN * MATRIX; i += THREADS)
      leaps[i] = r->leaps[i / MATRIX][i % MATRIX];
  }
  const long left = is_there ? length - (long)part * STRETCH : 0;
  const int pixels = left < 0 ? 0 : left < STRETCH ? (int)left : STRETCH;
  REAL v[STRETCH], sum[SUM ? STRETCH : 1];
  REAL s[STATES], pixel = 0;  // the one that the pass meets first
  if (part == parts - 1 && is_there) scan_first_state(s, from, BACKWARD, r);
  if (along_x) {
    load_rows(room, in, in_lines, in_type, first, across, count, length, parts);
    WARP_BARRIER;
    UNROLL for (int i = 0; i < STRETCH; ++i) v[i] = tile[i];
    if (pixels > 0) pixel = tile[pixels - 1];
  } else {
    load_stretch(v, from.pixels + part * (long)STRETCH * from.step, from.step, pixels, in_type);
    if (pixels > 0)
      pixel = pixels == STRETCH ? v[STRETCH - 1]
                                : value_at(from, (long)part * STRETCH + pixels - 1);
  }
  UNROLL for (int direction = BACKWARD; direction <= FORWARD; ++direction) {
    const int first_part = direction == FORWARD ? 0 : parts - 1;
    if (direction == FORWARD) {
      pixel = v[0];
      if (part == 0 && is_there) {
        UNROLL for (int k = 0; k < STATES; ++k) s[k] = starts[k * across + line];
      }
    }
    if (part != first_part) scan_steady(s, pixel, r);
    // What comes after the end is not stored; what comes before the beginning would be carried on.
    if (direction == FORWARD || pixels == STRETCH) {
      UNROLL for (int n = 0; n < STRETCH; ++n) {
        const int i = direction == FORWARD ? n : STRETCH - 1 - n;
        REAL* result = SUM ? sum + (SUM ? i : 0) : v + i;
        *result = scan_pixel(s, v[i], sum[SUM ? i : 0], direction, r);
      }
    } else {
      UNROLL for (int i = STRETCH - 1; i >= 0; --i) {
        REAL* result = SUM ? sum + (SUM ? i : 0) : v + i;
        if (i < pixels) *result = scan_pixel(s, v[i], 0, BACKWARD, r);
      }
    }
    if (parts == 1) {  // nothing to hand on
      if (is_there && direction == BACKWARD) {
        UNROLL for (int k = 0; k < STATES; ++k) starts[k * across + line] = s[k];
      }
      BARRIER;
    } else {
      if (is_there) {
        UNROLL for (int k = 0; k < STATES; ++k) own[k * pitch] = s[k];
        own[STATES * pitch] = pixel;
      }
      BARRIER;
      // First within spans, side by side, then from span to span.
      if (thread < across * spans) {
        const int span = thread / across, which = thread % across;
        const int left_parts = parts - span * SPAN, held = left_parts < SPAN ? left_parts : SPAN;
        LOCAL REAL* entries = carry + span * SPAN * ENTRY * pitch + which;
        LOCAL REAL* of_span = of_spans + span * ENTRY * pitch + which;
        const int met = direction == FORWARD ? 0 : held - 1;
        of_span[STATES * pitch] = entries[(met * ENTRY + STATES) * pitch];
        REAL state[STATES];
        scan_chain(state, entries, pitch, held, direction, r->leap[direction], r);
        UNROLL for (int k = 0; k < STATES; ++k) of_span[k * pitch] = state[k];
      }
      BARRIER;
      if (chains) {
        REAL state[STATES];
        scan_chain(state, of_spans + thread, pitch, spans, direction, r->span_leap[direction],
                   r);
        UNROLL for (int k = 0; k < STATES; ++k) kept[k * across] = state[k];
      }
      BARRIER;
      if (is_there && part != first_part) {
        const bool in_first_span = part / SPAN == first_part / SPAN;
        const int turn = direction == FORWARD ? part % SPAN : SPAN - 1 - part % SPAN;
        UNROLL for (int k = 0; k < STATES; ++k)
          s[k] = !in_first_span && turn == 0 ? 0 : own[k * pitch];
        if (!in_first_span) {
          REAL d[STATES];
          UNROLL for (int k = 0; k < STATES; ++k)
            d[k] = of_spans[part / SPAN * ENTRY * pitch + line + k * pitch];
          LOCAL const REAL* matrix = leaps + turn * MATRIX;
          if (SUM) {
            UNROLL for (int t = 0; t + 1 < STATES; t += 2) {
              s[t] = fma(-matrix[t + 1], d[t + 1], fma(matrix[t], d[t], s[t]));
              s[t + 1] = fma(matrix[t + 1], d[t], fma(matrix[t], d[t + 1], s[t + 1]));
            }
          } else {
            UNROLL for (int k = 0; k < STATES * STATES; ++k)
              s[k / STATES] = fma(matrix[SUM ? 0 : k], d[k % STATES], s[k / STATES]);
          }
        }
        UNROLL for (int n = 0; n < STRETCH; ++n) {
          const int i = direction == FORWARD ? n : STRETCH - 1 - n;
          REAL* result = SUM ? sum + (SUM ? i : 0) : v + i;
          *result = scan_product(s, r->rows[direction][n], *result);
        }
      }
    }
    if (direction == BACKWARD) {
      if (chains) {
        REAL state[STATES];
        UNROLL for (int k = 0; k < STATES; ++k) state[k] = kept[k * across];
        if (SUM) {
          source chained = from;
          line_offsets(in_lines, out_lines, first + thread, &in_offset, &out_offset);
          chained.pixels = in + in_offset;
          scan_first_state(state, chained, FORWARD, r);
        } else {
          scan_map(state, kept[STATES * across], r->turn, r);
        }
        UNROLL for (int k = 0; k < STATES; ++k) kept[k * across] = state[k];
      }
      BARRIER;
    }
  }
  if (along_x) {
    UNROLL for (int i = 0; i < STRETCH; ++i) tile[i] = SUM ? sum[SUM ? i : 0] : v[i];
    WARP_BARRIER;
    store_rows(room, out, out_lines, first, across, count, length, parts);
  } else if (pixels == STRETCH) {
    UNROLL for (int i = 0; i < STRETCH; ++i, to += out_lines.step)
      *(GLOBAL REAL*)to = SUM ? sum[SUM ? i : 0] : v[i];
  } else {
    UNROLL for (int i = 0; i < STRETCH; ++i, to += out_lines.step) {
      if (i < pixels) *(GLOBAL REAL*)to = SUM ? sum[SUM ? i : 0] : v[i];
    }
  }
}
