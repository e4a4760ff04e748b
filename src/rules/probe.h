// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Not a method: rules with which the conformance suite looks at what an engine hands to a rule.
// Every argument has a weight of its own, so a wrong one shows; p are below 1/4, so states stay
// small.
RULE probe_one(const real* state, const real* around, const real* field, const real* p,
               real* next) {
  next[0] = mad(around[0], p[0], mad(state[0], p[1], field[0] * p[2]));
}

RULE probe_four(const real* state, const real* around, const real* field, const real* p,
                real* next) {
  next[0] = mad(around[0], p[0], mad(state[3], p[1], field[0] * p[4]));
  next[1] = mad(around[1], p[1], mad(state[0], p[2], field[1] * p[5]));
  next[2] = mad(state[2], p[3], mad(state[1], p[0], field[2] * p[4]));
  next[3] = mad(around[3], p[2], mad(state[2], p[1], field[1] * p[3]));
}
