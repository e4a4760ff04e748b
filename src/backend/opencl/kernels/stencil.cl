// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one launch a step, whose work items go on where cells are left.
#ifdef GROUP_WIDTH
__attribute__((reqd_work_group_size(GROUP_WIDTH, GROUP_HEIGHT, 1)))
#endif
kernel void step_cells(global const uchar* in, layout in_layout, global const uchar* fields,
                       layout fields_layout, global uchar* out, layout out_layout, long width,
                       long border, numbers n) {
  const grid g = {in, in_layout, fields, fields_layout, width, border};
  const long rows = in_layout.height * in_layout.depth;
  for (long row = get_global_id(1); row < rows; row += get_global_size(1)) {
    for (long x = get_global_id(0); x < width; x += get_global_size(0)) {
      REAL next[4];
      next_of(&g, &n, x, row % in_layout.height, row / in_layout.height, next);
      for (int i = 0; i < STATES; ++i) {
        set_number(out + row_offset(out_layout, i * rows + row), x, next[i]);
      }
    }
  }
}
