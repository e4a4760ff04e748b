// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <future>

#include "filter/smooth/slab_layers.hpp"
#include "io/file/spill_file.hpp"

namespace meander {

/// Images of one description on disk, in slabs of any height. Where the device has memory of its
/// own, the file is written and read ahead by a second thread while the device works.
class SlabSpill {
 public:
  /// `whole` is one of them, `count` how many there are; with none there is no file.
  SlabSpill(const Description& whole, int count, const std::filesystem::path& folder,
            const Device& device);

  static std::int64_t bytes(const Description& whole, int count);
  /// Both wait for the device, and have a cancel point every few milliseconds.
  void write(int index, std::int64_t begin, const Image& slab, const Control& control);
  Image read(int index, std::int64_t begin, std::int64_t end, const Control& control);
  /// Begins to read what will be asked for next.
  void expect(int index, std::int64_t begin, std::int64_t end, const Control& control);
  /// For which the caller had to wait.
  double seconds() const { return seconds_; }

 private:
  using Part = std::array<std::int64_t, 3>;  ///< Index, begin and end.

  void write_host(int index, std::int64_t begin, const Image& host, const std::stop_token& stop);
  Image read_host(const Part& part, const std::stop_token& stop);
  /// Until what is under way has ended; throws what it has thrown.
  Image finish();
  std::int64_t place(int index, int channel, std::int64_t begin) const;

  const Description whole_;
  const SlabAxis along_;
  const Device device_;
  const std::int64_t step_;  ///< Bytes of one slice or row of a channel.
  const bool is_beside_;     ///< Whether a second thread does it.
  io::SpillFile file_;
  double seconds_ = 0;
  Part expected_{};
  std::future<Image> under_way_;  ///< A part that was read, or nothing. The last: it ends first.
};

}  // namespace meander
