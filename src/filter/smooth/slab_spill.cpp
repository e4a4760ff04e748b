// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/smooth/slab_spill.hpp"

#include <algorithm>
#include <chrono>

namespace meander {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t chunk = std::int64_t{16} << 20;

/// Calls f(offset, count) for pieces of at most a chunk, with a cancel point before each; returns
/// the seconds it took.
template <class F>
double in_chunks(std::int64_t bytes, const Control& control, F f) {
  const auto start = Clock::now();
  for (std::int64_t offset = 0; offset < bytes; offset += chunk) {
    if (control.stop.stop_requested()) throw Cancelled("stopped on request");
    f(offset, static_cast<std::size_t>(std::min(chunk, bytes - offset)));
  }
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

SlabSpill::SlabSpill(const Description& whole, int count, const std::filesystem::path& folder,
                     const Device& device)
    : whole_(whole),
      along_(whole.shape),
      device_(device),
      step_(along_.axis == 2 ? padded_pitch(whole).slice : padded_pitch(whole).row) {
  if (count > 0) file_ = io::SpillFile(folder, bytes(whole, count));
}

std::int64_t SlabSpill::bytes(const Description& whole, int count) {
  return padded_bytes(whole) * count;
}

std::int64_t SlabSpill::place(int index, int channel, std::int64_t begin) const {
  const std::int64_t planes = std::int64_t{index} * whole_.channels + channel;
  return planes * padded_pitch(whole_).channel + begin * step_;
}

void SlabSpill::write(int index, std::int64_t begin, const Image& slab, const Control& control) {
  const Image host = slab.download();
  const std::int64_t bytes = length_along(host.shape(), along_.axis) * step_;
  for (int channel = 0; channel < host.channels(); ++channel) {
    const std::byte* from = host.row_bytes(0, 0, channel);
    const std::int64_t to = place(index, channel, begin);
    seconds_ += in_chunks(bytes, control, [&](std::int64_t offset, std::size_t count) {
      file_.write(to + offset, {from + offset, count});
    });
  }
}

Image SlabSpill::read(int index, std::int64_t begin, std::int64_t end, const Control& control) {
  Image host = Image::allocate(along_.with_length(whole_, end - begin));
  for (int channel = 0; channel < host.channels(); ++channel) {
    std::byte* to = host.mutable_row_bytes(0, 0, channel);
    const std::int64_t from = place(index, channel, begin);
    seconds_ +=
        in_chunks((end - begin) * step_, control, [&](std::int64_t offset, std::size_t count) {
          file_.read(from + offset, {to + offset, count});
        });
  }
  return device_.upload(host);
}

}  // namespace meander
