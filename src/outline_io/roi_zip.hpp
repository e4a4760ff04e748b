// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "meander/control.hpp"

namespace meander {

struct ZipEntry {
  std::string name;  ///< ASCII.
  std::string bytes;
};

/// A ZIP archive of entries that are stored as they are, all of one date, so that the same entries
/// give the same bytes. Throws Unsupported for more than 65535 entries or 4 GiB, which the plain
/// format cannot count.
std::string stored_zip(const std::vector<ZipEntry>& entries, const Control& control);

}  // namespace meander
