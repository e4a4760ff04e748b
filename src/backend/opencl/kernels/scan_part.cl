// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Parts of scans, plain: one work item a line. A program of their own: most callers need only whole
// scans, and compiling takes a while.

void read_state(const recurrence* r, global const uchar* from, long step, REAL* s) {
  for (int k = 0; k < MOST; ++k) s[k] = k < r->states ? *(global const REAL*)(from + k * step) : 0;
}

void write_state(const recurrence* r, const REAL* s, global uchar* to, long step) {
  for (int k = 0; k < MOST; ++k) {
    if (k < r->states) *(global REAL*)(to + k * step) = s[k];
  }
}

kernel void scan_part(global const uchar* in, lines in_lines, global uchar* out, lines out_lines,
                      int has_out, global uchar* state, lines state_lines, long direction,
                      long length, long count, recurrence r) {
  const long index = get_global_id(0);
  if (index >= count) return;
  const source line = input_line(in, in_lines, index, length);
  global uchar* to = has_out ? out + line_offset(out_lines, index) : 0;
  global uchar* of_line = state + line_offset(state_lines, index);
  REAL s[MOST];
  read_state(&r, of_line, state_lines.step, s);
  pass(&r, line, direction, to, out_lines.step, s);
  write_state(&r, s, of_line, state_lines.step);
}

enum { START, WRAP, TURN };

kernel void scan_state(global const uchar* edge, lines edge_lines, global uchar* state,
                       lines state_lines, int map, long count, recurrence r) {
  const long index = get_global_id(0);
  if (index >= count) return;
  const REAL value = value_at(input_line(edge, edge_lines, index, 1), 0);
  global uchar* of_line = state + line_offset(state_lines, index);
  REAL s[MOST];
  read_state(&r, of_line, state_lines.step, s);
  if (map == START) start_steady(&r, value, s);
  if (map == WRAP) map_state(&r, r.wrap, value, s);
  if (map == TURN) map_state(&r, r.turn, value, s);
  write_state(&r, s, of_line, state_lines.step);
}
