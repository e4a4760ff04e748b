// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

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

/// Throws Unsupported for a name that is not that of a .csv.
void check_table_name(const std::string& path);

/// Where a name leads, through symbolic links; there need be no file. Writing to one of two hard
/// links leaves the other as it is, so outputs are told apart by this.
std::string place_of(const std::string& path);

/// A text that all names of one file share, symbolic and hard links among them; there need be no
/// file.
std::string identity_of(const std::string& path);

/// Whether two names lead to one file, which need not exist.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace meander::app
