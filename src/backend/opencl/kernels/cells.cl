// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// What a step does to one cell. PIXEL is the type of all images, REAL that of the arithmetic.
// RULE_NAME is the rule, of STATES components and FIELDS fields; AROUND has a bit for each
// component whose neighbours it looks at, and bit 4 where it wants them as differences. See
// engine::Neighbours for what `around` sums.

/// `Numbers` in stencil.cpp.
typedef struct {
  REAL parameters[8];
  REAL axis[3];
  REAL corner, beyond;
} numbers;

/// What a step reads.
typedef struct {
  global const uchar* in;
  layout in_layout;
  global const uchar* fields;
  layout fields_layout;
  long width, border;
} grid;

/// One component of the state, and what stands beyond its ends.
typedef struct {
  global const uchar* pixels;
  layout view;
  long width, border;
  REAL beyond;
} component;

REAL value_at(const component* c, long x, long y, long z) {
  const long i = ghost_index(x, c->width, c->border);
  const long j = ghost_index(y, c->view.height, c->border);
  const long k = ghost_index(z, c->view.depth, c->border);
  if (i < 0 || j < 0 || k < 0) return c->beyond;
  return number_at(c->pixels + j * c->view.row + k * c->view.slice, i);
}

/// The two neighbours along an axis, each counted from `from`.
REAL pair_around(const component* c, REAL from, long x, long y, long z, long dx, long dy, long dz) {
  return (value_at(c, x - dx, y - dy, z - dz) - from) +
         (value_at(c, x + dx, y + dy, z + dz) - from);
}

/// An axis of weight 0 has no neighbours: what stands there must not count even as NaN.
REAL sum_around(const component* c, const numbers* n, REAL from, long x, long y, long z) {
  REAL sum = n->axis[0] != 0 ? n->axis[0] * pair_around(c, from, x, y, z, 1, 0, 0) : 0;
  if (n->axis[1] != 0) sum = fma(pair_around(c, from, x, y, z, 0, 1, 0), n->axis[1], sum);
  if (n->axis[2] != 0) sum = fma(pair_around(c, from, x, y, z, 0, 0, 1), n->axis[2], sum);
  if (n->corner != 0) {
    const REAL above = value_at(c, x - 1, y - 1, z) + value_at(c, x + 1, y - 1, z);
    const REAL below = value_at(c, x - 1, y + 1, z) + value_at(c, x + 1, y + 1, z);
    sum = fma(above + below, n->corner, sum);
  }
  return sum;
}

/// The states of a cell after a step.
void next_of(const grid* g, const numbers* n, long x, long y, long z, REAL* next) {
  REAL state[4], around[4], field[4];
  for (int i = 0; i < STATES; ++i) {
    const component c = {g->in + g->in_layout.offset + i * g->in_layout.channel, g->in_layout,
                         g->width, g->border, n->beyond};
    state[i] = value_at(&c, x, y, z);
    const REAL from = (AROUND & 16) != 0 ? state[i] : 0;
    around[i] = (AROUND >> i & 1) != 0 ? sum_around(&c, n, from, x, y, z) : 0;
  }
  const long row = z * g->in_layout.height + y, rows = g->in_layout.height * g->in_layout.depth;
  for (int i = 0; i < FIELDS; ++i) {
    field[i] = number_at(g->fields + row_offset(g->fields_layout, i * rows + row), x);
  }
  RULE_NAME(state, around, field, n->parameters, next);
}
