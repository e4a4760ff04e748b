// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>

#include "io/source.hpp"
#include "io/tiff_layout.hpp"

namespace meander::io {

/// Writes an uncompressed TIFF, or a BigTIFF when `big`, whose first page has `notes` as
/// description.
class TiffSink final : public Writer::Sink {
 public:
  TiffSink(AtomicFile opened, const Description& announced, const std::string& notes, bool big);
  void append(const Image& slab, Progress& progress) override;
  void complete() override;

 private:
  const TiffLayout layout_;
};

}  // namespace meander::io
