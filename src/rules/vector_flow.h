// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Gradient vector flow, (b - μΔ)V = b·V0. First the explicit step of Xu and Prince,
//
//     V ← V + dt·(μΔV - |V0|²·(V - V0)),
//
// of all components at once: the state is V, the fields are V0. The neighbours weigh 1/h², and w is
// the sum of their weights:
//
//     p0 = dt·μ, p1 = 1 - dt·μ·w, p2 = dt
RULE vector_flow_plane(const real* state, const real* around, const real* field, const real* p,
                       real* next) {
  const real hold = mad(field[1], field[1], field[0] * field[0]) * p[2];
  next[0] = mad(around[0], p[0], mad(hold, field[0] - state[0], state[0] * p[1]));
  next[1] = mad(around[1], p[0], mad(hold, field[1] - state[1], state[1] * p[1]));
}

RULE vector_flow_volume(const real* state, const real* around, const real* field, const real* p,
                        real* next) {
  const real squares = mad(field[2], field[2], mad(field[1], field[1], field[0] * field[0]));
  const real hold = squares * p[2];
  next[0] = mad(around[0], p[0], mad(hold, field[0] - state[0], state[0] * p[1]));
  next[1] = mad(around[1], p[0], mad(hold, field[1] - state[1], state[1] * p[1]));
  next[2] = mad(around[2], p[0], mad(hold, field[2] - state[2], state[2] * p[1]));
}

// One component of the linear system, held·u - Δu = source, the neighbours weighing μ/h². The
// fields are the source and b; `held` relaxes with p0, the sum of the weights. Residuals look at
// differences, so that where the field is smooth nothing cancels.
RULE held_relaxed(const real* state, const real* around, const real* field, const real* p,
                  real* next) {
  (void)state;
  next[0] = (field[0] + around[0]) / (p[0] + field[1]);
}

RULE held_residual(const real* state, const real* around, const real* field, const real* p,
                   real* next) {
  (void)p;
  next[0] = mad(-field[1], state[0], field[0]) + around[0];
}

// The same of the field itself, whose source is b·V0: the first field is V0.
RULE flow_residual(const real* state, const real* around, const real* field, const real* p,
                   real* next) {
  (void)p;
  next[0] = mad(field[1], field[0] - state[0], around[0]);
}

// Within a mask. m is 1 inside and 0 outside, on coarser grids the root of the part of a cell that
// is inside; two cells are coupled by the product of their m, so nothing flows across the edge of
// the mask. The state is m·u, which is 0 outside. The fields are the source, the diagonal over m
// (1 outside) and m.
RULE masked_relaxed(const real* state, const real* around, const real* field, const real* p,
                    real* next) {
  (void)state;
  (void)p;
  next[0] = mad(field[2], around[0], field[0]) / field[1];
}

RULE masked_residual(const real* state, const real* around, const real* field, const real* p,
                     real* next) {
  (void)p;
  next[0] = mad(field[2], around[0], mad(-field[1], state[0], field[0]));
}

// The diagonal over m that those have as a field, 1 where a cell is outside or alone: the state is
// m, the field b, and p0 is 1.
RULE masked_diagonal(const real* state, const real* around, const real* field, const real* p,
                     real* next) {
  const real nothing = state[0] - state[0];
  const real diagonal = mad(state[0], around[0], field[0]);
  const real inside = state[0] > nothing ? diagonal / state[0] : p[0];
  next[0] = diagonal > nothing ? inside : p[0];
}

// Nothing happens: for means over the cells of a coarser grid.
RULE unchanged(const real* state, const real* around, const real* field, const real* p,
               real* next) {
  (void)around;
  (void)field;
  (void)p;
  next[0] = state[0];
}
