// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// What src/backend/lines/scan.h wants to know. IN is the type of the input, REAL that of the
// arithmetic and of what is written, STATES and SUM the form of the recurrence.
#define UNROLL _Pragma("unroll")
#define ONE_BY_ONE _Pragma("nounroll")
#define FUNCTION
#define GLOBAL global
#define LOCAL local
#define TABLE constant
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define WARP_BARRIER BARRIER
#define THREAD ((int)get_local_id(0))
#define THREADS ((int)get_local_size(0))
#define BLOCK get_group_id(0)
#define CONSTANT_BORDER CONSTANT
#define PERIODIC_BORDER PERIODIC

enum { TYPE_OF_INPUT, TYPE_OF_REAL };

REAL pixel_at(global const uchar* pixel, int type) {
  return type == TYPE_OF_REAL ? *(global const REAL*)pixel
                              : (REAL)JOINED(load_, IN)((global const STORED(IN)*)pixel);
}

void load_stretch(REAL* v, global const uchar* from, long step, int pixels, int type) {
  if (pixels == 32) {  // no tests between loads that are under way together
    UNROLL for (int i = 0; i < 32; ++i) v[i] = pixel_at(from + i * step, type);
  } else {
    UNROLL for (int i = 0; i < 32; ++i) v[i] = i < pixels ? pixel_at(from + i * step, type) : 0;
  }
}

/// 32 work items take 32 pixels side by side, of the stretches that are theirs later on.
void load_rows(local REAL* tile, global const uchar* in, lines view, int type, long first,
               int across, long count, long length, int parts) {
  const int lane = THREAD % 32, begin = THREAD - lane, all = (int)length / 32;
  for (int line = begin / parts; line < across && first + line < count; ++line) {
    const int from = max(begin - line * parts, 0), to = min(begin + 32 - line * parts, parts);
    if (from >= to) break;
    global const STORED(IN)* row =
        (global const STORED(IN)*)(in + line_offset(view, first + line)) + lane;
    local REAL* place = tile + line * parts * 33 + lane;
    EIGHT_AT_ONCE for (int i = from; i < min(to, all); ++i)
      place[i * 33] = (REAL)JOINED(load_, IN)(row + i * 32);
    if (to > all && lane < (int)length % 32)
      place[all * 33] = (REAL)JOINED(load_, IN)(row + all * 32);
  }
}

void store_rows(local const REAL* tile, global uchar* out, lines view, long first, int across,
                long count, long length, int parts) {
  const int lane = THREAD % 32, begin = THREAD - lane, all = (int)length / 32;
  for (int line = begin / parts; line < across && first + line < count; ++line) {
    const int from = max(begin - line * parts, 0), to = min(begin + 32 - line * parts, parts);
    if (from >= to) break;
    global REAL* row = (global REAL*)(out + line_offset(view, first + line)) + lane;
    local const REAL* place = tile + line * parts * 33 + lane;
    EIGHT_AT_ONCE for (int i = from; i < min(to, all); ++i) row[i * 32] = place[i * 33];
    if (to > all && lane < (int)length % 32) row[all * 32] = place[all * 33];
  }
}
