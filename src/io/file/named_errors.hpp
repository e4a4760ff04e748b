// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <filesystem>
#include <new>
#include <string_view>

#include "core/message.hpp"
#include "meander/error.hpp"

namespace meander::io {

/// The innermost name counts: a file beside this one may be what is wrong.
inline void name_file(Error& error, const std::filesystem::path& path) {
  if (error.about.path.empty()) error.about.path = path.string();
}

/// What `work` throws is about this file; memory that runs out inside says so in words too.
template <class Work>
auto with_named_errors(const std::filesystem::path& path, Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(message(path.string(), ": the system has no memory left to read it"),
                      {.path = path.string()});
  } catch (OutOfMemory& error) {
    name_file(error, path);
    const std::string_view text = error.what();
    if (text.starts_with(path.string())) throw;
    throw OutOfMemory(message(path.string(), ": ", text), error.about);
  } catch (Error& error) {
    name_file(error, path);
    throw;
  }
}

}  // namespace meander::io
