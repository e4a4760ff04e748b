// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/flow/loops.hpp"

#include "bench/level_loops.hpp"

namespace meander::bench {

#define MEANDER_LEVEL(name)                                          \
  namespace name {                                                   \
  void plain_flow_step(const FlowVolumes& volumes, const FlowStep&); \
  }
#include "backend/cpu/levels.inc"
#undef MEANDER_LEVEL

namespace scalar {
void plain_flow_step(const FlowVolumes& volumes, const FlowStep&);
}

namespace {

constexpr LevelLoops<FlowLoop> levels[] = {
#define MEANDER_LEVEL(name) {#name, name::plain_flow_step},
#include "backend/cpu/levels.inc"
#undef MEANDER_LEVEL
};

}  // namespace

FlowLoop vectorised_flow_loop() { return loops_of_engine(levels); }

FlowLoop scalar_flow_loop() { return scalar::plain_flow_step; }

}  // namespace meander::bench
