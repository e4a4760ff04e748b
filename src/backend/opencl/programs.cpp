// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/programs.hpp"

#include <algorithm>

#include "backend/opencl/api.hpp"
#include "backend/opencl/program_cache.hpp"
#include "core/message.hpp"

namespace meander::opencl {
namespace {

std::string build_log(cl_program program, cl_device_id device) {
  std::size_t size = 0;
  api().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  api().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  return log.substr(0, log.find('\0'));
}

/// The first line that says something.
std::string first_line(const std::string& log) {
  const std::size_t begin = log.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "the compiler gave no reason";
  return log.substr(begin, log.find_first_of("\r\n", begin) - begin);
}

/// Empty when the driver has none to give.
std::string binary_of(cl_program program) {
  std::size_t size = 0;
  cl_int code =
      api().clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr);
  std::string binary(code == CL_SUCCESS ? size : 0, '\0');
  unsigned char* address = reinterpret_cast<unsigned char*>(binary.data());
  if (!binary.empty()) {
    code = api().clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(address), &address, nullptr);
  }
  return code == CL_SUCCESS ? binary : std::string();
}

}  // namespace

Programs::~Programs() {
  for (const auto& [key, kernel] : known_) {
    if (kernel.handle != nullptr) api().clReleaseKernel(kernel.handle);
  }
  for (const auto& [key, program] : programs_) api().clReleaseProgram(program);
}

Kernel Programs::make(const std::string& operation, const std::string& text,
                      const std::string& options, const char* entry) {
  cl_int code = CL_SUCCESS;
  const cl_kernel made = api().clCreateKernel(program(operation, text, options), entry, &code);
  check(code, context_->name(), operation);
  std::size_t largest = 1, compiled[3] = {};
  const auto ask = [&](cl_kernel_work_group_info what, std::size_t bytes, std::size_t* answer) {
    api().clGetKernelWorkGroupInfo(made, context_->facts.id, what, bytes, answer, nullptr);
  };
  ask(CL_KERNEL_WORK_GROUP_SIZE, sizeof(largest), &largest);
  // NVIDIA's driver says 256 of every kernel, also of one that was compiled for more.
  ask(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(compiled), compiled);
  return {made, std::min(largest, Kernel::largest_group), compiled[0] > 0 ? compiled[0] : largest};
}

cl_program Programs::program(const std::string& operation, const std::string& text,
                             const std::string& options) {
  const std::string key = options + '\n' + text;
  if (const auto known = programs_.find(key); known != programs_.end()) return known->second;
  const ProgramCache cache(program_cache_folder());
  const std::string disk_key = context_->facts.driver_identity + '\n' + key;
  cl_program built = nullptr;
  if (const auto binary = cache.load(disk_key)) built = program_from_binary(*binary, options);
  if (built == nullptr) {
    built = program_from_text(operation, text, options);
    if (const std::string binary = binary_of(built); !binary.empty()) cache.store(disk_key, binary);
  }
  return programs_[key] = built;
}

/// Null when the driver refuses it, whatever the reason.
cl_program Programs::program_from_binary(const std::string& binary,
                                         const std::string& options) const {
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  const std::size_t size = binary.size();
  cl_int status = CL_SUCCESS, code = CL_SUCCESS;
  const cl_program program = api().clCreateProgramWithBinary(
      context_->handle(), 1, &context_->facts.id, &size, &bytes, &status, &code);
  if (code == CL_SUCCESS && status == CL_SUCCESS) {
    code = api().clBuildProgram(program, 1, &context_->facts.id, options.c_str(), nullptr, nullptr);
    if (code == CL_SUCCESS) return program;
  }
  if (program != nullptr) api().clReleaseProgram(program);
  return nullptr;
}

cl_program Programs::program_from_text(const std::string& operation, const std::string& text,
                                       const std::string& options) const {
  const char* address = text.c_str();
  const std::size_t size = text.size();
  cl_int code = CL_SUCCESS;
  const cl_program program =
      api().clCreateProgramWithSource(context_->handle(), 1, &address, &size, &code);
  check(code, context_->name(), operation);
  code = api().clBuildProgram(program, 1, &context_->facts.id, options.c_str(), nullptr, nullptr);
  if (code != CL_SUCCESS) {
    const std::string complaint = first_line(build_log(program, context_->facts.id));
    api().clReleaseProgram(program);
    throw DeviceError(
        message(context_->name(), ": ", operation, " failed: ", error_name(code), ": ", complaint),
        {.device = context_->name()});
  }
  return program;
}

}  // namespace meander::opencl
