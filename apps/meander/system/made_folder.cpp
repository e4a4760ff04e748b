// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "system/made_folder.hpp"

#include <fmt/format.h>

#include <system_error>

#include "meander/error.hpp"

namespace meander::app {

namespace fs = std::filesystem;

MadeFolder::MadeFolder(const std::string& folder) {
  if (folder.empty()) return;
  fs::path missing = fs::absolute(folder / fs::path()).parent_path();
  std::error_code fault;
  for (; !fs::exists(missing, fault); missing = missing.parent_path()) made_.push_back(missing);
  if (!made_.empty()) fs::create_directories(made_.front(), fault);
  if (!fault) return;
  throw FileSystemError(fmt::format("{}: the folder cannot be made: {}", folder, fault.message()));
}

MadeFolder::~MadeFolder() {
  std::error_code is_not_empty;
  for (const fs::path& folder : made_) fs::remove(folder, is_not_empty);
}

}  // namespace meander::app
