// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// The numbers that pixels of type PIXEL stand for, in the arithmetic of REAL. UNIT is what 1 is
// stored as: 32767 of i16, whose numbers saturate at -1 and 1, and 1 of floats.

typedef STORED(PIXEL) pixel;

/// q/32767 to the last bit, without a division: 1/32767 is 2^-15 + 2^-30 + …
REAL part_number(REAL q) {
  const REAL nearly = q * 0x1p-15f;
  return nearly + nearly * 0x1.0002p-15f;
}

REAL number_at(global const uchar* row, long x) {
  const REAL stored = JOINED(load_, PIXEL)((global const pixel*)row + x);
  return UNIT > 1 ? part_number(stored) : stored;
}

void set_number(global uchar* row, long x, REAL number) {
  const REAL part = number < -1 ? (REAL)-1 : number > 1 ? (REAL)1 : number;
  JOINED(store_, PIXEL)(UNIT > 1 ? part * (REAL)UNIT : number, (global pixel*)row + x);
}
