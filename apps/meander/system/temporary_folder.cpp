// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "system/temporary_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "meander/error.hpp"

namespace meander::app {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(const fs::path& inside, const std::string& purpose) {
  const fs::path parent = inside.empty() ? fs::path(".") : inside;
  std::string name = (parent / (".meander-" + purpose + "-XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) {
    const int error = errno;
    throw FileSystemError(fmt::format("{}: a temporary folder cannot be made here: {}",
                                      parent.string(), std::generic_category().message(error)),
                          {.path = parent.string(), .system_error = error});
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code nothing_to_be_done;
  fs::remove_all(path_, nothing_to_be_done);
}

}  // namespace meander::app
