// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>

#include "io/file/spill_file.hpp"
#include "io/image/source.hpp"
#include "io/tiff/layout.hpp"

namespace meander::io {

/// Writes an uncompressed TIFF, or a BigTIFF when `big`, whose first page has `notes` as
/// description.
class TiffSink final : public Writer::Sink {
 public:
  TiffSink(AtomicFile opened, const TiffStack& stack, const std::string& notes, bool big);
  void append(const Image& slab, Progress& progress) override;
  void complete() override;

 private:
  void append_rows(const Image& slab, Progress& progress);
  void append_waiting();

  const TiffStack stack_;
  const TiffLayout layout_;
  SpillFile waiting_;  ///< Rows of channels that have to come after the whole first one.
  std::int64_t waiting_bytes_ = 0;  ///< Of each of them.
};

}  // namespace meander::io
