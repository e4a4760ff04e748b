// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// What src/backend/steps wants to know. PIXEL, the rule, IS_UNIT, IS_CONSTANT, IS_VOLUME, COLUMNS,
// ROWS, STRIPS, STAGES and ITEMS are options; RUN is a vector of uint as large as a run.
#define UNROLL _Pragma("unroll")
#ifdef TWO_TURNS
#define IN_TURNS _Pragma("unroll 2")
#else
#define IN_TURNS
#endif
#define FUNCTION
#define GLOBAL global
#define LOCAL local
#define NUMBERS constant
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define THREAD ((int)get_local_id(0))
#define CONSTANT_BORDER CONSTANT
#define CLAMP_BORDER CLAMP
#define REFLECT_BORDER REFLECT
#define MIRROR_BORDER MIRROR
#define PERIODIC_BORDER PERIODIC
#define LANES 32
#define BUFFERS 1  // local memory is less than what a processor has
#define SIDES 2
#define LEFT_OF(sides, place, values) \
  (sides)[PLACES * LANES + (place) * LANES + THREAD % LANES - (THREAD % LANES > 0)]
#define RIGHT_OF(sides, place, values) \
  (sides)[(place) * LANES + THREAD % LANES + (THREAD % LANES + 1 < LANES)]
#define LEFT_AT(own, values) (own)[THREAD > 0 ? -1 : 0]
#define RIGHT_AT(own, values) (own)[THREAD + 1 < ITEMS ? COLUMNS : 0]
#define APPLY_RULE(state, sums, field, p, next) apply_rule(state, sums, field, p, next)

enum { PIXEL_BYTES = sizeof(pixel) };

typedef union {
  RUN all;
  pixel cells[COLUMNS];
} stored_run;

/// Rules take their parameters from where all memory is.
void apply_rule(const float* state, const float* sums, const float* field, constant float* all,
                float* next) {
  float p[8];
  UNROLL for (int i = 0; i < 8; ++i) p[i] = all[i];
  RULE_NAME(state, sums, field, p, next);
}

void load_run(stored_run* to, global const uchar* from) { to->all = *(global const RUN*)from; }
void load_one(stored_run* to, int c, global const uchar* from) {
  to->cells[c] = *(global const pixel*)from;
}
/// What a stored cell stands for, and back.
float number_of_f32(pixel cell) { return cell; }
float number_of_f16(pixel cell) { return half_to_float((ushort)cell); }
float number_of_i16(pixel cell) { return part_number((float)cell); }
pixel pixel_of_f32(float number) { return (pixel)number; }
pixel pixel_of_f16(float number) { return (pixel)float_to_half(number); }
pixel pixel_of_i16(float number) {
  const float part = number < -1 ? -1.0f : number > 1 ? 1.0f : number;
  return (pixel)saturated(part * 32767, -32768, 32767);
}
void numbers_of(float* values, const stored_run* from) {
  UNROLL for (int c = 0; c < COLUMNS; ++c) {
    values[c] = JOINED(number_of_, PIXEL)(from->cells[c]);
  }
}
void round_run(float* values) {
  UNROLL for (int c = 0; c < COLUMNS; ++c) {
    values[c] = JOINED(number_of_, PIXEL)(JOINED(pixel_of_, PIXEL)(values[c]));
  }
}
void store_run(global uchar* to, const float* values) {
  stored_run run;
  UNROLL for (int c = 0; c < COLUMNS; ++c) run.cells[c] = JOINED(pixel_of_, PIXEL)(values[c]);
  *(global RUN*)to = run.all;
}
void store_one(global uchar* to, float number) {
  *(global pixel*)to = JOINED(pixel_of_, PIXEL)(number);
}
void put_run(local float* to, const float* values) {
  UNROLL for (int c = 0; c < COLUMNS; ++c) to[c] = values[c];
}
void get_run(float* values, local const float* from) {
  UNROLL for (int c = 0; c < COLUMNS; ++c) values[c] = from[c];
}
/// The first cells of all rows, then the last.
#define put_sides(sides, place, values)                                       \
  {                                                                           \
    (sides)[(place) * LANES + THREAD % LANES] = (values)[0];                  \
    (sides)[(PLACES + (place)) * LANES + THREAD % LANES] = (values)[COLUMNS - 1]; \
  }
