// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "io/image/source.hpp"

namespace meander::io {

/// ITK's MetaImage: lines of the form "Key = value", the last of which says where the numbers are,
/// plain or as a zlib stream: behind it (.mha) or in another file (.mhd).
bool is_meta_image(const InputFile& file);
std::unique_ptr<Reader::Source> open_meta_image(InputFile file, const ReadOptions& options);
std::unique_ptr<Writer::Sink> create_meta_image(AtomicFile file, const Description& description,
                                                const WriteOptions& options);

}  // namespace meander::io
