// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one work item a cell of `out`, which stands for 1 or 2 cells of `in` along each axis.
kernel void apply_cells(global const uchar* in, layout in_layout, global const uchar* fields,
                        layout fields_layout, global uchar* out, layout out_layout, long in_width,
                        long out_width, long border, numbers n) {
  const long x = get_global_id(0);
  if (x >= out_width) return;
  const grid g = {in, in_layout, fields, fields_layout, in_width, border};
  const long along_x = factor(out_width, in_width);
  const long along_y = factor(out_layout.height, in_layout.height);
  const long along_z = factor(out_layout.depth, in_layout.depth);
  const long rows = out_layout.height * out_layout.depth;
  for (long row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const long y = row % out_layout.height, z = row / out_layout.height;
    const long end_x = min((x + 1) * along_x, in_width);
    const long end_y = min((y + 1) * along_y, in_layout.height);
    const long end_z = min((z + 1) * along_z, in_layout.depth);
    REAL sum = 0;
    for (long k = z * along_z; k < end_z; ++k) {
      for (long j = y * along_y; j < end_y; ++j) {
        for (long i = x * along_x; i < end_x; ++i) {
          REAL next[4];
          next_of(&g, &n, i, j, k, next);
          sum += next[0];
        }
      }
    }
    set_number(out + row_offset(out_layout, row), x, sum / (REAL)(along_x * along_y * along_z));
  }
}
