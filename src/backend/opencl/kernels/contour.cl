// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one work item for the sums of a stretch of a row, then one a row to add them up; one group
// an edge or a triangle, whose items share its rows. IN is the type of the pixels, MOST_ITEMS the
// size of the largest group.

typedef STORED(IN) pixel;

/// What is added to a pixel to make its value.
#define RAISE_u8 0
#define RAISE_u16 0
#define RAISE_i16 32768
#define RAISE JOINED(RAISE_, IN)

/// A grid of cells and how many it has; the host has the same structure.
typedef struct {
  long image_x, image_y, block, step, columns, rows;
} grid;

typedef struct {
  ulong count, sum, squares;
} region;

void add_pixels(region* sums, global const pixel* row, long first, long end) {
  for (long x = first; x < end; ++x) {
    const ulong value = (ulong)((long)row[x] + RAISE);
    sums->count += 1;
    sums->sum += value;
    sums->squares += value * value;
  }
}

void add_times(region* sums, region part, ulong factor) {
  sums->count += factor * part.count;
  sums->sum += factor * part.sum;
  sums->squares += factor * part.squares;
}

global const pixel* pixels_of(global const uchar* pixels, layout view, long row) {
  return (global const pixel*)(pixels + row_offset(view, row));
}

/// Word i of a row gets the sums between the places of words i - 1 and i.
kernel void sum_stretches(global const uchar* pixels, layout pixels_layout, global uchar* sums,
                          layout sums_layout, grid cells) {
  const long words = cells.columns / cells.step + 1;
  const long word = get_global_id(0);
  if (word >= words) return;
  const long length = cells.block * cells.step;
  const long first = (word - 1) * length, end = min(word * length, cells.image_x);
  for (long row = get_global_id(1); row < cells.rows; row += get_global_size(1)) {
    region own = {0, 0, 0};
    const long below = min((row + 1) * cells.block, cells.image_y);
    for (long y = row * cells.block; word > 0 && y < below; ++y) {
      add_pixels(&own, pixels_of(pixels, pixels_layout, y), first, end);
    }
    global ulong* to = (global ulong*)(sums + row_offset(sums_layout, row)) + 2 * word;
    to[0] = own.sum;
    to[1] = own.squares;
  }
}

kernel void add_up(global uchar* sums, layout sums_layout, grid cells) {
  const long row = get_global_id(0);
  if (row >= cells.rows) return;
  global ulong* words = (global ulong*)(sums + row_offset(sums_layout, row));
  ulong sum = 0, squares = 0;
  for (long word = 0; word <= cells.columns / cells.step; ++word) {
    words[2 * word] = sum += words[2 * word];
    words[2 * word + 1] = squares += words[2 * word + 1];
  }
}

/// One work item a cell of the coarse grid, and one for the end of each row.
kernel void coarsen(global const uchar* fine, layout fine_layout, grid fine_cells,
                    global uchar* coarse, layout coarse_layout, grid coarse_cells) {
  const long column = get_global_id(0);
  if (column > coarse_cells.columns) return;
  const long from_column = min(2 * column, fine_cells.columns);
  for (long row = get_global_id(1); row < coarse_cells.rows; row += get_global_size(1)) {
    ulong sum = 0, squares = 0;
    for (long y = 2 * row; y < min(2 * row + 2, fine_cells.rows); ++y) {
      global const ulong* from =
          (global const ulong*)(fine + row_offset(fine_layout, y)) + 2 * from_column;
      sum += from[0];
      squares += from[1];
    }
    global ulong* to = (global ulong*)(coarse + row_offset(coarse_layout, row)) + 2 * column;
    to[0] = sum;
    to[1] = squares;
  }
}

/// The sums of a shape from those of its group's items, whatever their number.
void store_total(region own, local region* parts, global ulong* result) {
  parts[get_local_id(0)] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    for (long item = 1; item < get_local_size(0); ++item) add_times(&own, parts[item], 1);
    result[0] = own.count;
    result[1] = own.sum;
    result[2] = own.squares;
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // before the next shape's sums go where these are
}

kernel void sum_edges(global const uchar* sums, layout sums_layout, global const uchar* pixels,
                      layout pixels_layout, grid cells, global const long* edges, long count,
                      global ulong* results) {
  local region parts[MOST_ITEMS];
  const long unit = GRID_STEPS * cells.block, origin = GRID_STEPS / 2 * (cells.block - 1);
  for (long index = get_global_id(1); index < count; index += get_global_size(1)) {
    global const long* place = edges + 4 * index;
    const struct edge_rows edge =
        rows_of_edge(place[0], place[1], place[2], place[3], unit, origin, cells.rows);
    region own = {0, 0, 0};
    for (long row = edge.first + get_local_id(0); row < edge.end; row += get_local_size(0)) {
      const long column = column_of_edge(edge, row, cells.columns);
      const long word = column / cells.step;
      global const ulong* words =
          (global const ulong*)(sums + row_offset(sums_layout, row)) + 2 * word;
      region before = {0, words[0], words[1]};
      // With a step of 1 there is no rest, and there may be no pixels.
      if (word * cells.step < column) {
        add_pixels(&before, pixels_of(pixels, pixels_layout, row), word * cells.step, column);
      }
      before.count =
          (ulong)pixels_before(column, row, cells.block, cells.image_x, cells.image_y);
      add_times(&own, before, (ulong)edge.sign);
    }
    store_total(own, parts, results + 3 * index);
  }
}

/// The column where the side crosses a row it covers, with its sign; else 0.
long signed_crossing(struct edge_rows side, long row, long columns) {
  return row >= side.first && row < side.end ? side.sign * column_of_edge(side, row, columns) : 0;
}

kernel void sum_triangles(global const uchar* pixels, layout pixels_layout, long columns, long rows,
                          global const long* triangles, long count, global ulong* results) {
  local region parts[MOST_ITEMS];
  for (long index = get_global_id(1); index < count; index += get_global_size(1)) {
    global const long* place = triangles + 6 * index;
    struct edge_rows side[3];
    long first = rows, end = 0;
    for (int i = 0; i < 3; ++i) {
      const int from = 2 * i, to = 2 * ((i + 1) % 3);
      side[i] = rows_of_edge(place[from], place[from + 1], place[to], place[to + 1], GRID_STEPS, 0,
                             rows);
      first = min(first, side[i].first);
      end = max(end, side[i].end);
    }
    region own = {0, 0, 0};
    for (long row = first + get_local_id(0); row < end; row += get_local_size(0)) {
      // Of the sides that cover a row one rises, where pixels end, and one falls, where they begin.
      long left = 0, right = 0;
      for (int i = 0; i < 3; ++i) {
        const long crossing = signed_crossing(side[i], row, columns);
        left = crossing < 0 ? -crossing : left;
        right = crossing > 0 ? crossing : right;
      }
      region run = {0, 0, 0};
      add_pixels(&run, pixels_of(pixels, pixels_layout, row), min(left, right), max(left, right));
      add_times(&own, run, left < right ? 1 : (ulong)-1);
    }
    store_total(own, parts, results + 3 * index);
  }
}
