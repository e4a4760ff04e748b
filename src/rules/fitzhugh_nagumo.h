// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// The cell of the reaction-diffusion network, one explicit step of
//
//     u' = c·u - u³/3 - v + D1·Δu        v' = -e·(u - b·v + a) + D2·Δv
//
// in the variables U = s·u and W = -dt·s·v with s = sqrt(dt/3), which make two factors 1. With w
// the sum of the weights of the neighbours, so that dt·D·Δ is dt·D·(around - w·state):
//
//     U ← U·(p0 - U²) + W + p1·around(U)         p0 = 1 + dt·(c - w·D1), p1 = dt·D1
//     W ← p2·W + p3·U + p4 + p5·around(W)        p2 = 1 + dt·(e·b - w·D2), p3 = dt²·e,
//                                                p4 = dt²·s·e·a, p5 = dt·D2
RULE fitzhugh_nagumo(const real* state, const real* around, const real* field, const real* p,
                     real* next) {
  const real u = state[0], v = state[1];
  (void)field;
  next[0] = mad(around[0], p[1], mad(mad(-u, u, p[0]), u, v));
  next[1] = mad(around[1], p[5], mad(v, p[2], mad(u, p[3], p[4])));
}

// D1 = 0: u does not look at its neighbours, and p1 is not read.
RULE fitzhugh_nagumo_still(const real* state, const real* around, const real* field, const real* p,
                           real* next) {
  const real u = state[0], v = state[1];
  (void)field;
  next[0] = mad(mad(-u, u, p[0]), u, v);
  next[1] = mad(around[1], p[5], mad(v, p[2], mad(u, p[3], p[4])));
}
