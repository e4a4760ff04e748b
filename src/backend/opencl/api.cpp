// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/api.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "core/message.hpp"
#include "meander/error.hpp"

namespace meander::opencl {
namespace {

std::string library_name() {
  const char* chosen = std::getenv("MEANDER_OPENCL_LIBRARY");
  return chosen != nullptr && *chosen != '\0' ? chosen : "libOpenCL.so.1";
}

template <class Function>
void resolve(void* handle, const std::string& file, const char* name, Library& library,
             Function& function) {
  function = reinterpret_cast<Function>(dlsym(handle, name));
  if (function == nullptr && library.problem.empty()) {
    library.problem = message(file, " lacks the function ", name);
  }
}

Library load() {
  Library library;
  const std::string file = library_name();
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    library.problem = message("the OpenCL library cannot be opened: ", reason ? reason : file);
    return library;
  }
#define MEANDER_RESOLVE(name) resolve(handle, file, #name, library, library.api.name);
  MEANDER_OPENCL_FUNCTIONS(MEANDER_RESOLVE)
#undef MEANDER_RESOLVE
  return library;
}

}  // namespace

const Library& library() {
  static const auto* loaded = new Library(load());
  return *loaded;
}

namespace {

/// The loader's own code; its name is in an extension header.
constexpr cl_int CL_PLATFORM_NOT_FOUND_KHR = -1001;

struct Named {
  cl_int code;
  const char* name;
};
#define MEANDER_NAMED(name) \
  { name, #name }
constexpr Named known[] = {
    MEANDER_NAMED(CL_DEVICE_NOT_FOUND),
    MEANDER_NAMED(CL_DEVICE_NOT_AVAILABLE),
    MEANDER_NAMED(CL_COMPILER_NOT_AVAILABLE),
    MEANDER_NAMED(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    MEANDER_NAMED(CL_OUT_OF_RESOURCES),
    MEANDER_NAMED(CL_OUT_OF_HOST_MEMORY),
    MEANDER_NAMED(CL_MEM_COPY_OVERLAP),
    MEANDER_NAMED(CL_BUILD_PROGRAM_FAILURE),
    MEANDER_NAMED(CL_MAP_FAILURE),
    MEANDER_NAMED(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    MEANDER_NAMED(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    MEANDER_NAMED(CL_COMPILE_PROGRAM_FAILURE),
    MEANDER_NAMED(CL_LINKER_NOT_AVAILABLE),
    MEANDER_NAMED(CL_LINK_PROGRAM_FAILURE),
    MEANDER_NAMED(CL_INVALID_VALUE),
    MEANDER_NAMED(CL_INVALID_PLATFORM),
    MEANDER_NAMED(CL_INVALID_DEVICE),
    MEANDER_NAMED(CL_INVALID_CONTEXT),
    MEANDER_NAMED(CL_INVALID_QUEUE_PROPERTIES),
    MEANDER_NAMED(CL_INVALID_COMMAND_QUEUE),
    MEANDER_NAMED(CL_INVALID_HOST_PTR),
    MEANDER_NAMED(CL_INVALID_MEM_OBJECT),
    MEANDER_NAMED(CL_INVALID_BINARY),
    MEANDER_NAMED(CL_INVALID_BUILD_OPTIONS),
    MEANDER_NAMED(CL_INVALID_PROGRAM),
    MEANDER_NAMED(CL_INVALID_PROGRAM_EXECUTABLE),
    MEANDER_NAMED(CL_INVALID_KERNEL_NAME),
    MEANDER_NAMED(CL_INVALID_KERNEL_DEFINITION),
    MEANDER_NAMED(CL_INVALID_KERNEL),
    MEANDER_NAMED(CL_INVALID_ARG_INDEX),
    MEANDER_NAMED(CL_INVALID_ARG_VALUE),
    MEANDER_NAMED(CL_INVALID_ARG_SIZE),
    MEANDER_NAMED(CL_INVALID_KERNEL_ARGS),
    MEANDER_NAMED(CL_INVALID_WORK_DIMENSION),
    MEANDER_NAMED(CL_INVALID_WORK_GROUP_SIZE),
    MEANDER_NAMED(CL_INVALID_WORK_ITEM_SIZE),
    MEANDER_NAMED(CL_INVALID_GLOBAL_OFFSET),
    MEANDER_NAMED(CL_INVALID_EVENT_WAIT_LIST),
    MEANDER_NAMED(CL_INVALID_EVENT),
    MEANDER_NAMED(CL_INVALID_OPERATION),
    MEANDER_NAMED(CL_INVALID_BUFFER_SIZE),
    MEANDER_NAMED(CL_INVALID_GLOBAL_WORK_SIZE),
    MEANDER_NAMED(CL_INVALID_PROPERTY),
    MEANDER_NAMED(CL_INVALID_COMPILER_OPTIONS),
    MEANDER_NAMED(CL_INVALID_LINKER_OPTIONS),
    MEANDER_NAMED(CL_PLATFORM_NOT_FOUND_KHR),
};
#undef MEANDER_NAMED

}  // namespace

std::string error_name(cl_int code) {
  for (const Named& entry : known) {
    if (entry.code == code) return entry.name;
  }
  return message("OpenCL error ", code);
}

void fail(std::string_view device, std::string_view operation, cl_int code) {
  const std::string text = message(device, ": ", operation, " failed: ", error_name(code));
  if (code == CL_OUT_OF_HOST_MEMORY) throw OutOfMemory(text, {.device = std::string(device)});
  throw DeviceError(text, {.device = std::string(device)});
}

}  // namespace meander::opencl
