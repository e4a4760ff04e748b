// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "batch/file_pattern.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <cerrno>
#include <filesystem>
#include <new>
#include <system_error>

#include "meander/error.hpp"

namespace meander::app {
namespace {

namespace fs = std::filesystem;

struct Matches {
  glob_t list{};
  Matches() = default;
  ~Matches() { globfree(&list); }
  Matches(const Matches&) = delete;
  Matches& operator=(const Matches&) = delete;
};

/// glob() has no other way to say which folder it was.
thread_local std::string unreadable;

/// A folder that is not there holds no match; one that must not be read may hold some. What is no
/// folder glob() passes over by itself.
int note_unreadable(const char* folder, int fault) {
  if (fault == ENOENT) return 0;
  unreadable =
      fmt::format("{}: cannot be read: {}", folder, std::generic_category().message(fault));
  return 1;
}

/// False for what cannot be asked only when it is not there: a link to nothing is a file that
/// fails.
bool is_folder(const std::string& name) {
  std::error_code fault;
  const fs::file_status status = fs::status(name, fault);
  if (status.type() != fs::file_type::none) return fs::is_directory(status);
  throw FileSystemError(fmt::format("{}: cannot be read: {}", name, fault.message()));
}

}  // namespace

bool is_pattern(const std::string& name) {
  std::error_code ignored;
  return name.find_first_of("*?[") != std::string::npos &&
         !fs::exists(fs::symlink_status(name, ignored));
}

std::vector<std::string> files_matching(const std::string& pattern) {
  Matches found;
  const int code = glob(pattern.c_str(), 0, note_unreadable, &found.list);
  if (code == GLOB_NOSPACE) throw std::bad_alloc();
  if (code == GLOB_ABORTED) throw FileSystemError(unreadable);
  std::vector<std::string> files;
  for (std::size_t i = 0; i < found.list.gl_pathc; ++i) {
    std::string name = found.list.gl_pathv[i];
    if (!is_folder(name)) files.push_back(std::move(name));
  }
  if (files.empty()) throw FileSystemError(pattern + ": matches no file");
  return files;
}

}  // namespace meander::app
