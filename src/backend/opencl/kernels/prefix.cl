// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one work item a line. IN is the type of the input; SUM is ulong for integer pixels (sums
// modulo 2^64) and double for the others.
kernel void sum_lines(global const uchar* in, lines in_lines, global uchar* out, lines out_lines,
                      long length, long count, int inclusive) {
  const long index = get_global_id(0);
  if (index >= count) return;
  global const uchar* from = in + line_offset(in_lines, index);
  global uchar* to = out + line_offset(out_lines, index);
  SUM sum = 0;
  for (long i = 0; i < length; ++i) {
    const SUM before = sum;
    sum += (SUM) * (global const STORED(IN)*)(from + i * in_lines.step);
    *(global SUM*)(to + i * out_lines.step) = inclusive ? sum : before;
  }
}
