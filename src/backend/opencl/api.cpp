// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/api.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "core/message.hpp"

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

}  // namespace meander::opencl
