// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "film/numbered_output.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "meander/error.hpp"
#include "meander/io.hpp"

namespace meander::app {
namespace {

namespace fs = std::filesystem;

void move_files(const fs::path& from, const fs::path& to) {
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    const fs::path target = to / entry.path().filename();
    std::error_code fault;
    if (entry.is_directory()) {
      fs::create_directory(target, fault);
      if (!fault) move_files(entry.path(), target);
    } else {
      fs::rename(entry.path(), target, fault);
    }
    if (!fault) continue;
    throw FileSystemError(
        fmt::format("{}: cannot be put in its place: {}", target.string(), fault.message()));
  }
}

}  // namespace

NumberedOutput::NumberedOutput(std::string pattern, std::function<void(const std::string&)> rename)
    : pattern_(std::move(pattern)),
      rename_(std::move(rename)),
      folder_(fs::path(pattern_).parent_path(), "frames") {}

void NumberedOutput::choose(std::int64_t frame) const {
  rename_((folder_.path() / io::sequence_file(pattern_, frame).filename()).string());
}

void NumberedOutput::move_into_place() const {
  move_files(folder_.path(), fs::path(pattern_).parent_path());
}

std::string NumberedOutput::told(std::string text) const {
  const std::string hidden = (folder_.path() / "").string();
  const fs::path parent = fs::path(pattern_).parent_path();
  const std::string shown = parent.empty() ? "" : (parent / "").string();
  for (auto at = text.find(hidden); at != std::string::npos; at = text.find(hidden, at)) {
    text.replace(at, hidden.size(), shown);
  }
  return text;
}

}  // namespace meander::app
