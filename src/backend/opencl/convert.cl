// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// IN and OUT are pixel types, REAL is the type of the arithmetic; see engine::Affine for what is
// asked.

// NaN fails the first comparison and becomes 0.
int saturated(REAL value, REAL low, REAL high) {
  REAL rounded = rint(value);
  rounded = rounded == rounded ? rounded : 0;
  rounded = rounded > low ? rounded : low;
  rounded = rounded < high ? rounded : high;
  return (int)rounded;
}

void store_u8(REAL value, global stored_u8* pixel) { *pixel = (uchar)saturated(value, 0, 255); }
void store_u16(REAL value, global stored_u16* pixel) {
  *pixel = (ushort)saturated(value, 0, 65535);
}
void store_i16(REAL value, global stored_i16* pixel) {
  *pixel = (short)saturated(value, -32768, 32767);
}
void store_f16(REAL value, global stored_f16* pixel) { *pixel = JOINED(REAL, _to_half)(value); }
void store_f32(REAL value, global stored_f32* pixel) { *pixel = (float)value; }
#ifdef WITH_FLOAT64
void store_f64(REAL value, global stored_f64* pixel) { *pixel = value; }
#endif

typedef STORED(IN) in_pixel;
typedef STORED(OUT) out_pixel;

kernel void convert_pixels(global const uchar* in, layout in_layout, global uchar* out,
                           layout out_layout, long width, long rows, int identity, REAL scale,
                           REAL offset) {
  for (long row = get_global_id(1); row < rows; row += get_global_size(1)) {
    global const in_pixel* from = (global const in_pixel*)(in + row_offset(in_layout, row));
    global out_pixel* to = (global out_pixel*)(out + row_offset(out_layout, row));
    for (long x = get_global_id(0); x < width; x += get_global_size(0)) {
      const REAL value = JOINED(load_, IN)(from + x);
      JOINED(store_, OUT)(identity ? value : value * scale + offset, to + x);
    }
  }
}
