// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// How pixels lie in memory and are read.

#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_(a, b)
#define STORED(type) JOINED(stored_, type)

typedef uchar stored_u8;
typedef ushort stored_u16;
typedef short stored_i16;
typedef ushort stored_f16;  // its bits
typedef float stored_f32;
#ifdef WITH_FLOAT64
typedef double stored_f64;
#endif

/// The byte distances of a view; rows of all channels and slices are counted through.
typedef struct {
  long offset, row, slice, channel, height, depth;
} layout;

long row_offset(layout view, long index) {
  if (((index | view.height | view.depth) >> 31) == 0) {  // by division of 32 bits, which is fast
    const uint row = (uint)index, height = (uint)view.height, depth = (uint)view.depth;
    const uint of_planes = row / height;
    return view.offset + row % height * view.row + of_planes % depth * view.slice +
           of_planes / depth * view.channel;
  }
  const long y = index % view.height;
  const long plane = index / view.height;
  return view.offset + y * view.row + plane % view.depth * view.slice +
         plane / view.depth * view.channel;
}

float load_u8(global const stored_u8* pixel) { return *pixel; }
float load_u16(global const stored_u16* pixel) { return *pixel; }
float load_i16(global const stored_i16* pixel) { return *pixel; }
float load_f16(global const stored_f16* pixel) { return half_to_float(*pixel); }
float load_f32(global const stored_f32* pixel) { return *pixel; }
#ifdef WITH_FLOAT64
double load_f64(global const stored_f64* pixel) { return *pixel; }
#endif
