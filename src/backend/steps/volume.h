// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Up to STAGES steps of a rule on a volume, for CUDA and OpenCL C; see cells.h for the words. A
// block goes along z through a column of `lanes` runs times `strips` rows, a run a thread. With
// each slice that it reads every stage makes one slice more, one behind that of the stage before:
// of each stage a thread keeps its cells of one slice in registers, and these and the slice before
// lie in the block's memory, which has two buffers of `threads` runs for every stage and state.

/// Slices [first, end) of the tile from cell (tile_x, tile_y) on, whose outer `margin` cells are
/// its neighbours'.
FUNCTION void step_volume(cells in, cells fields, cells out, int tile_x, int tile_y, int margin_x,
                          int margin_y, int lanes, int strips, int threads, int first, int end,
                          const grid_facts* facts, NUMBERS step_numbers* n, LOCAL float* room) {
  const int lane = THREAD % lanes, strip = THREAD / lanes, y = tile_y + strip, steps = n->steps;
  const int width = lanes * COLUMNS, slice_room = threads * COLUMNS;
  const int buffer_room = STAGES * AROUND_STATES * slice_room;
  const uint row = (uint)place_beyond(y, facts->height, n->border);
  const run at = run_in_row(tile_x + lane * COLUMNS, facts, n->border);
  GLOBAL const uchar* in_row = in.first + row * (uint)in.row;
  GLOBAL const uchar* fields_row = fields.first + row * (uint)fields.row;
  GLOBAL uchar* out_row = out.first + (uint)y * (uint)out.row;
  const int to_above = strip > 0 ? -width : 0, to_below = strip + 1 < strips ? width : 0;
  const int is_stored = lane * COLUMNS >= margin_x && lane * COLUMNS < width - margin_x &&
                        strip >= margin_y && strip < strips - margin_y && y < facts->height &&
                        at.x < facts->width;
  float here[STAGES][STATES][COLUMNS], held[STAGES][SOME(FIELDS)][COLUMNS];
  stored_run coming[STATES], coming_field[SOME(FIELDS)];
  UNROLL for (int c = 0; c < COLUMNS; ++c) {
    UNROLL for (int i = 0; i < STAGES; ++i) {
      UNROLL for (int s = 0; s < STATES; ++s) here[i][s][c] = 0;
      UNROLL for (int f = 0; f < FIELDS; ++f) held[i][f][c] = 0;
    }
  }
  int slice = place_beyond(first - steps, facts->depth, n->border), buffer = 0;
  load_cells(coming, STATES, in_row + slice * in.slice, in.channel, &at);
  load_cells(coming_field, FIELDS, fields_row + slice * fields.slice, fields.channel, &at);
  IN_TURNS for (int z = first - steps; z < end + steps; ++z) {
    const int to_before = (1 - 2 * buffer) * buffer_room;
    LOCAL const float* beside = room + (buffer * buffer_room + THREAD * COLUMNS);
    float newest[STATES][COLUMNS];
    UNROLL for (int s = 0; s < STATES; ++s) {
      numbers_of(newest[s], &coming[s]);
      if (IS_CONSTANT) set_beyond(newest[s], at.x, y, z, facts, n);
    }
    UNROLL for (int f = 0; f < FIELDS; ++f) {
      UNROLL for (int c = 0; c < COLUMNS; ++c) {
        UNROLL for (int i = STAGES - 1; i > 0; --i) held[i][f][c] = held[i - 1][f][c];
      }
      numbers_of(held[0][f], &coming_field[f]);
    }
    // For the next turn: they are under way while this one computes.
    load_cells(coming_field, FIELDS, fields_row + slice * fields.slice, fields.channel, &at);
    slice = place_beyond(z + 1, facts->depth, n->border);
    load_cells(coming, STATES, in_row + slice * in.slice, in.channel, &at);
    UNROLL for (int i = 0; i < STAGES; ++i) {
      if (i >= steps) continue;
      float around[STATES][COLUMNS], next[STATES][COLUMNS];
      UNROLL for (int s = 0; s < STATES; ++s) {
        if ((AROUND >> s & 1) == 0) continue;
        LOCAL const float* own = beside + (i * AROUND_STATES + SLOT(s)) * slice_room;
        const float* cell = here[i][s];
        float above[COLUMNS], below[COLUMNS], before[COLUMNS], across[COLUMNS], through[COLUMNS];
        get_run(above, own + to_above);
        get_run(below, own + to_below);
        get_run(before, own + to_before);
        UNROLL for (int c = 0; c < COLUMNS; ++c) {
          across[c] = above[c] + below[c];
          through[c] = before[c] + newest[s][c];
        }
        float left = LEFT_AT(own, cell), right = RIGHT_AT(own, cell);
        if (at.is_first && !at.is_mirrored) left = cell[0];
        if (at.is_first && at.is_mirrored) left = cell[1];
        if (at.is_last && !at.is_mirrored) right = cell[COLUMNS - 1];
        if (at.is_last && at.is_mirrored) right = cell[COLUMNS - 2];
        if (IS_CONSTANT && n->border == CONSTANT_BORDER) {
          if (at.is_first) left = n->beyond;
          if (at.is_last) right = n->beyond;
        }
        sum_run(around[s], cell, left, right, across, through, n);
      }
      UNROLL for (int c = 0; c < COLUMNS; ++c) {
        STEP_CELL(here[i][s][c], around[s][c], held[i][f][c], next[s][c], n->parameters[i]);
      }
      UNROLL for (int s = 0; s < STATES; ++s) {
        if (i + 1 < STAGES) round_run(next[s]);  // the last are rounded when they are stored
        if (IS_CONSTANT) set_beyond(next[s], at.x, y, z - 1 - i, facts, n);
        UNROLL for (int c = 0; c < COLUMNS; ++c) {
          here[i][s][c] = newest[s][c];
          newest[s][c] = next[s][c];
        }
      }
    }
    if (is_stored && z - steps >= first) {
      UNROLL for (int s = 0; s < STATES; ++s) {
        store_cells(newest[s], out_row + (z - steps) * out.slice + s * out.channel, &at, facts);
      }
    }
    buffer = 1 - buffer;
    UNROLL for (int i = 0; i < STAGES; ++i) {
      if (i >= steps) continue;
      UNROLL for (int s = 0; s < STATES; ++s) {
        if ((AROUND >> s & 1) == 0) continue;
        put_run(room + (buffer * buffer_room + THREAD * COLUMNS) +
                    (i * AROUND_STATES + SLOT(s)) * slice_room,
                here[i][s]);
      }
    }
    BARRIER;
  }
}
