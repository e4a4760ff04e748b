// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Parts of scans, one work item a line. A program of their own: most callers need only whole scans,
// and compiling takes a while.
enum { KEPT = 3 * STATES };  // the state, and what stretch and span lacked

void read_state(REAL* s, global const uchar* from, long step) {
  for (int k = 0; k < KEPT; ++k) s[k] = *(global const REAL*)(from + k * step);
}

void write_state(const REAL* s, global uchar* to, long step) {
  for (int k = 0; k < KEPT; ++k) *(global REAL*)(to + k * step) = s[k];
}

kernel void scan_part(global const uchar* in, lines in_lines, global uchar* out, lines out_lines,
                      int has_out, global uchar* state, lines state_lines, int direction,
                      long begin, long whole, long length, long count, constant scan_numbers* r) {
  const long index = get_global_id(0);
  if (index >= count) return;
  source line;
  line.pixels = in + line_offset(in_lines, index);
  line.step = in_lines.step;
  line.length = length;
  line.type = TYPE_OF_INPUT;
  global uchar* to = has_out ? out + line_offset(out_lines, index) : 0;
  global uchar* of_line = state + line_offset(state_lines, index);
  REAL s[KEPT];
  read_state(s, of_line, state_lines.step);
  scan_serially(line, to, out_lines.step, begin, whole, direction, s, s + STATES, s + 2 * STATES,
                r);
  write_state(s, of_line, state_lines.step);
}

enum { START, WRAP, TURN };

kernel void scan_state(global const uchar* edge, lines edge_lines, global uchar* state,
                       lines state_lines, int map, long count, constant scan_numbers* r) {
  const long index = get_global_id(0);
  if (index >= count) return;
  const REAL value = pixel_at(edge + line_offset(edge_lines, index), TYPE_OF_INPUT);
  global uchar* of_line = state + line_offset(state_lines, index);
  REAL s[KEPT];
  read_state(s, of_line, state_lines.step);
  if (map == START) scan_steady(s, value, r);
  if (map == WRAP) scan_map(s, value, r->wrap, r);
  if (map == TURN) scan_map(s, value, r->turn, r);
  write_state(s, of_line, state_lines.step);
}
