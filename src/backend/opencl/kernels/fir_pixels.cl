// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: a work item a pixel. Neighbouring work items take neighbouring pixels in memory: of one line
// along x (`along_x`), else of neighbouring lines.
kernel void filter_lines(global const uchar* in, lines in_lines, global uchar* out, lines out_lines,
                         int along_x, long length, long count, global const REAL* taps,
                         long radius, long border, REAL border_value) {
  const long fast = get_global_id(0);
  if (fast >= (along_x ? length : count)) return;
  for (long slow = get_global_id(1); slow < (along_x ? count : length);
       slow += get_global_size(1)) {
    const long line = along_x ? slow : fast;
    const long place = along_x ? fast : slow;
    global const uchar* from = in + line_offset(in_lines, line);
    REAL sum = 0;
    for (long k = 0; k <= 2 * radius; ++k)
      sum = fma(taps[k],
                pixel_or_ghost(from, in_lines.step, place - radius + k, length, border,
                               border_value),
                sum);
    *(global REAL*)(out + line_offset(out_lines, line) + place * out_lines.step) = sum;
  }
}
