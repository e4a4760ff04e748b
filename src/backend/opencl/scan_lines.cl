// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Whole scans, plain: one work item a line.
kernel void scan_lines(global const uchar* in, lines in_lines, global uchar* out, lines out_lines,
                       long length, long count, recurrence r) {
  const long index = get_global_id(0);
  if (index >= count) return;
  const source line = input_line(in, in_lines, index, length);
  global uchar* to = out + line_offset(out_lines, index);
  REAL s[MOST];
  // Before anything is written: `out` may be `in`.
  const REAL edge = r.border == CONSTANT ? r.value : value_at(line, 0);
  first_state(&r, line, length - 1, -1, s);
  backward_pass(&r, line, to, out_lines.step, s);
#ifdef SUM
  first_state(&r, line, 0, 1, s);
  forward_pass(&r, line, to, out_lines.step, s);
#else
  source result = line;
  result.pixels = to;
  result.step = out_lines.step;
  result.is_result = true;
  if (r.border == PERIODIC) {
    first_state(&r, result, 0, 1, s);
  } else {
    map_state(&r, r.turn, edge, s);
  }
  forward_pass(&r, result, to, out_lines.step, s);
#endif
}
