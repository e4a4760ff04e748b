// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "meander/io.hpp"

namespace meander::app {

/// In lower case, with its dot; empty when there is none.
std::string suffix_of(const std::string& path);

/// The format of an image that a name's suffix stands for.
std::optional<io::Format> format_of(const std::string& path);

/// A name less its suffix, of which .ome.tif and .nii.gz are whole ones.
std::string without_suffix(const std::string& name);

/// Where a name leads, through links; there need be no file.
std::filesystem::path place_of(const std::string& path);

/// Whether two names lead to one file, which need not exist.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace meander::app
