// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// The passes of engine::Recurrence over one line. IN is the type of the input, REAL that of the
// arithmetic and of what is written; SUM is defined for that form of recurrence.

#define MOST_STATES 8
#define MOST_CASCADED 5

typedef struct {
  long states, border, warmup;
  REAL value;  // of the constant border
  REAL feed[MOST_STATES], backward[MOST_STATES], forward[MOST_STATES], steady[MOST_STATES];
  REAL wrap[MOST_CASCADED * MOST_CASCADED], turn[MOST_CASCADED * MOST_CASCADED];
} recurrence;

/// Where a pass finds its values: pixels of type IN, or what the backward pass left.
typedef struct {
  global const uchar* pixels;
  long step, length;
  bool is_result;
} source;

REAL value_at(source line, long place) {
  global const uchar* pixel = line.pixels + place * line.step;
  return line.is_result ? *(global const REAL*)pixel
                        : (REAL)JOINED(load_, IN)((global const STORED(IN)*)pixel);
}

REAL value_or_ghost(const recurrence* r, source line, long place) {
  const long index = ghost_index(place, line.length, r->border);
  return index < 0 ? r->value : value_at(line, index);
}

// Loops over states have a constant length and a condition, so that compilers can unroll them and
// keep the states in registers.

#ifdef SUM

#define MOST MOST_STATES

void update(const recurrence* r, REAL* s, REAL x) {
  for (int t = 0; t < MOST; t += 2) {
    if (t < r->states) {
      const REAL re = s[t], im = s[t + 1];
      // The change is put together first: on a constant it is 0, and nothing drifts.
      s[t] = re + (x - (r->feed[t] * re - r->feed[t + 1] * im));
      s[t + 1] = im - (r->feed[t] * im + r->feed[t + 1] * re);
    }
  }
}

REAL weighted(const recurrence* r, const REAL* weights, const REAL* s) {
  REAL sum = 0;
  for (int k = 0; k < MOST; ++k) {
    if (k < r->states) sum += weights[k] * s[k];
  }
  return sum;
}

/// d becomes matrix·d: one complex factor for each term.
void multiply(const recurrence* r, const REAL* matrix, REAL* d) {
  for (int t = 0; t < MOST; t += 2) {
    const REAL re = d[t], im = d[t + 1];
    d[t] = matrix[t] * re - matrix[t + 1] * im;
    d[t + 1] = matrix[t] * im + matrix[t + 1] * re;
  }
}

#else

#define MOST MOST_CASCADED

void update(const recurrence* r, REAL* s, REAL x) {
  REAL e = r->feed[0] * (x - s[0]);
  for (int k = 1; k < MOST; ++k) {
    if (k < r->states) e -= r->feed[k] * s[k];
  }
  for (int k = MOST - 1; k >= 0; --k) {
    if (k < r->states) s[k] += k == r->states - 1 ? e : s[k + 1];
  }
}

void multiply(const recurrence* r, const REAL* matrix, REAL* d) {
  REAL product[MOST];
  for (int row = 0; row < MOST; ++row) {
    product[row] = 0;
    for (int k = 0; k < MOST; ++k) {
      if (row < r->states && k < r->states) product[row] += matrix[row * r->states + k] * d[k];
    }
  }
  for (int k = 0; k < MOST; ++k) d[k] = product[k];
}

#endif

void start_steady(const recurrence* r, REAL edge, REAL* s) {
  for (int k = 0; k < MOST; ++k) s[k] = r->steady[k] * edge;
}

/// s becomes steady·edge + matrix·(s - steady·edge).
void map_state(const recurrence* r, const REAL* matrix, REAL edge, REAL* s) {
  for (int k = 0; k < MOST; ++k) s[k] -= r->steady[k] * edge;
  multiply(r, matrix, s);
  for (int k = 0; k < MOST; ++k) s[k] = r->steady[k] * edge + s[k];
}

/// The state with which a pass starts; `direction` is 1 forward, -1 backward.
void first_state(const recurrence* r, source line, long direction, REAL* s) {
  const long end = direction > 0 ? 0 : line.length - 1;
  const REAL edge =
      r->border == CONSTANT ? r->value : value_or_ghost(r, line, end - direction * r->warmup);
  start_steady(r, edge, s);
  if (r->warmup == 0) return;
  for (long places = r->warmup; places > 0; --places) {
    update(r, s, value_or_ghost(r, line, end - direction * places));
  }
  map_state(r, r->wrap, edge, s);
}

/// Without `out` only the state goes on.
void pass(const recurrence* r, source in, long direction, global uchar* out, long out_step,
          REAL* s) {
  long i = direction > 0 ? 0 : in.length - 1;
  for (long n = 0; n < in.length; ++n, i += direction) {
    global REAL* pixel = (global REAL*)(out + i * out_step);
    const REAL x = value_at(in, i);
#ifdef SUM
    if (out != 0 && direction < 0) *pixel = weighted(r, r->backward, s);
    update(r, s, x);
    if (out != 0 && direction > 0) *pixel += weighted(r, r->forward, s);
#else
    update(r, s, x);
    if (out != 0) *pixel = s[0];
#endif
  }
}

source input_line(global const uchar* block, lines view, long index, long length) {
  source line;
  line.pixels = block + line_offset(view, index);
  line.step = view.step;
  line.length = length;
  line.is_result = false;
  return line;
}
