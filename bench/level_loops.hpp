// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>
#include <string_view>

#include "backend/cpu/isa.hpp"
#include "meander/error.hpp"

namespace meander::bench {

/// Loops as compiled for one instruction set.
template <class Loops>
struct LevelLoops {
  std::string_view name;
  Loops loops;
};

/// Those of the instruction set that the engine uses.
template <class Loops, std::size_t count>
const Loops& loops_of_engine(const LevelLoops<Loops> (&levels)[count]) {
  for (const LevelLoops<Loops>& level : levels) {
    if (level.name == cpu::kernels().level) return level.loops;
  }
  throw LogicError("the engine's instruction set has no loops to compare with");
}

}  // namespace meander::bench
