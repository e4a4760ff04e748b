// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <string_view>

#include "io/image/raw_source.hpp"

namespace meander::io {

struct MetaImageHeader {
  RawImage image;              ///< But for the place where the numbers begin.
  std::string data_file;       ///< Empty when the numbers follow the header.
  std::int64_t data_skip = 0;  ///< Of that file; -1: the numbers are its last bytes.
  std::int64_t length = 0;     ///< Of the header, its last line included.
};

/// Whether a text begins as such a header does: with a line "Key = value" of a known key.
bool begins_meta_image(std::string_view text);

/// Reads the text of a header; `file` is only named in messages. Throws MalformedFile and
/// Unsupported. Unknown keys are passed over, as ITK does.
MetaImageHeader parse_meta_image_header(const InputFile& file, std::string_view text);

}  // namespace meander::io
