// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>

#include "meander/io.hpp"
#include "session/verb.hpp"

namespace meander::app {

/// How an image is written there: compressed when --compress is given and the format can.
io::WriteOptions write_options(const std::string& path);

/// Throws Unsupported when --compress is given and no output of the verb can be compressed.
void refuse_vain_compression(const Verb& verb);

}  // namespace meander::app
