// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// The numbers that pixels of type PIXEL stand for, in the arithmetic of REAL. UNIT is what 1 is
// stored as: 32767 of i16, whose numbers saturate at -1 and 1, and 1 of floats.

typedef STORED(PIXEL) pixel;

REAL number_at(global const uchar* row, long x) {
  return JOINED(load_, PIXEL)((global const pixel*)row + x) / (REAL)UNIT;
}

void set_number(global uchar* row, long x, REAL number) {
  const REAL part = number < -1 ? (REAL)-1 : number > 1 ? (REAL)1 : number;
  JOINED(store_, PIXEL)(UNIT > 1 ? part * (REAL)UNIT : number, (global pixel*)row + x);
}
