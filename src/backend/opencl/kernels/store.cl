// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// How pixels are written; REAL is the type of the arithmetic. See engine::Affine for what is asked.

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
