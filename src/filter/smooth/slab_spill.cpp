// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/smooth/slabs.hpp"

#include <algorithm>
#include <chrono>

#include "engine/backend.hpp"

namespace meander {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t chunk = std::int64_t{16} << 20;

/// Calls f(offset, count) for pieces of at most a chunk, with a cancel point before each.
template <class F>
void in_chunks(std::int64_t bytes, const std::stop_token& stop, F f) {
  for (std::int64_t offset = 0; offset < bytes; offset += chunk) {
    if (stop.stop_requested()) throw Cancelled("stopped on request");
    f(offset, static_cast<std::size_t>(std::min(chunk, bytes - offset)));
  }
}

/// Adds up the time until its end.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  const Clock::time_point begin_ = Clock::now();
};

}  // namespace

SlabSpill::SlabSpill(const Description& whole, int count, const std::filesystem::path& folder,
                     const Device& device)
    : whole_(whole),
      along_(whole.shape),
      device_(device),
      step_(along_.axis == 2 ? padded_pitch(whole).slice : padded_pitch(whole).row),
      is_beside_(!device.backend().uses_host_memory()) {
  if (count > 0) file_ = io::SpillFile(folder, bytes(whole, count));
}

std::int64_t SlabSpill::bytes(const Description& whole, int count) {
  return padded_bytes(whole) * count;
}

std::int64_t SlabSpill::place(int index, int channel, std::int64_t begin) const {
  const std::int64_t planes = std::int64_t{index} * whole_.channels + channel;
  return planes * padded_pitch(whole_).channel + begin * step_;
}

void SlabSpill::write_host(int index, std::int64_t begin, const Image& host,
                           const std::stop_token& stop) {
  const std::int64_t bytes = length_along(host.shape(), along_.axis) * step_;
  for (int channel = 0; channel < host.channels(); ++channel) {
    const std::byte* from = host.row_bytes(0, 0, channel);
    const std::int64_t to = place(index, channel, begin);
    in_chunks(bytes, stop, [&](std::int64_t offset, std::size_t count) {
      file_.write(to + offset, {from + offset, count});
    });
  }
}

Image SlabSpill::read_host(const Part& part, const std::stop_token& stop) {
  const auto [index, begin, end] = part;
  Image host = Image::allocate(along_.with_length(whole_, end - begin));
  for (int channel = 0; channel < host.channels(); ++channel) {
    std::byte* to = host.mutable_row_bytes(0, 0, channel);
    const std::int64_t from = place(static_cast<int>(index), channel, begin);
    in_chunks((end - begin) * step_, stop, [&](std::int64_t offset, std::size_t count) {
      file_.read(from + offset, {to + offset, count});
    });
  }
  return host;
}

Image SlabSpill::finish() { return under_way_.valid() ? under_way_.get() : Image(); }

void SlabSpill::write(int index, std::int64_t begin, const Image& slab, const Control& control) {
  const Image host = slab.download();
  const Stopwatch watch(seconds_);
  finish();
  expected_ = {};
  if (!is_beside_) return write_host(index, begin, host, control.stop);
  under_way_ = std::async(std::launch::async, [this, index, begin, host, stop = control.stop] {
    write_host(index, begin, host, stop);
    return Image();
  });
}

void SlabSpill::expect(int index, std::int64_t begin, std::int64_t end, const Control& control) {
  if (!is_beside_) return;
  const Stopwatch watch(seconds_);
  finish();
  expected_ = {index, begin, end};
  under_way_ = std::async(std::launch::async, [this, part = expected_, stop = control.stop] {
    return read_host(part, stop);
  });
}

Image SlabSpill::read(int index, std::int64_t begin, std::int64_t end, const Control& control) {
  Image host;
  {
    const Stopwatch watch(seconds_);
    const Part part{index, begin, end};
    try {
      host = finish();
    } catch (const OutOfMemory&) {
      // There was no room for it beside the slab before.
    }
    if (host.empty() || part != expected_) host = read_host(part, control.stop);
  }
  return device_.upload(host);
}

}  // namespace meander
