// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/file/sibling_file.hpp"

#include <algorithm>
#include <fstream>
#include <new>

#include "io/file/input_file.hpp"

namespace meander::io {
namespace {

namespace fs = std::filesystem;

bool lies_in(const fs::path& folder, const fs::path& file) {
  const auto [end, ignored] = std::ranges::mismatch(folder, file);
  return end == folder.end();
}

/// Whether the header that is to be replaced names that file, or the one it would be with another
/// compression.
bool is_named_by(const fs::path& header, const std::string& stem) {
  constexpr std::size_t longest_text = 64 << 10;
  std::string text(longest_text, '\0');
  std::ifstream(header, std::ios::binary)
      .read(text.data(), static_cast<std::streamsize>(text.size()));
  return text.find(stem + ".") != text.npos;
}

}  // namespace

InputFile open_sibling(const InputFile& header, std::string_view name) {
  const fs::path wanted(name);
  const auto refuse = [&] {
    header.unsupported("names its pixels '", printable(name),
                       "', expected a file in the header's folder");
  };
  if (name.empty() || name.find('\0') != name.npos || wanted.is_absolute()) refuse();
  if (std::ranges::find(wanted, fs::path("..")) != wanted.end()) refuse();
  std::error_code error;
  fs::path folder = header.path().parent_path();
  if (folder.empty()) folder = ".";
  folder = fs::canonical(folder, error);
  const fs::path file = error ? fs::path() : fs::canonical(folder / wanted, error);
  if (error == std::errc::not_enough_memory) throw std::bad_alloc();
  if (error) header.malformed("names its pixels '", printable(name), "': ", error.message());
  if (!lies_in(folder, file) || fs::is_directory(file, error)) refuse();
  if (fs::equivalent(file, header.path(), error)) {
    header.malformed("names itself as the file of its pixels, expected another");
  }
  return InputFile(header.path().parent_path() / wanted);
}

fs::path sibling_name(const fs::path& header, std::string_view suffix) {
  fs::path name = header;
  name.replace_extension(suffix);
  std::error_code none;
  if (fs::is_symlink(fs::symlink_status(name, none))) {
    throw FileSystemError(message(header.string(), ": its pixels belong into ",
                                  name.filename().string(),
                                  ", which is a symbolic link, expected a file or nothing"));
  }
  if (fs::exists(name, none) && !is_named_by(header, header.stem().string())) {
    throw FileSystemError(
        message(header.string(), ": its pixels belong into ", name.filename().string(),
                ", which is there already and not its own, expected a free name"));
  }
  return name;
}

}  // namespace meander::io
