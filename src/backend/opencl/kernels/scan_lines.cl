// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Whole scans, plain: one work item a line.
kernel void scan_lines(global const uchar* in, lines in_lines, global uchar* out, lines out_lines,
                       long length, long count, recurrence r) {
  const long index = get_global_id(0);
  if (index >= count) return;
  source line = input_line(in, in_lines, index, length);
  global uchar* to = out + line_offset(out_lines, index);
  REAL s[MOST];
  // Before anything is written: `out` may be `in`.
  const REAL edge = r.border == CONSTANT ? r.value : value_at(line, 0);
  // A loop, because compilers take twice the time for two passes written one after the other.
  for (long direction = -1; direction <= 1; direction += 2) {
#ifdef SUM
    first_state(&r, line, direction, s);
#else
    if (direction > 0) {
      line.pixels = to;
      line.step = out_lines.step;
      line.is_result = true;
    }
    if (direction > 0 && r.border != PERIODIC) {
      map_state(&r, r.turn, edge, s);
    } else {
      first_state(&r, line, direction, s);
    }
#endif
    pass(&r, line, direction, to, out_lines.step, s);
  }
}
