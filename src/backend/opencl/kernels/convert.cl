// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// IN and OUT are pixel types, REAL is the type of the arithmetic; see engine::Affine for what is
// asked.

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
