// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "io/file/deflate.hpp"
#include "io/image/source.hpp"

namespace meander::io {

/// How a header and the plain numbers that belong to it are written.
struct RawRecipe {
  std::string header;
  /// The numbers go into this file and the header into the output's own; without, one follows the
  /// other in one file. The numbers are moved into place first, then the header.
  std::optional<std::filesystem::path> data;
  /// Of the numbers; `header_too` for a file that is compressed from its first byte on.
  Compression compression = Compression::none;
  bool header_too = false;
  /// Each channel after the last frame of the one before, rather than neighbours in each pixel.
  bool planar = false;
  /// Where in the header 20 characters wait for the number of bytes that the numbers take.
  std::optional<std::int64_t> size_at;
};

std::unique_ptr<Writer::Sink> create_raw(AtomicFile file, const Description& description,
                                         const WriteOptions& options, const RawRecipe& recipe);

}  // namespace meander::io
