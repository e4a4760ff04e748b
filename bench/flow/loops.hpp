// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

/// The published step of gradient vector flow that the stencil engine is measured against, compiled
/// once per instruction set: plain types only, as in the engine's own kernels.
namespace meander::bench {

/// The field before and after a step and the gradient it started from, each component a volume of
/// its own; a plane has two components and one slice. Rows and slices lie so many numbers apart.
struct FlowVolumes {
  const float* field[3];
  const float* gradient[3];
  float* next[3];
  std::int64_t width, height, depth;
  std::int64_t row_pitch, slice_pitch;
};

struct FlowStep {
  double mu = 0.1;
  bool mirror = true;  ///< Beyond the border stands the second pixel from it; else the first.
};

/// One step of all pixels; in depth if there is more than one slice.
using FlowLoop = void (*)(const FlowVolumes& volumes, const FlowStep& step);

/// As the compiler vectorises it for the instruction set that the engine uses.
FlowLoop vectorised_flow_loop();
/// The same text for no instruction set and without vectorisation.
FlowLoop scalar_flow_loop();

}  // namespace meander::bench
