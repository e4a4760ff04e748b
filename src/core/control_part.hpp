// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <iterator>

#include "meander/control.hpp"

namespace meander {

/// Of work that takes the progress from one fraction of the whole to another. The control that it
/// is a part of must outlive it.
inline Control part_of(const Control& control, double from, double to) {
  if (!control.progress) return control;
  return {.stop = control.stop, .progress = [&control, from, to](double fraction) {
            control.progress(from + (to - from) * fraction);
          }};
}

/// Of work that begins again on the way: what it has reported once is not taken back. The control
/// that it stands for must outlive it.
inline Control rising(const Control& control) {
  if (!control.progress) return control;
  return {.stop = control.stop, .progress = [&control, most = 0.0](double fraction) mutable {
            most = std::max(most, fraction);
            control.progress(most);
          }};
}

/// What was done stays, so it is too late for a stop.
inline void tell_end(const Control& control) {
  if (control.progress) control.progress(1);
}

/// Calls `f` with each of a range, in order, and stops between them; the progress goes from 0 to 1.
template <class Range, class F>
void for_each_step(const Range& range, const Control& control, F&& f) {
  control.step(0);
  const auto count = static_cast<double>(std::size(range));
  double done = 0;
  for (const auto& item : range) {
    f(item);
    control.step(++done / count);
  }
}

}  // namespace meander
