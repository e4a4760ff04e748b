// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one work item a cell, one launch a step. REAL is the type of all images. RULE_NAME is the
// rule, of STATES components and FIELDS fields; AROUND has a bit for each component whose
// neighbours it looks at. See engine::Neighbours for what `around` sums.

/// `Numbers` in stencil.cpp.
typedef struct {
  REAL parameters[8];
  REAL axis[3];
  REAL corner, beyond;
} numbers;

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
  return ((global const REAL*)(c->pixels + j * c->view.row + k * c->view.slice))[i];
}

/// An axis of weight 0 has no neighbours: what stands there must not count even as NaN.
REAL sum_around(const component* c, const numbers* n, long x, long y, long z) {
  REAL sum = 0;
  if (n->axis[0] != 0) sum += n->axis[0] * (value_at(c, x - 1, y, z) + value_at(c, x + 1, y, z));
  if (n->axis[1] != 0) sum += n->axis[1] * (value_at(c, x, y - 1, z) + value_at(c, x, y + 1, z));
  if (n->axis[2] != 0) sum += n->axis[2] * (value_at(c, x, y, z - 1) + value_at(c, x, y, z + 1));
  if (n->corner != 0) {
    sum += n->corner * (value_at(c, x - 1, y - 1, z) + value_at(c, x + 1, y - 1, z) +
                        value_at(c, x - 1, y + 1, z) + value_at(c, x + 1, y + 1, z));
  }
  return sum;
}

kernel void step_cells(global const uchar* in, layout in_layout, global const uchar* fields,
                       layout fields_layout, global uchar* out, layout out_layout, long width,
                       long border, numbers n) {
  const long x = get_global_id(0);
  if (x >= width) return;
  const long rows = in_layout.height * in_layout.depth;
  for (long row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const long y = row % in_layout.height, z = row / in_layout.height;
    REAL state[4], around[4], field[4], next[4];
    for (int i = 0; i < STATES; ++i) {
      const component c = {in + in_layout.offset + i * in_layout.channel, in_layout, width, border,
                           n.beyond};
      state[i] = value_at(&c, x, y, z);
      around[i] = (AROUND >> i & 1) != 0 ? sum_around(&c, &n, x, y, z) : 0;
    }
    for (int i = 0; i < FIELDS; ++i) {
      field[i] = ((global const REAL*)(fields + row_offset(fields_layout, i * rows + row)))[x];
    }
    RULE_NAME(state, around, field, n.parameters, next);
    for (int i = 0; i < STATES; ++i) {
      ((global REAL*)(out + row_offset(out_layout, i * rows + row)))[x] = next[i];
    }
  }
}
