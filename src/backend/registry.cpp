// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "engine/registry.hpp"

#include <algorithm>
#include <atomic>

#include "backend/backends.hpp"

namespace meander::engine {
namespace {

std::atomic<bool> is_found = false;

void add_cuda(Registry& registry) {
#ifdef MEANDER_WITH_CUDA
  cuda::discover(registry);
#else
  registry.absent.push_back({"cuda", "this program was built without CUDA"});
#endif
}

void add_opencl(Registry& registry) {
#ifdef MEANDER_WITH_OPENCL
  opencl::discover(registry);
#else
  registry.absent.push_back({"opencl", "this program was built without OpenCL"});
#endif
}

Registry find_devices() {
  Registry registry;
  add_cuda(registry);
  add_opencl(registry);
  registry.devices.push_back(host_backend());
  // The fastest first: an OpenCL driver that runs on the processor is behind our own code for it.
  std::stable_partition(registry.devices.begin(), registry.devices.end(), [](const auto& device) {
    return device->info().is_gpu || device == host_backend();
  });
  registry.devices.push_back(reference::open());
  return registry;
}

}  // namespace

const std::shared_ptr<Backend>& host_backend() {
  static const auto* backend = new std::shared_ptr<Backend>(cpu::open());
  return *backend;
}

const Registry& registry() {
  static const auto* found = new Registry(find_devices());
  is_found = true;
  return *found;
}

bool has_registry() { return is_found; }

}  // namespace meander::engine
