// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// BITS is an unsigned integer as wide as a pixel: a copy must not pass through floating point,
// where a device may quieten NaN and flush subnormals.
kernel void copy_pixels(global const uchar* in, layout in_layout, global uchar* out,
                        layout out_layout, long width, long rows) {
  for (long row = get_global_id(1); row < rows; row += get_global_size(1)) {
    global const BITS* from = (global const BITS*)(in + row_offset(in_layout, row));
    global BITS* to = (global BITS*)(out + row_offset(out_layout, row));
    for (long x = get_global_id(0); x < width; x += get_global_size(0)) to[x] = from[x];
  }
}
