// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

namespace meander::app {

/// Whether a name stands for all files that it matches, as "in/*.tif": it has one of * ? [ and is
/// no name of a file itself.
bool is_pattern(const std::string& name);

/// The files that a pattern matches, in the order of their names, without folders and without those
/// that begin with a dot. The program does it by itself, so that patterns work in quotes and where
/// the shell has none. Throws FileSystemError when there is none, and for a folder that must not be
/// read.
std::vector<std::string> files_matching(const std::string& pattern);

}  // namespace meander::app
