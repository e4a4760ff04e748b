// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// IN is the type of the input, REAL that of weights, sums and output.

REAL pixel_at(global const uchar* line, long step, long place) {
  return (REAL)JOINED(load_, IN)((global const STORED(IN)*)(line + place * step));
}

REAL pixel_or_ghost(global const uchar* line, long step, long place, long length, long border,
                    REAL border_value) {
  const long index = ghost_index(place, length, border);
  return index < 0 ? border_value : pixel_at(line, step, index);
}
