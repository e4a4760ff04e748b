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
  UNROLL for (int i = 0; i < 32; ++i) v[i] = i < pixels ? pixel_at(from + i * step, type) : 0;
}

/// 32 work items take 32 pixels side by side.
void load_rows(local REAL* tile, global const uchar* in, lines view, int type, long first,
               int across, long count, long length, int parts) {
  const int lane = THREAD % 32;
  for (int line = THREAD / 32; line < across && first + line < count; line += THREADS / 32) {
    global const uchar* row = in + line_offset(view, first + line);
    for (int i = 0; i < parts && i * 32 + lane < length; ++i)
      tile[(line * parts + i) * 33 + lane] =
          pixel_at(row + (i * 32 + lane) * view.step, type);
  }
}

void store_rows(local const REAL* tile, global uchar* out, lines view, long first, int across,
                long count, long length, int parts) {
  const int lane = THREAD % 32;
  for (int line = THREAD / 32; line < across && first + line < count; line += THREADS / 32) {
    global uchar* row = out + line_offset(view, first + line);
    for (int i = 0; i < parts && i * 32 + lane < length; ++i)
      *(global REAL*)(row + (i * 32 + lane) * view.step) =
          tile[(line * parts + i) * 33 + lane];
  }
}
