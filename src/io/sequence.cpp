// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <map>
#include <optional>

#include "core/message.hpp"
#include "core/number_text.hpp"
#include "io/file/descriptor.hpp"
#include "meander/error.hpp"
#include "meander/io.hpp"

namespace meander::io {
namespace {

namespace fs = std::filesystem;

/// A file name taken apart at the place of its number.
struct Pattern {
  std::string before;
  std::string after;
  std::size_t digits = 0;  ///< At least so many, with zeros in front.
  int places = 0;          ///< How often a number has a place in the name.
  bool foreign = false;    ///< There is a percent sign that means something else.

  bool is_valid() const { return places == 1 && !foreign; }
};

/// Length of the %d or %0Nd at the front of `text`; 0 when there is none.
std::size_t length_of_place(std::string_view text) {
  if (text.starts_with("%d")) return 2;
  const bool padded = text.size() >= 4 && text.starts_with("%0") && text[2] >= '1' &&
                      text[2] <= '9' && text[3] == 'd';
  return padded ? 4 : 0;
}

Pattern taken_apart(std::string_view name) {
  Pattern pattern;
  while (!name.empty()) {
    const std::size_t place = length_of_place(name);
    const bool percent = name.starts_with("%%");
    if (place > 0) {
      ++pattern.places;
      pattern.digits = place == 4 ? static_cast<std::size_t>(name[2] - '0') : 0;
    } else {
      if (name.front() == '%' && !percent) pattern.foreign = true;
      (pattern.places == 0 ? pattern.before : pattern.after) += name.front();
    }
    name.remove_prefix(place > 0 ? place : percent ? 2 : 1);
  }
  return pattern;
}

Pattern checked(const fs::path& path) {
  Pattern pattern = taken_apart(path.filename().string());
  if (pattern.is_valid()) return pattern;
  const std::string found = pattern.foreign
                                ? "another use of %"
                                : std::to_string(pattern.places) + " places for a number";
  throw InvalidArgument(message(path.string(), ": found ", found,
                                ", expected one number, as %d or %0Nd (N from 1 to 9), in the file "
                                "name, and %% for a percent sign"),
                        {.path = path.string()});
}

std::string printed(const Pattern& pattern, std::int64_t number) {
  std::string digits = std::to_string(number);
  if (digits.size() < pattern.digits) digits.insert(0, pattern.digits - digits.size(), '0');
  return pattern.before + digits + pattern.after;
}

/// Nothing when the name is not one that `printed` gives.
std::optional<std::int64_t> number_of(const Pattern& pattern, std::string_view name) {
  const std::size_t fixed = pattern.before.size() + pattern.after.size();
  if (name.size() <= fixed) return std::nullopt;
  const auto number =
      number_in<std::int64_t>(name.substr(pattern.before.size(), name.size() - fixed));
  if (!number || *number < 0 || printed(pattern, *number) != name) return std::nullopt;
  return number;
}

std::map<std::int64_t, fs::path> matching_files(const fs::path& path, const Pattern& pattern) {
  std::map<std::int64_t, fs::path> found;
  const fs::path folder = path.parent_path();
  std::error_code error;
  fs::directory_iterator entry(folder.empty() ? "." : folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path name = entry->path().filename();
    const auto number = number_of(pattern, name.string());
    std::error_code unknown;
    if (number && !entry->is_directory(unknown)) found.emplace(*number, folder / name);
  }
  if (error) refuse_by_system(path, "its folder cannot be listed", error.value());
  return found;
}

}  // namespace

bool is_sequence(const fs::path& path) { return taken_apart(path.filename().string()).is_valid(); }

std::vector<fs::path> sequence_files(const fs::path& pattern) {
  std::vector<fs::path> files;
  for (auto& [number, file] : matching_files(pattern, checked(pattern))) {
    files.push_back(std::move(file));
  }
  if (!files.empty()) return files;
  throw FileSystemError(
      message(pattern.string(), ": found no file of such a name, expected at least one"),
      {.path = pattern.string()});
}

fs::path sequence_file(const fs::path& pattern, std::int64_t number) {
  const Pattern parts = checked(pattern);
  if (number >= 0) return pattern.parent_path() / printed(parts, number);
  throw InvalidArgument(
      message(pattern.string(), ": found number ", number, ", expected 0 or more"),
      {.path = pattern.string()});
}

}  // namespace meander::io
