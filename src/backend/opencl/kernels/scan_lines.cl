// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Whole scans, one work item a line: for processors, whose work items run one after the other.
kernel void scan_lines(global const uchar* in, lines in_lines, global uchar* out, lines out_lines,
                       long length, long count, constant scan_numbers* r) {
  const long index = get_global_id(0);
  if (index >= count) return;
  source line;
  line.pixels = in + line_offset(in_lines, index);
  line.step = in_lines.step;
  line.length = length;
  line.type = TYPE_OF_INPUT;
  scan_line(line, out + line_offset(out_lines, index), out_lines.step, r);
}
