// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>

#include "backend/steps/steps.hpp"
#include "engine/stencil.hpp"

namespace meander::steps {

/// The numbers of steps [first, first + count) in the type of the arithmetic, float32.
inline StepNumbers step_numbers_of(const engine::Iteration& work, std::int64_t first,
                                   std::int64_t count) {
  static_assert(most_parameters == engine::most_parameters);
  StepNumbers made{.steps = static_cast<int>(count),
                   .border = static_cast<int>(work.neighbours.border.kind),
                   .corner = static_cast<float>(work.neighbours.corner),
                   .beyond = static_cast<float>(work.neighbours.border.value)};
  const auto as_float = [](double number) { return static_cast<float>(number); };
  std::transform(work.neighbours.axis.begin(), work.neighbours.axis.end(), made.axis, as_float);
  for (std::int64_t step = 0; step < count; ++step) {
    const double* parameters = work.of_step(first + step);
    std::transform(parameters, parameters + engine::facts_of(work.rule).parameters,
                   made.parameters[step], as_float);
  }
  return made;
}

}  // namespace meander::steps
