// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <filesystem>
#include <string_view>

#include "io/file/input_file.hpp"

namespace meander::io {

/// Opens the file of pixels that a header names. It has to lie in the header's own folder or below
/// it, whatever symbolic links say: a header from elsewhere must not make the program read, and
/// show in its output, a file that its user did not mean. Anything else, an absolute name too, is
/// Unsupported; a file that is missing is a MalformedFile of the header.
InputFile open_sibling(const InputFile& header, std::string_view name);

/// The file of pixels that is written with a header: its name with another suffix. One that the
/// older header under that name names gets replaced. Any other is a FileSystemError, for it holds
/// somebody else's pixels, and so is a symbolic link, because it may lead to another folder.
std::filesystem::path sibling_name(const std::filesystem::path& header, std::string_view suffix);

}  // namespace meander::io
