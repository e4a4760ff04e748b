// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// binary16 to and from wider floats in integers, as src/core/half.hpp does it. The functions built
// into OpenCL disagree about NaN from driver to driver, and may round a double twice. With
// HAS_HALF_INSTRUCTIONS they are taken for what is no NaN.

float half_to_float(ushort bits) {
#ifdef HAS_HALF_INSTRUCTIONS
  if ((bits & 0x7fff) <= 0x7c00) return vload_half(0, (const half*)&bits);
#endif
  const uint sign = (uint)(bits & 0x8000) << 16;
  const uint magnitude = bits & 0x7fff;
  const uint small = as_uint((float)magnitude * 0x1p-24f);  // exact, and no subnormal float
  const uint normal = (magnitude << 13) + 0x38000000;
  const uint special = (magnitude << 13) | 0x7f800000;
  return as_float(sign | (magnitude >= 0x7c00 ? special : magnitude >= 0x400 ? normal : small));
}

/// `fraction` has the leading one at bit 23 and a sticky bit 0, `exponent` is unbiased.
ushort round_to_half(uint sign, int exponent, uint fraction) {
  if (exponent < -25) return (ushort)sign;
  const bool subnormal = exponent < -14;
  const int shift = subnormal ? -1 - exponent : 13;
  const uint half_step = 1u << (shift - 1);
  const uint rest = fraction & (2 * half_step - 1);
  uint kept = fraction >> shift;
  kept += rest > half_step || (rest == half_step && (kept & 1)) ? 1 : 0;
  // A normal number's leading one adds to the exponent field, as does a carry out of the fraction.
  const uint bits = kept + (subnormal ? 0 : (uint)(exponent + 14) << 10);
  return (ushort)(sign | min(bits, 0x7c00u));
}

ushort float_to_half(float value) {
  const uint bits = as_uint(value);
  const uint sign = (bits >> 16) & 0x8000;
  const uint magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return (ushort)(sign | 0x7e00 | ((magnitude >> 13) & 0x3ff));
#ifdef HAS_HALF_INSTRUCTIONS
  ushort nearest;
  vstore_half_rte(value, 0, (half*)&nearest);
  return nearest;
#else
  if (magnitude >= 0x47800000) return (ushort)(sign | 0x7c00);
  return round_to_half(sign, (int)(magnitude >> 23) - 127, (magnitude & 0x7fffff) | 0x800000);
#endif
}

#ifdef WITH_FLOAT64
ushort double_to_half(double value) {
  const ulong bits = as_ulong(value);
  const uint sign = (uint)(bits >> 48) & 0x8000;
  const ulong magnitude = bits & 0x7fffffffffffffff;
  if (magnitude > 0x7ff0000000000000) {
    return (ushort)(sign | 0x7e00 | ((uint)(magnitude >> 42) & 0x3ff));
  }
  const int exponent = (int)(magnitude >> 52) - 1023;
  if (exponent > 15) return (ushort)(sign | 0x7c00);
  // 53 bits to 24, what falls off kept as a sticky bit so that ties are told from near-ties.
  const ulong fraction = (magnitude & 0xfffffffffffff) | 0x10000000000000;
  const uint sticky = (fraction & 0x1fffffff) != 0;
  return round_to_half(sign, exponent, (uint)(fraction >> 29) | sticky);
}
#endif
