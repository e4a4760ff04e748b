// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

#include "meander/device.hpp"

namespace meander::testing {

inline std::vector<Device> all_devices() {
  std::vector<Device> devices;
  for (const DeviceInfo& info : Device::list()) devices.push_back(Device::open(info.name));
  return devices;
}

/// The most that a device held since, beyond what it held before.
class MemoryWatch {
 public:
  explicit MemoryWatch(const Device& device) : device_(device) {
    device.synchronize();
    const MemoryUse use = device.memory();
    // Lets go of blocks kept for reuse, which may be larger than what is asked for.
    device.set_memory_budget(use.in_use);
    device.set_memory_budget(use.budget);
    device.reset_memory_peak();
    before_ = use.in_use;
  }
  double held() const {
    device_.synchronize();
    return static_cast<double>(device_.memory().peak - before_);
  }

 private:
  const Device device_;
  std::uint64_t before_ = 0;
};

}  // namespace meander::testing
