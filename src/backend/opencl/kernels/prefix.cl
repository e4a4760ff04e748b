// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// IN is the type of the input; SUM is ulong for integer pixels (sums modulo 2^64) and double for
// the others. PART holds the sum of the pixels that a group of sum_rows has at once.

/// Plain: one work item a line.
kernel void sum_lines(global const uchar* in, lines in_lines, global uchar* out, lines out_lines,
                      long length, long count, int inclusive) {
  const long index = get_global_id(0);
  if (index >= count) return;
  global const uchar* from = in + line_offset(in_lines, index);
  global uchar* to = out + line_offset(out_lines, index);
  SUM sum = 0;
  for (long i = 0; i < length; ++i) {
    const SUM before = sum;
    sum += (SUM) * (global const STORED(IN)*)(from + i * in_lines.step);
    *(global SUM*)(to + i * out_lines.step) = inclusive ? sum : before;
  }
}

#if defined(ITEMS) && ALONG_X
enum { EACH = 8, AT_ONCE = ITEMS * EACH };

/// A group takes a line, some pixels of each work item at a time.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void sum_rows(
    global const uchar* in, lines in_lines, global uchar* out, lines out_lines, long length,
    long count, int inclusive) {
  local PART tile[AT_ONCE + ITEMS];  // a place is left free after those of an item
  local PART of_items[2][ITEMS];
  const long index = get_group_id(0);
  const int item = (int)get_local_id(0);
  global const uchar* from = in + line_offset(in_lines, index);
  global uchar* to = out + line_offset(out_lines, index);
  SUM before = 0;
  for (long begin = 0; begin < length; begin += AT_ONCE) {
    for (int k = 0; k < EACH; ++k) {
      const int place = k * ITEMS + item;
      const bool is_there = begin + place < length;
      tile[place + place / EACH] =
          is_there ? *(global const STORED(IN)*)(from + (begin + place) * in_lines.step) : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    PART sum = 0;
    for (int k = 0; k < EACH; ++k) {
      local PART* pixel = tile + item * (EACH + 1) + k;
      const PART up_to = sum;
      sum += *pixel;
      *pixel = inclusive ? sum : up_to;
    }
    int side = 0;
    of_items[side][item] = sum;
    for (int distance = 1; distance < ITEMS; distance *= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      PART all = of_items[side][item];
      if (item >= distance) all += of_items[side][item - distance];
      side = 1 - side;
      of_items[side][item] = all;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < EACH; ++k) {
      const int place = k * ITEMS + item, whose = place / EACH;
      const PART up_to = (whose > 0 ? of_items[side][whose - 1] : 0) + tile[place + whose];
      if (begin + place < length)
        *(global SUM*)(to + (begin + place) * out_lines.step) = before + WIDE(up_to);
    }
    before += WIDE(of_items[side][ITEMS - 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

#elif defined(ITEMS)
enum { SIDE = 16, PIECES = ITEMS / SIDE };

/// A group takes some lines that lie side by side in pieces: the sums of pieces first, then every
/// pixel from the sums of the pieces before.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void sum_columns(
    global const uchar* in, lines in_lines, global uchar* out, lines out_lines, long length,
    long count, int inclusive) {
  local SUM of_pieces[PIECES][SIDE];
  const int lane = (int)get_local_id(0) % SIDE, piece = (int)get_local_id(0) / SIDE;
  const long index = get_group_id(0) * SIDE + lane;
  const long each = (length + PIECES - 1) / PIECES, begin = min(piece * each, length);
  const long end = min(begin + each, length);
  const bool is_there = index < count;
  global const uchar* from = in + (is_there ? line_offset(in_lines, index) : 0);
  SUM sum = 0;
  if (is_there) {
    EIGHT_AT_ONCE for (long i = begin; i < end; ++i)
      sum += (SUM) * (global const STORED(IN)*)(from + i * in_lines.step);
  }
  of_pieces[piece][lane] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (!is_there) return;
  sum = 0;
  for (int i = 0; i < piece; ++i) sum += of_pieces[i][lane];
  global uchar* to = out + line_offset(out_lines, index);
  EIGHT_AT_ONCE for (long i = begin; i < end; ++i) {
    const SUM before = sum;
    sum += (SUM) * (global const STORED(IN)*)(from + i * in_lines.step);
    *(global SUM*)(to + i * out_lines.step) = inclusive ? sum : before;
  }
}
#endif
