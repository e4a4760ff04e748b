// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "filter/smooth/slab_layers.hpp"
#include "io/file/spill_file.hpp"

namespace meander {

/// Images of one description on disk, in slabs of any height.
class SlabSpill {
 public:
  /// `whole` is one of them, `count` how many there are; with none there is no file.
  SlabSpill(const Description& whole, int count, const std::filesystem::path& folder,
            const Device& device);

  static std::int64_t bytes(const Description& whole, int count);
  /// Both wait for the device, and have a cancel point every few milliseconds.
  void write(int index, std::int64_t begin, const Image& slab, const Control& control);
  Image read(int index, std::int64_t begin, std::int64_t end, const Control& control);
  double seconds() const { return seconds_; }

 private:
  std::int64_t place(int index, int channel, std::int64_t begin) const;

  const Description whole_;
  const SlabAxis along_;
  const Device device_;
  const std::int64_t step_;  ///< Bytes of one slice or row of a channel.
  io::SpillFile file_;
  double seconds_ = 0;
};

}  // namespace meander
