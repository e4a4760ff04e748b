// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one work item a cell of the finer grid. `weight` is read where it says so, the old value
// where there is something to add to.
kernel void prolong_cells(global const uchar* coarse, layout coarse_layout, global uchar* fine,
                          layout fine_layout, global const uchar* weight, layout weight_layout,
                          long coarse_width, long fine_width, int is_weighted, int is_added) {
  const long x = get_global_id(0);
  if (x >= fine_width) return;
  const long along_x = factor(coarse_width, fine_width);
  const long along_y = factor(coarse_layout.height, fine_layout.height);
  const long along_z = factor(coarse_layout.depth, fine_layout.depth);
  const long rows = fine_layout.height * fine_layout.depth;
  for (long row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const long y = row % fine_layout.height / along_y, z = row / fine_layout.height / along_z;
    const long parent = z * coarse_layout.height + y;
    const REAL value = number_at(coarse + row_offset(coarse_layout, parent), x / along_x);
    global uchar* target = fine + row_offset(fine_layout, row);
    const REAL by = is_weighted ? number_at(weight + row_offset(weight_layout, row), x) : 1;
    set_number(target, x, fma(by, value, is_added ? number_at(target, x) : 0));
  }
}
