// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Several steps of a rule on a tile of a plane, for CUDA and OpenCL C; see cells.h for the words.
// A tile has STRIPS strips of ROWS rows. LANES threads hold a strip in registers, a run of each row
// each. With every step the cells along the edge of a tile are wrong by one cell more, so a tile
// overlaps its neighbours by as many cells as there are steps.

enum {
  HEIGHT = STRIPS * ROWS,
  EDGES = 2 * AROUND_STATES * STRIPS * WIDTH,  // the first and the last row of each strip
  PLACES = AROUND_STATES * HEIGHT,             // rows whose sides may lie in the block's memory
  ROOM = EDGES + SIDES * PLACES * LANES        // numbers of one buffer
};

FUNCTION int edge_place(int slot, int side, int strip) {
  return ((slot * 2 + side) * STRIPS + strip) * WIDTH;
}

/// The tile from cell (tile_x, tile_y) on, whose outer `margin` cells are its neighbours'.
FUNCTION void step_plane(cells in, cells fields, cells out, int tile_x, int tile_y, int margin_x,
                         int margin_y, const grid_facts* facts, NUMBERS step_numbers* n,
                         LOCAL float* room) {
  const int lane = THREAD % LANES, strip = THREAD / LANES, y = tile_y + strip * ROWS;
  const int strip_above = strip > 0 ? strip - 1 : 0;
  const int strip_below = strip + 1 < STRIPS ? strip + 1 : strip;
  const int has_corners = !IS_UNIT && n->corner != 0;
  const run at = run_at(tile_x + lane * COLUMNS, facts, n->border);
  float state[STATES][ROWS][COLUMNS], field[SOME(FIELDS)][ROWS][COLUMNS];
  stored_run loaded[ROWS][STATES], held[ROWS][SOME(FIELDS)];
  UNROLL for (int r = 0; r < ROWS; ++r) {
    const uint row = (uint)place_beyond(y + r, facts->height, n->border);
    load_cells(loaded[r], STATES, in.first + row * (uint)in.row, in.channel, &at);
    load_cells(held[r], FIELDS, fields.first + row * (uint)fields.row, fields.channel, &at);
  }
  UNROLL for (int r = 0; r < ROWS; ++r) {
    UNROLL for (int s = 0; s < STATES; ++s) {
      numbers_of(state[s][r], &loaded[r][s]);
      if (IS_CONSTANT) set_beyond(state[s][r], at.x, y + r, 0, facts, n);
    }
    UNROLL for (int f = 0; f < FIELDS; ++f) numbers_of(field[f][r], &held[r][f]);
  }
  for (int step = 0; step < n->steps; ++step) {
    LOCAL float* edges = room + step % BUFFERS * ROOM;
    LOCAL float* sides = edges + EDGES;
    UNROLL for (int s = 0; s < STATES; ++s) {
      if ((AROUND >> s & 1) == 0) continue;
      put_run(edges + edge_place(SLOT(s), 0, strip) + lane * COLUMNS, state[s][0]);
      put_run(edges + edge_place(SLOT(s), 1, strip) + lane * COLUMNS, state[s][ROWS - 1]);
      UNROLL for (int r = 0; r < ROWS; ++r) {
        put_sides(sides, SLOT(s) * HEIGHT + strip * ROWS + r, state[s][r]);
      }
    }
    BARRIER;
    // Of the row that comes next: what is above and below it, beside it, and beside the row above.
    float below[STATES][COLUMNS], across[STATES][COLUMNS], over[STATES][COLUMNS];
    float left[STATES], right[STATES];
    UNROLL for (int s = 0; s < STATES; ++s) {
      if ((AROUND >> s & 1) == 0) continue;
      float above[COLUMNS];
      const int place = SLOT(s) * HEIGHT + strip * ROWS;
      get_run(above, edges + edge_place(SLOT(s), 1, strip_above) + lane * COLUMNS);
      get_run(below[s], edges + edge_place(SLOT(s), 0, strip_below) + lane * COLUMNS);
      left[s] = LEFT_OF(sides, place, state[s][0]);
      right[s] = RIGHT_OF(sides, place, state[s][0]);
      UNROLL for (int c = 0; c < COLUMNS; ++c) {
        across[s][c] = above[c] + (ROWS > 1 ? state[s][ROWS > 1 ? 1 : 0][c] : below[s][c]);
      }
      if (has_corners) {
        const float above_left = LEFT_OF(sides, place - (strip > 0), above);
        const float above_right = RIGHT_OF(sides, place - (strip > 0), above);
        UNROLL for (int c = 0; c < COLUMNS; ++c) {
          over[s][c] = beside(above, above_left, above_right, c);
        }
      }
    }
    // What the next row needs of a row is taken before the row is written over.
    UNROLL for (int r = 0; r < ROWS; ++r) {
      const int is_inner = r + 1 < ROWS;
      float around[STATES][COLUMNS];
      UNROLL for (int s = 0; s < STATES; ++s) {
        if ((AROUND >> s & 1) == 0) continue;
        const float* after = is_inner ? state[s][r + 1 < ROWS ? r + 1 : r] : below[s];
        const float* second = r + 2 < ROWS ? state[s][r + 2 < ROWS ? r + 2 : r] : below[s];
        const int place = SLOT(s) * HEIGHT + strip * ROWS + r + 1;
        float after_left = 0, after_right = 0;
        sum_run(around[s], state[s][r], left[s], right[s], across[s], across[s], n);
        if (is_inner ? 1 : has_corners) {
          after_left = LEFT_OF(sides, place < (SLOT(s) + 1) * HEIGHT ? place : place - 1, after);
          after_right = RIGHT_OF(sides, place < (SLOT(s) + 1) * HEIGHT ? place : place - 1, after);
        }
        UNROLL for (int c = 0; c < COLUMNS; ++c) {
          if (has_corners) {
            const float corners = over[s][c] + beside(after, after_left, after_right, c);
            around[s][c] = fma(corners, n->corner, around[s][c]);
            over[s][c] = beside(state[s][r], left[s], right[s], c);
          }
          if (is_inner) across[s][c] = state[s][r][c] + second[c];
        }
        left[s] = after_left;
        right[s] = after_right;
      }
      UNROLL for (int c = 0; c < COLUMNS; ++c) {
        STEP_CELL(state[s][r][c], around[s][c], field[f][r][c], state[s][r][c],
                  n->parameters[step]);
      }
      UNROLL for (int s = 0; s < STATES; ++s) {
        round_run(state[s][r]);
        if (IS_CONSTANT) set_beyond(state[s][r], at.x, y + r, 0, facts, n);
      }
    }
    if (BUFFERS == 1) BARRIER;
  }
  if (lane * COLUMNS < margin_x || lane * COLUMNS >= WIDTH - margin_x) return;
  UNROLL for (int r = 0; r < ROWS; ++r) {
    const int row = strip * ROWS + r;
    if (row < margin_y || row >= HEIGHT - margin_y || y + r >= facts->height) continue;
    UNROLL for (int s = 0; s < STATES; ++s) {
      store_cells(state[s][r], out.first + (uint)(y + r) * (uint)out.row + s * out.channel, &at,
                  facts);
    }
  }
}
