// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// What plane.h and volume.h share. Both take several steps of a rule in one pass over memory, with
// the bits of one step at a time. What stands beyond the grid is computed along: the cells there
// are images of cells of the grid and stay so, because a sum over neighbours is the same in a
// mirror (clamped, the neighbour beyond is the cell itself, as with reflect); cells of a constant
// border are set anew after each step.
//
// Whoever takes the text has said before what these are: STATES, FIELDS and AROUND (bits of states,
// as in rules/table.inc) of the rule; IS_UNIT (weights of 1, no corners), IS_CONSTANT (cells beyond
// may be a constant), IS_VOLUME; COLUMNS, LANES, STRIPS, ROWS and STAGES; PIXEL_BYTES and
// stored_run, with load_run, load_one, numbers_of, store_run and store_one; put_run and get_run;
// SIDES (how many of a thread's cells of a row lie in the block's memory as well) and in how many
// BUFFERS, put_sides, LEFT_OF, RIGHT_OF, LEFT_AT and RIGHT_AT; round_run, to what is stored, and
// APPLY_RULE; FUNCTION, GLOBAL, LOCAL, UNROLL, IN_TURNS (before the loop along z), BARRIER, THREAD
// and NUMBERS; the borders. A run is the COLUMNS cells of a row that a thread has. Arithmetic is
// float32.

#define SOME(count) ((count) > 0 ? (count) : 1)
/// Of a state whose neighbours are looked at, among those.
#define SLOT(s) \
  (((s) > 0 ? AROUND & 1 : 0) + ((s) > 1 ? AROUND >> 1 & 1 : 0) + ((s) > 2 ? AROUND >> 2 & 1 : 0))
#define AROUND_STATES ((AROUND & 1) + (AROUND >> 1 & 1) + (AROUND >> 2 & 1) + (AROUND >> 3 & 1))

enum { WIDTH = LANES * COLUMNS };

#ifdef __OPENCL_VERSION__
/// StepNumbers of steps.hpp.
typedef struct {
  int steps, border;
  float axis[3], corner, beyond;
  float parameters[8][8];
} step_numbers;

typedef struct {
  int width, height, depth, is_aligned;
} grid_facts;
#endif

/// A view, from its first cell on.
typedef struct {
  GLOBAL uchar* first;
  long row, slice, channel;
} cells;

/// Where a thread's run lies: in memory from cell `from` of the row on, or each cell for itself.
/// The first and the last run of a row may have to know that nothing is beyond them.
typedef struct {
  int x, from, is_whole;
  int is_first, is_last, is_mirrored;
  int columns[COLUMNS];
} run;

/// The cell that is, and stays, what stands at i; any where the border's constant stands. Most lie
/// within one length of the grid and want no division.
FUNCTION int place_beyond(int i, int length, int border) {
  if (i >= 0 && i < length) return i;
  if (border == CONSTANT_BORDER) return 0;
  const int shift = border == MIRROR_BORDER ? 2 : 1;
  const int place = border == PERIODIC_BORDER ? (i < 0 ? i + length : i - length)
                    : i < 0                   ? shift - 2 - i
                                              : 2 * length - shift - i;
  if (place >= 0 && place < length) return place;
  return (int)ghost_index(i, length, border == CLAMP_BORDER ? REFLECT_BORDER : border);
}

FUNCTION run run_at(int x, const grid_facts* facts, int border) {
  run made;
  made.x = x;
  made.from = x;
  made.is_first = made.is_last = made.is_mirrored = 0;
  made.is_whole = facts->is_aligned && x >= 0 && x + COLUMNS <= facts->width;
  UNROLL for (int c = 0; c < COLUMNS; ++c) {
    made.columns[c] = x + c;
    if (!made.is_whole) made.columns[c] = place_beyond(x + c, facts->width, border);
  }
  return made;
}

/// Where rows are whole runs and do not go round: what threads beyond them have are any cells, and
/// no thread loads cells one by one, for which its whole warp would wait in every slice.
FUNCTION run run_in_row(int x, const grid_facts* facts, int border) {
  run made = run_at(x, facts, border);
  if (border == PERIODIC_BORDER || !facts->is_aligned || facts->width % COLUMNS != 0) return made;
  made.from = x < 0 ? 0 : x < facts->width ? x : facts->width - COLUMNS;
  made.is_whole = 1;
  made.is_first = x == 0;
  made.is_last = x + COLUMNS == facts->width;
  made.is_mirrored = border == MIRROR_BORDER;
  return made;
}

/// Cells of `count` channels of a row.
FUNCTION void load_cells(stored_run* runs, int count, GLOBAL const uchar* row, long channel,
                         const run* at) {
  if (at->is_whole) {
    GLOBAL const uchar* from = row + at->from * PIXEL_BYTES;
    UNROLL for (int i = 0; i < count; ++i) load_run(&runs[i], from + i * channel);
  } else {
    UNROLL for (int i = 0; i < count; ++i) {
      UNROLL for (int c = 0; c < COLUMNS; ++c) {
        load_one(&runs[i], c, row + i * channel + at->columns[c] * PIXEL_BYTES);
      }
    }
  }
}

/// Those that are cells of the grid, in a row of it.
FUNCTION void store_cells(const float* values, GLOBAL uchar* row, const run* at,
                          const grid_facts* facts) {
  if (at->is_whole) {
    store_run(row + at->x * PIXEL_BYTES, values);
    return;
  }
  UNROLL for (int c = 0; c < COLUMNS; ++c) {
    if (at->x + c >= 0 && at->x + c < facts->width) {
      store_one(row + (at->x + c) * PIXEL_BYTES, values[c]);
    }
  }
}

/// Cells beyond a constant border are the constant again.
FUNCTION void set_beyond(float* values, int x, int y, int z, const grid_facts* facts,
                         NUMBERS step_numbers* n) {
  if (n->border != CONSTANT_BORDER) return;
  const int is_row = y >= 0 && y < facts->height && z >= 0 && z < facts->depth;
  UNROLL for (int c = 0; c < COLUMNS; ++c) {
    if (!is_row || x + c < 0 || x + c >= facts->width) values[c] = n->beyond;
  }
}

/// The cells left and right of one.
FUNCTION float beside(const float* row, float left, float right, int c) {
  return (c > 0 ? row[c > 0 ? c - 1 : 0] : left) +
         (c + 1 < COLUMNS ? row[c + 1 < COLUMNS ? c + 1 : 0] : right);
}

/// engine::Neighbours without corners, from the pairs across rows and slices. An axis of weight 0
/// has no neighbours: what stands there must not count even as NaN.
FUNCTION void sum_run(float* sums, const float* row, float left, float right, const float* across,
                      const float* through, NUMBERS step_numbers* n) {
  UNROLL for (int c = 0; c < COLUMNS; ++c) {
    const float along = beside(row, left, right, c);
    if (IS_UNIT) {
      sums[c] = along + across[c];
      if (IS_VOLUME) sums[c] += through[c];
    } else {
      sums[c] = n->axis[0] != 0 ? along * n->axis[0] : 0;
      if (n->axis[1] != 0) sums[c] = fma(across[c], n->axis[1], sums[c]);
      if (IS_VOLUME) sums[c] = fma(through[c], n->axis[2], sums[c]);
    }
  }
}

/// The states of a cell after a step.
#define STEP_CELL(state_of, sum_of, field_of, next_of, parameters)                 \
  {                                                                                \
    float own[STATES], sums[STATES], fixed[SOME(FIELDS)], result[STATES];          \
    UNROLL for (int s = 0; s < STATES; ++s) own[s] = state_of;                     \
    UNROLL for (int s = 0; s < STATES; ++s) {                                      \
      sums[s] = (AROUND >> s & 1) != 0 ? sum_of : 0;                               \
    }                                                                              \
    UNROLL for (int f = 0; f < FIELDS; ++f) fixed[f] = field_of;                   \
    APPLY_RULE(own, sums, fixed, parameters, result);                              \
    UNROLL for (int s = 0; s < STATES; ++s) next_of = result[s];                   \
  }
