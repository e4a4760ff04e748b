// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "system/file_names.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

#include "meander/error.hpp"

namespace meander::app {

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// A format and the length of its suffix; the longest wins: .ome.tif is not .tif.
std::pair<std::optional<io::Format>, std::size_t> known_suffix_of(const std::string& path) {
  const std::string name = lower(path);
  std::optional<io::Format> found;
  std::size_t length = 0;
  for (const io::Format& format : io::formats()) {
    for (const std::string& suffix : format.suffixes) {
      if (suffix.size() <= length || !name.ends_with(suffix)) continue;
      found = format;
      length = suffix.size();
    }
  }
  return {std::move(found), length};
}

}  // namespace

std::string suffix_of(const std::string& path) {
  return lower(std::filesystem::path(path).extension().string());
}

std::optional<io::Format> format_of(const std::string& path) { return known_suffix_of(path).first; }

std::string without_suffix(const std::string& name) {
  const std::size_t known = known_suffix_of(name).second;
  return name.substr(0, name.size() - (known > 0 ? known : suffix_of(name).size()));
}

void check_table_name(const std::string& path) {
  const std::string suffix = suffix_of(path);
  if (suffix == ".csv") return;
  throw Unsupported(path + ": found the suffix '" + suffix + "', expected .csv for a table");
}

std::string place_of(const std::string& path) {
  std::error_code fault;  // links that lead nowhere, as of a pipe, lead to themselves
  const auto place = std::filesystem::weakly_canonical(std::filesystem::absolute(path), fault);
  return fault ? path : place.string();
}

std::string identity_of(const std::string& path) {
  struct stat status {};
  // Hard links have nothing in common but these two numbers.
  if (::stat(path.c_str(), &status) == 0) {
    return std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
  }
  return place_of(path);
}

bool is_same_file(const std::string& a, const std::string& b) {
  return identity_of(a) == identity_of(b);
}

}  // namespace meander::app
