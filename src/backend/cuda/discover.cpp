// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cuda_runtime_api.h>

#include <algorithm>

#include "backend/backends.hpp"
#include "backend/cuda/backend.hpp"
#include "core/message.hpp"

namespace meander::cuda {
namespace {

/// Both edges of the clock; some drivers tell nothing.
double memory_rate(int ordinal) {
  int kilohertz = 0, bits = 0;
  cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, ordinal);
  cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, ordinal);
  constexpr double least = 50e9;
  return std::max(least, 2e3 * kilohertz * bits / 8);
}

}  // namespace

void discover(engine::Registry& registry) {
  int count = 0;
  int driver = 0;
  if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0) {
    registry.absent.push_back({"cuda", "no NVIDIA driver is installed"});
    return;
  }
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found != cudaSuccess || count == 0) {
    const bool has_none = found == cudaSuccess || found == cudaErrorNoDevice;
    registry.absent.push_back({"cuda",
                               found == cudaSuccess
                                   ? "the driver shows no device"
                                   : message("no device: ", cudaGetErrorString(found)),
                               !has_none});
    return;
  }
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, ordinal) != cudaSuccess) continue;
    registry.devices.push_back(std::make_shared<CudaBackend>(
        ordinal,
        DeviceInfo{.name = message("cuda:", ordinal),
                   .description = message(properties.name, ", compute capability ",
                                          properties.major, ".", properties.minor),
                   .memory_bytes = properties.totalGlobalMem,
                   .is_gpu = true,
                   .has_float64 = true},
        memory_rate(ordinal)));
  }
}

}  // namespace meander::cuda
