// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fstream>
#include <thread>

#include "backend/backends.hpp"
#include "backend/cpu/engines.hpp"
#include "backend/cpu/isa.hpp"
#include "core/host_memory.hpp"
#include "core/message.hpp"

namespace meander::cpu {
namespace {

/// The processor's name where the kernel tells it (x86 does, arm64 does not), else "processor".
std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "processor";
}

}  // namespace

/// All cores of the host, with the row functions of its best instruction set.
std::shared_ptr<engine::Backend> open() {
  return engine::make_host_backend(
      {.name = "cpu",
       .description = message(processor_name(), ", ", std::thread::hardware_concurrency(),
                              " cores, ", kernels().level),
       .memory_bytes = engine::physical_memory_bytes(),
       .is_gpu = false,
       .has_float64 = true},
      host_engines());
}

}  // namespace meander::cpu
