// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one group a contour, whose items share its points. First all changes are found, then they
// are solved: of a ring every item adds up its own points', of an open contour one item does all.
// Each is a launch of its own: not every compiler can do barriers in loops that items share.

/// engine::MovingContour.
typedef struct {
  long first, points, origin_x, origin_y, ends, first_weight, taps;
  float step, balloon, tension, rigidity, normal, unused;
} contour;

#define CLOSED 0
#define FIXED 2

/// Where pixels of the field are found.
typedef struct {
  global const uchar* bytes;
  layout view;
  long columns;
} field;

bool is_open(const contour* c) { return c->ends != CLOSED; }
bool is_end(const contour* c, long i) { return is_open(c) && (i == 0 || i == c->points - 1); }

/// Of a point that lies at most two places before the first.
long on_ring(const contour* c, long i) { return (i + 2 * c->points) % c->points; }

float from_to_next(const contour* c, global const float* p, long i) {
  return p[on_ring(c, i + 1)] - p[on_ring(c, i)];
}

float bend_at(const contour* c, global const float* p, long i) {
  if (is_open(c) && (i <= 0 || i >= c->points - 1)) return 0;
  return from_to_next(c, p, i) - from_to_next(c, p, i - 1);
}

/// Of a coordinate of point i on which the force and the balloon pull.
float change_at(const contour* c, global const float* p, long i, float force, float push) {
  const float pull = c->step * force + push;
  return snake_change(pull, bend_at(c, p, i - 1), bend_at(c, p, i), bend_at(c, p, i + 1),
                      c->tension, c->rigidity);
}

float force_at(const field* force, long component, struct snake_cell x, struct snake_cell y) {
  const long first = component * force->view.height;
  global const float* low =
      (global const float*)(force->bytes + row_offset(force->view, first + y.low));
  global const float* high =
      (global const float*)(force->bytes + row_offset(force->view, first + y.high));
  return snake_force(low[x.low], low[x.high], high[x.low], high[x.high], x.part, y.part);
}

void find_change(const contour* c, const field* force, global const float* x,
                 global const float* y, long i, global float* change_x, global float* change_y) {
  const bool end = is_end(c, i);
  const struct snake_cell across = snake_cell_of(x[i], c->origin_x, force->columns);
  const struct snake_cell down = snake_cell_of(y[i], c->origin_y, force->view.height);
  const long before = on_ring(c, i - 1), after = on_ring(c, i + 1);
  const float out_x = end ? 0.0f : c->normal * (y[after] - y[before]);
  const float out_y = end ? 0.0f : c->normal * (x[before] - x[after]);
  const float push = c->balloon * snake_unit(out_x, out_y);
  const bool rests = end && c->ends == FIXED;
  change_x[i] = rests ? 0.0f : change_at(c, x, i, force_at(force, 0, across, down), push * out_x);
  change_y[i] = rests ? 0.0f : change_at(c, y, i, force_at(force, 1, across, down), push * out_y);
}

float smoothed(const contour* c, global const float* weights, global const float* change, long i) {
  float sum = weights[0] * change[i];
  for (long k = 1; k <= c->taps; ++k) {
    const long before = i < k ? i - k + c->points : i - k;
    const long after = i + k < c->points ? i + k : i + k - c->points;
    sum += weights[k] * (change[before] + change[after]);
  }
  return sum;
}

void solve_band(const contour* c, global const float* weights, global float* change,
                global float* places) {
  float one = 0, two = 0;  // those of the point passed last and of the one before it
  for (long i = 0; i < c->points; ++i) {
    global const float* w = weights + 5 * i;
    const float now = (change[i] - w[1] * one) - w[0] * two;
    change[i] = now;
    two = one;
    one = now;
  }
  one = two = 0;
  for (long i = c->points - 1; i >= 0; --i) {
    global const float* w = weights + 5 * i;
    const float now = ((change[i] - w[3] * one) - w[4] * two) * w[2];
    places[i] += now;
    two = one;
    one = now;
  }
}

/// `x` and `y` hold the places of all points, `change_x` and `change_y` as many numbers.
kernel void find_changes(global const uchar* force, layout force_layout, long columns,
                         global const contour* contours, long count, global const float* x,
                         global const float* y, global float* change_x, global float* change_y) {
  const field pixels = {force, force_layout, columns};
  for (long index = get_global_id(1); index < count; index += get_global_size(1)) {
    const contour c = contours[index];
    for (long i = get_local_id(0); i < c.points; i += get_local_size(0)) {
      find_change(&c, &pixels, x + c.first, y + c.first, i, change_x + c.first, change_y + c.first);
    }
  }
}

kernel void solve_changes(global const contour* contours, long count, global const float* weights,
                          global float* x, global float* y, global float* change_x,
                          global float* change_y) {
  const long item = get_local_id(0), items = get_local_size(0);
  for (long index = get_global_id(1); index < count; index += get_global_size(1)) {
    const contour c = contours[index];
    global const float* w = weights + c.first_weight;
    if (is_open(&c)) {
      if (item == 0) solve_band(&c, w, change_x + c.first, x + c.first);
      if (item == items - 1) solve_band(&c, w, change_y + c.first, y + c.first);
    } else {
      for (long i = item; i < c.points; i += items) {
        x[c.first + i] += smoothed(&c, w, change_x + c.first, i);
        y[c.first + i] += smoothed(&c, w, change_y + c.first, i);
      }
    }
  }
}
