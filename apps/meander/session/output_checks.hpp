// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "meander/io.hpp"
#include "session/verb.hpp"

namespace meander::app {

/// How an image is written there: compressed when --compress is given and the format can.
io::WriteOptions write_options(const Verb& verb, const std::string& path);

/// Throws Unsupported when --compress is given and no output of the verb can be compressed.
void refuse_vain_compression(const Verb& verb);

/// What options of the verb that are no outputs say: names of files that are read, and other texts,
/// which no output is named like.
std::vector<std::string> texts_read(const Verb& verb);

/// What to add to a refusal where the verb has the option and it was not given; else empty.
std::string in_place_advice(const Verb& verb);

/// Throws InvalidArgument where a run for one IN would write over a file that it reads, unless that
/// is IN as OUT with --in-place.
void check_written_over(const Verb& verb);

}  // namespace meander::app
