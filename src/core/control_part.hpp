// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

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

}  // namespace meander
