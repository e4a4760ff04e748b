// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "system/temporary_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "meander/error.hpp"

namespace meander::app {

TemporaryFolder::TemporaryFolder(const std::filesystem::path& inside, const std::string& purpose) {
  const std::filesystem::path parent = inside.empty() ? std::filesystem::path(".") : inside;
  std::string name = (parent / (".meander-" + purpose + "-XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw FileSystemError(fmt::format("{}: a temporary folder cannot be made here: {}",
                                      parent.string(), std::generic_category().message(errno)));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code nothing_to_be_done;
  std::filesystem::remove_all(path_, nothing_to_be_done);
}

}  // namespace meander::app
