// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "io/image/source.hpp"

namespace meander::io {

/// Nearly Raw Raster Data: fields of text, an empty line, the numbers; or these in another file
/// (.nhdr). Encodings raw and gzip.
std::unique_ptr<Reader::Source> open_nrrd(InputFile file, const ReadOptions& options);
std::unique_ptr<Writer::Sink> create_nrrd(AtomicFile file, const Description& description,
                                          const WriteOptions& options);

}  // namespace meander::io
