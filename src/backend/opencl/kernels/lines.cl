// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Lines of a view along an axis, as src/engine/lines.hpp counts them, and what stands beyond their
// ends, as src/engine/ghost.hpp has it.

typedef struct {
  long offset, step;
  long inner_step, middle_step, outer_step;
  long inner_count, middle_count;
} lines;

long line_offset(lines view, long index) {
  const long plane = index / view.inner_count;
  return view.offset + index % view.inner_count * view.inner_step +
         plane % view.middle_count * view.middle_step + plane / view.middle_count * view.outer_step;
}

enum { CLAMP, CONSTANT, REFLECT, MIRROR, PERIODIC };

/// The index in [0, n) that stands for i, or -1 where the border's constant stands.
long ghost_index(long i, long n, long border) {
  if (i >= 0 && i < n) return i;
  if (border == CONSTANT) return -1;
  if (border == CLAMP) return i < 0 ? 0 : n - 1;
  const long period = border == PERIODIC ? n : border == REFLECT ? 2 * n : n > 1 ? 2 * n - 2 : 1;
  long place = i % period;
  if (place < 0) place += period;
  if (place < n) return place;
  return border == REFLECT ? period - 1 - place : period - place;
}
