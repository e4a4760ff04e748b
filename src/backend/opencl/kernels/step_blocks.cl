// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Several steps in a pass, a tile a group of ITEMS: `tile` is so many runs, rows and slices.
#define CELLS(view)                                                     \
  {view + view##_layout.offset, view##_layout.row, view##_layout.slice, \
   view##_layout.channel}

#ifdef IS_OF_SIZE
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
#else
kernel
#endif
void step_blocks(
    global uchar* in, layout in_layout, global uchar* fields, layout fields_layout,
    global uchar* out, layout out_layout, grid_facts facts, int4 tile, int2 margin, int tiles_down,
    constant step_numbers* n, local float* room) {
  cells from = CELLS(in), fixed = CELLS(fields), to = CELLS(out);
  const int down = (int)get_group_id(1) % tiles_down, part = (int)get_group_id(1) / tiles_down;
  const int x = (int)get_group_id(0) * (tile.x * COLUMNS - 2 * margin.x) - margin.x;
  const int y = down * (tile.y - 2 * margin.y) - margin.y;
#if IS_VOLUME
  const int first = part * tile.z, end = min(first + tile.z, facts.depth);
  step_volume(from, fixed, to, x, y, margin.x, margin.y, tile.x, tile.y, ITEMS, first, end,
              &facts, n, room);
#else
  from.first += part * from.slice;
  fixed.first += part * fixed.slice;
  to.first += part * to.slice;
  step_plane(from, fixed, to, x, y, margin.x, margin.y, &facts, n, room);
#endif
}
