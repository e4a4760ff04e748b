// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cpu/isa.hpp"

#include <cstdlib>

#include "core/message.hpp"
#include "meander/error.hpp"

namespace meander::cpu {

#define MEANDER_LEVEL(name)     \
  namespace name {              \
  extern const Kernels kernels; \
  }
#include "backend/cpu/levels.inc"
#undef MEANDER_LEVEL

namespace {

const Kernels* const built[] = {
#define MEANDER_LEVEL(name) &name::kernels,
#include "backend/cpu/levels.inc"
#undef MEANDER_LEVEL
};

bool runs_here([[maybe_unused]] const std::string& level) {
#if defined(__x86_64__)
  if (level == "x86_64_v2")
    return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  if (level == "x86_64_v3") {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2");
  }
  if (level == "x86_64_v4") {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512cd");
  }
#endif
  return true;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

const Kernels& choose() {
  const char* asked = std::getenv("MEANDER_ISA");
  const Kernels* best = nullptr;
  for (const Kernels* candidate : built) {
    if (!runs_here(candidate->level)) continue;
    if (asked != nullptr && std::string(asked) == candidate->level) return *candidate;
    best = candidate;
  }
  if (asked != nullptr && *asked != '\0') {
    throw InvalidArgument(
        message("MEANDER_ISA is '", asked, "', expected one of ", list_of(usable_levels())));
  }
  if (best == nullptr) throw Unsupported("this processor is older than x86-64-v2 (SSE 4.2)");
  return *best;
}

}  // namespace

std::vector<std::string> usable_levels() {
  std::vector<std::string> names;
  for (const Kernels* candidate : built) {
    if (runs_here(candidate->level)) names.emplace_back(candidate->level);
  }
  return names;
}

const Kernels& kernels() {
  static const Kernels& chosen = choose();
  return chosen;
}

}  // namespace meander::cpu
