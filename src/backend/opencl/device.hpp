// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backend/opencl/api.hpp"
#include "engine/backend.hpp"
#include "meander/device.hpp"

namespace meander::opencl {

/// What discovery learns about a device without opening it.
struct Facts {
  cl_platform_id platform = nullptr;
  cl_device_id id = nullptr;
  DeviceInfo info;
  std::uint64_t largest_block = 0;  ///< Bytes that one buffer may have.
  double clocks_per_second = 1e9;   ///< Of all compute units together.
  std::int64_t compute_units = 1;
  std::size_t local_bytes = 0;         ///< That a group may use.
  std::size_t largest_group = 1;       ///< Work items.
  bool has_registers_option = false;   ///< Whether its compiler can be told to use fewer registers.
  bool has_half_instructions = false;  ///< Whether what OpenCL has for f16 is faster than integers.
  std::string driver_identity;         ///< Changes whenever a compiled kernel may no longer fit.
};

/// The context of one device, made when first asked for, because drivers take time and memory for
/// it. Thread-safe.
class Context {
 public:
  explicit Context(const Facts& of_device) : facts(of_device) {}
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  cl_context handle();
  const std::string& name() const { return facts.info.name; }

  const Facts facts;

 private:
  std::mutex mutex_;
  cl_context handle_ = nullptr;
};

struct Findings {
  std::vector<Facts> devices;  ///< GPUs first, named opencl:0 and on.
  std::string problems;        ///< One clause per library, platform or device that was left out.
  bool has_failed = false;     ///< One of them is there, but answers with errors.
};

/// Asks every platform; opens nothing.
Findings find_devices();

/// The backend of one device; nothing is asked of its driver until it is used.
std::shared_ptr<engine::Backend> open(const Facts& facts);

}  // namespace meander::opencl
