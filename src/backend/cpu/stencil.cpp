// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cpu/engines.hpp"

namespace meander::cpu {
void iterate(const engine::Iteration&, const engine::View&, const engine::View&,
             const engine::View&) {
  throw Unsupported("iterate is not here yet");
}
std::string iteration_notes() { return {}; }
}  // namespace meander::cpu
