// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// As backend/cuda/fir.cu has it: a tile of pixels in local memory, and several results of a line by
// each work item.
enum { OUTPUTS = 8, THREADS = 256, MOST_TAPS = 64 };
enum {
  LINES = ALONG_X ? 8 : 32,
  PARTS = THREADS / LINES,
  PLACES = PARTS * OUTPUTS,
  HELD = PLACES + MOST_TAPS + OUTPUTS,
  PITCH = HELD + HELD / OUTPUTS + 1,
  NUMBERS = ALONG_X ? LINES * PITCH : HELD * LINES
};

int tile_place(int line, int place) {
  return ALONG_X ? line * PITCH + place + place / OUTPUTS : place * LINES + line;
}

kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void filter_tiles(
    global const uchar* in, lines in_lines, global uchar* out, lines out_lines, long tiles,
    long length, long count, global const REAL* all_weights, long radius, long border,
    REAL border_value) {
  local REAL tile[NUMBERS];
  local REAL some_weights[MOST_TAPS];
  const int thread = (int)get_local_id(0);
  const int line = ALONG_X ? thread / PARTS : thread % LINES;
  const int part = ALONG_X ? thread % PARTS : thread / LINES;
  const long block = get_group_id(0);
  const long index = (ALONG_X ? block / tiles : block % tiles) * LINES + line;
  const long begin = (ALONG_X ? block % tiles : block / tiles) * PLACES;
  const bool is_there = index < count;
  global const uchar* from = in + (is_there ? line_offset(in_lines, index) : 0);
  REAL sums[OUTPUTS];
  for (int i = 0; i < OUTPUTS; ++i) sums[i] = 0;
  const long taps = 2 * radius + 1;
  for (long first = 0; first < taps; first += MOST_TAPS) {
    const int piece = (int)min((long)MOST_TAPS, taps - first);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread < piece) some_weights[thread] = all_weights[first + thread];
    const int needed = PLACES + piece - 1;
    const long left = begin - radius + first;
    if (is_there && left >= 0 && left + needed <= length) {
      global const uchar* pixels = from + left * in_lines.step;
      _Pragma("unroll") for (int i = 0; i < OUTPUTS; ++i)
        tile[tile_place(line, part + i * PARTS)] =
            pixel_at(pixels, in_lines.step, part + i * PARTS);
      for (int place = PLACES + part; place < needed; place += PARTS)
        tile[tile_place(line, place)] = pixel_at(pixels, in_lines.step, place);
    } else if (is_there) {
      for (int place = part; place < needed; place += PARTS)
        tile[tile_place(line, place)] =
            pixel_or_ghost(from, in_lines.step, left + place, length, border, border_value);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    REAL window[2 * OUTPUTS];
    _Pragma("unroll") for (int i = 0; i < OUTPUTS; ++i)
      window[i] = tile[tile_place(line, part * OUTPUTS + i)];
    for (int tap = 0; tap < piece; tap += OUTPUTS) {
      _Pragma("unroll") for (int i = OUTPUTS; i < 2 * OUTPUTS; ++i)
        window[i] = tile[tile_place(line, part * OUTPUTS + tap + i)];
      _Pragma("unroll") for (int k = 0; k < OUTPUTS; ++k) {
        if (tap + k < piece) {
          const REAL weight = some_weights[tap + k];
          _Pragma("unroll") for (int i = 0; i < OUTPUTS; ++i)
            sums[i] = fma(weight, window[k + i], sums[i]);
        }
      }
      _Pragma("unroll") for (int i = 0; i < OUTPUTS; ++i) window[i] = window[i + OUTPUTS];
    }
  }
  if (ALONG_X) {  // so that work items side by side write pixels side by side
    barrier(CLK_LOCAL_MEM_FENCE);
    _Pragma("unroll") for (int i = 0; i < OUTPUTS; ++i)
      tile[tile_place(line, part * OUTPUTS + i)] = sums[i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (!is_there) return;
  global uchar* to = out + line_offset(out_lines, index);
  for (int i = 0; i < OUTPUTS; ++i) {
    const int place = ALONG_X ? i * PARTS + part : part * OUTPUTS + i;
    if (begin + place < length)
      *(global REAL*)(to + (begin + place) * out_lines.step) =
          ALONG_X ? tile[tile_place(line, place)] : sums[i];
  }
}
