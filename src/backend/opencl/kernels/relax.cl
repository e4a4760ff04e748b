// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one work item a cell, one launch a half sweep. A cell of one colour looks at itself and at
// cells of the other, so the launch may write where it reads.

kernel void clear_cells(global uchar* state, layout view, long width) {
  const long x = get_global_id(0);
  if (x >= width) return;
  for (long row = get_global_id(1); row < view.height * view.depth; row += get_global_size(1)) {
    set_number(state + row_offset(view, row), x, 0);
  }
}

/// `colour` is 0 for red cells, x + y + z even, and 1 for black ones.
kernel void relax_cells(global uchar* state, layout view, global const uchar* fields,
                        layout fields_layout, long width, long border, long colour, numbers n) {
  const grid g = {state, view, fields, fields_layout, width, border};
  for (long row = get_global_id(1); row < view.height * view.depth; row += get_global_size(1)) {
    const long y = row % view.height, z = row / view.height;
    const long x = 2 * (long)get_global_id(0) + ((y + z + colour) & 1);
    if (x >= width) continue;
    REAL next[4];
    next_of(&g, &n, x, y, z, next);
    set_number(state + row_offset(view, row), x, next[0]);
  }
}
