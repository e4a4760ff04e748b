// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one work item a cell, one launch a step.
kernel void step_cells(global const uchar* in, layout in_layout, global const uchar* fields,
                       layout fields_layout, global uchar* out, layout out_layout, long width,
                       long border, numbers n) {
  const long x = get_global_id(0);
  if (x >= width) return;
  const grid g = {in, in_layout, fields, fields_layout, width, border};
  const long rows = in_layout.height * in_layout.depth;
  for (long row = get_global_id(1); row < rows; row += get_global_size(1)) {
    REAL next[4];
    next_of(&g, &n, x, row % in_layout.height, row / in_layout.height, next);
    for (int i = 0; i < STATES; ++i) {
      set_number(out + row_offset(out_layout, i * rows + row), x, next[i]);
    }
  }
}
