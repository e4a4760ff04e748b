// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "file_names.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace meander::app {

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

std::string suffix_of(const std::string& path) {
  return lower(std::filesystem::path(path).extension().string());
}

std::optional<io::Format> format_of(const std::string& path) {
  const std::string name = lower(path);
  std::optional<io::Format> found;
  std::size_t length = 0;  // the longest suffix wins: .ome.tif is not .tif
  for (const io::Format& format : io::formats()) {
    for (const std::string& suffix : format.suffixes) {
      if (suffix.size() <= length || !name.ends_with(suffix)) continue;
      found = format;
      length = suffix.size();
    }
  }
  return found;
}

bool is_same_file(const std::string& a, const std::string& b) {
  const auto place = [](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path));
  };
  return place(a) == place(b);
}

}  // namespace meander::app
