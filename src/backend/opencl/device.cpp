// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "backend/backends.hpp"
#include "backend/opencl/api.hpp"
#include "backend/opencl/device.hpp"
#include "core/message.hpp"

namespace meander::opencl {

Context::~Context() {
  if (handle_ != nullptr) api().clReleaseContext(handle_);
}

cl_context Context::handle() {
  const std::lock_guard lock(mutex_);
  if (handle_ == nullptr) {
    const cl_context_properties properties[] = {
        CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(facts.platform), 0};
    cl_int code = CL_SUCCESS;
    const cl_context made =
        api().clCreateContext(properties, 1, &facts.id, nullptr, nullptr, &code);
    check(code, name(), "creating a context");
    handle_ = made;
  }
  return handle_;
}

namespace {

template <class Query>
std::string text_from(Query query) {
  std::size_t size = 0;
  if (query(0, nullptr, &size) != CL_SUCCESS) return "unknown";
  std::string text(size, '\0');
  if (query(size, text.data(), nullptr) != CL_SUCCESS) return "unknown";
  return text.substr(0, text.find('\0'));
}

std::string platform_text(cl_platform_id platform, cl_platform_info what) {
  return text_from([=](std::size_t size, void* value, std::size_t* needed) {
    return api().clGetPlatformInfo(platform, what, size, value, needed);
  });
}

std::string device_text(cl_device_id device, cl_device_info what) {
  return text_from([=](std::size_t size, void* value, std::size_t* needed) {
    return api().clGetDeviceInfo(device, what, size, value, needed);
  });
}

/// A device that does not answer is left out with the reason.
template <class Value>
Value device_value(cl_device_id device, cl_device_info what) {
  Value value{};
  check(api().clGetDeviceInfo(device, what, sizeof(value), &value, nullptr),
        device_text(device, CL_DEVICE_NAME), "asking for its properties");
  return value;
}

/// MEANDER_OPENCL_FP64=off makes a device look as if it had no 64-bit floats, so that the
/// arithmetic for such devices is tested on those that have.
bool float64_is_allowed() {
  const char* setting = std::getenv("MEANDER_OPENCL_FP64");
  return setting == nullptr || std::string_view(setting) != "off";
}

/// MEANDER_OPENCL_CPU=gpu makes every device count as a GPU, so that what is for GPUs is tested on
/// processors.
bool all_are_gpus() {
  const char* setting = std::getenv("MEANDER_OPENCL_CPU");
  return setting != nullptr && std::string_view(setting) == "gpu";
}

bool has_float64(cl_device_id id) {
  cl_device_fp_config abilities = 0;
  // Drivers that do not know the question have none either.
  const cl_int code =
      api().clGetDeviceInfo(id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof(abilities), &abilities, nullptr);
  return code == CL_SUCCESS && abilities != 0 && float64_is_allowed();
}

/// Why a device cannot be used, or nothing.
std::string unfit(cl_device_id id) {
  if (!device_value<cl_bool>(id, CL_DEVICE_AVAILABLE)) return "is not available";
  if (!device_value<cl_bool>(id, CL_DEVICE_COMPILER_AVAILABLE)) return "has no compiler";
  if (!device_value<cl_bool>(id, CL_DEVICE_ENDIAN_LITTLE)) return "is big-endian";
  const std::string version = device_text(id, CL_DEVICE_VERSION);
  if (version.starts_with("OpenCL 1.0") || version.starts_with("OpenCL 1.1")) {
    return message("has ", version, ", older than 1.2");
  }
  return {};
}

/// What a group may ask for: NVIDIA's driver keeps some of it, does not say so, and fails when a
/// kernel runs that takes all.
std::size_t usable_local_bytes(cl_device_id id) {
  constexpr cl_ulong kept = 1024;
  const auto all = device_value<cl_ulong>(id, CL_DEVICE_LOCAL_MEM_SIZE);
  return static_cast<std::size_t>(all - std::min(all, kept));
}

Facts facts_of(cl_platform_id platform, cl_device_id id) {
  const std::string name = device_text(id, CL_DEVICE_NAME);
  const std::string vendor = device_text(id, CL_DEVICE_VENDOR);
  const std::string driver = device_text(id, CL_DRIVER_VERSION);
  const std::string version = platform_text(platform, CL_PLATFORM_VERSION);
  const auto type = device_value<cl_device_type>(id, CL_DEVICE_TYPE);
  const bool is_of_nvidia =
      device_text(id, CL_DEVICE_EXTENSIONS).find("cl_nv_compiler_options") != std::string::npos;
  return {.platform = platform,
          .id = id,
          .info = {.name = "",
                   .description = message(name, ", ", platform_text(platform, CL_PLATFORM_NAME),
                                          ", driver ", driver),
                   .memory_bytes = device_value<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE),
                   .is_gpu = (type & CL_DEVICE_TYPE_GPU) != 0 || all_are_gpus(),
                   .has_float64 = has_float64(id)},
          .largest_block = device_value<cl_ulong>(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
          .clocks_per_second =
              std::max(1e9, 1e6 * device_value<cl_uint>(id, CL_DEVICE_MAX_CLOCK_FREQUENCY) *
                                device_value<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS)),
          .compute_units = device_value<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS),
          .local_bytes = usable_local_bytes(id),
          .largest_group = device_value<std::size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE),
          .has_registers_option = is_of_nvidia,
          .has_half_instructions = is_of_nvidia,
          .driver_identity = message(name, '|', vendor, '|', driver, '|', version, '|',
                                     device_value<cl_uint>(id, CL_DEVICE_ADDRESS_BITS), " bits")};
}

void note(Findings& findings, const std::string& problem) {
  findings.problems += (findings.problems.empty() ? "" : "; ") + problem;
}

void add_device(Findings& findings, cl_platform_id platform, cl_device_id id) {
  try {
    const std::string reason = unfit(id);
    if (reason.empty()) {
      findings.devices.push_back(facts_of(platform, id));
    } else {
      note(findings, message(device_text(id, CL_DEVICE_NAME), " ", reason));
    }
  } catch (const Error& broken) {
    findings.has_failed = true;
    note(findings, broken.what());
  }
}

void add_devices_of(Findings& findings, cl_platform_id platform) {
  cl_uint count = 0;
  cl_int code = api().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  std::vector<cl_device_id> ids(code == CL_SUCCESS ? count : 0);
  if (!ids.empty()) {
    code = api().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr);
  }
  if (code != CL_SUCCESS || ids.empty()) {
    findings.has_failed =
        findings.has_failed || (code != CL_SUCCESS && code != CL_DEVICE_NOT_FOUND);
    note(findings, message("no device of platform ", platform_text(platform, CL_PLATFORM_NAME),
                           " (", error_name(code == CL_SUCCESS ? CL_DEVICE_NOT_FOUND : code), ")"));
    return;
  }
  for (const cl_device_id id : ids) add_device(findings, platform, id);
}

}  // namespace

Findings find_devices() {
  Findings findings;
  if (!library().problem.empty()) {
    note(findings, library().problem);
    return findings;
  }
  cl_uint count = 0;
  cl_int code = api().clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(code == CL_SUCCESS ? count : 0);
  if (!platforms.empty()) code = api().clGetPlatformIDs(count, platforms.data(), nullptr);
  if (code != CL_SUCCESS || platforms.empty()) {
    note(findings, message("no platform is installed (the OpenCL library found none",
                           code == CL_SUCCESS ? "" : ": " + error_name(code), ")"));
    return findings;
  }
  for (const cl_platform_id platform : platforms) add_devices_of(findings, platform);
  std::stable_partition(findings.devices.begin(), findings.devices.end(),
                        [](const Facts& facts) { return facts.info.is_gpu; });
  for (std::size_t i = 0; i < findings.devices.size(); ++i) {
    findings.devices[i].info.name = message("opencl:", i);
  }
  return findings;
}

void discover(engine::Registry& registry) {
  const Findings findings = find_devices();
  if (findings.devices.empty()) {
    registry.absent.push_back({"opencl", findings.problems, findings.has_failed});
  }
  for (const Facts& facts : findings.devices) registry.devices.push_back(open(facts));
}

}  // namespace meander::opencl
