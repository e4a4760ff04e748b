// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <future>
#include <vector>

#include "filter/smooth/design.hpp"
#include "filter/smooth/normalised.hpp"
#include "io/file/spill_file.hpp"
#include "meander/device.hpp"

namespace meander {

/// Slices of a volume, rows of a 2-D image.
struct SlabAxis {
  explicit SlabAxis(const Shape& whole) : axis(whole.rank() == 3 ? 2 : 1) {}

  int axis;
  Description with_length(Description description, std::int64_t length) const;
  Image part(const Image& slab, std::int64_t begin, std::int64_t end) const;
};

/// Neighbouring places beyond the end of a line, or in it, that stand for neighbouring pixels.
struct GhostRun {
  std::int64_t begin = 0, end = 0;  ///< The pixels; of a constant only their number counts.
  bool ascending = true;            ///< Whether they are met in their own order.
  bool constant = false;            ///< Where the border's constant stands.
  std::int64_t count() const { return end - begin; }
};

/// The pixels that stand at places first, first + step, …, `count` of them, `most` to a run; step
/// is 1 or -1.
std::vector<GhostRun> ghost_runs(std::int64_t first, int step, std::int64_t count,
                                 std::int64_t length, Border border, std::int64_t most);

/// What goes through the passes, slab by slab: the image itself, or values and weights.
class SlabLayers {
 public:
  SlabLayers(const SmoothStream& stream, const SmoothDesign& design, const BorderRule& border,
             const Device& device);

  int count() const { return design_.normalised ? 2 : 1; }
  PixelType type() const;
  /// How a layer goes on beyond its ends.
  BorderRule border_of(int layer) const;

  std::vector<Image> read(std::int64_t begin, std::int64_t end);
  /// The same, but from places that may be beyond the ends; then put together of pieces of at most
  /// `most` slices.
  std::vector<Image> read_beyond(std::int64_t begin, std::int64_t end, std::int64_t most);
  /// Makes the result of smoothed values and weights, in place of the values.
  void divide(std::int64_t begin, std::int64_t end, const Image& values, const Image& weights,
              Nonfinite nonfinite);

 private:
  Image image(std::int64_t begin, std::int64_t end) const;
  void set_mask(std::int64_t begin, std::int64_t end);
  void place(const GhostRun& run, std::int64_t at, std::vector<Image>& into);

  const SmoothStream& stream_;
  const SmoothDesign& design_;
  const BorderRule border_;
  const Device device_;
  const SlabAxis along_;
  Normaliser normaliser_;
};

/// How an image is cut into slabs, and the bytes that this takes.
struct SlabPlan {
  std::int64_t length = 0;  ///< Slices or rows of the whole.
  std::int64_t height = 0;  ///< Of a slab.
  std::int64_t halo = 0;    ///< Slices beyond either end of a slab that FIR filters read.
  int tracks = 0;           ///< Images that go through a spill file.
  std::int64_t fixed = 0;   ///< Bytes whatever the height.
  std::int64_t each = 0;    ///< Bytes for each slice of a slab.
};

/// Whether anything is filtered along the axis that is cut; otherwise slabs are images of their
/// own.
bool filters_along_slabs(const SmoothDesign& design);

/// Throws OutOfMemory when not even one slice fits.
SlabPlan plan_slabs(const SmoothDesign& design, const Device& device, bool with_mask,
                    std::int64_t memory_bytes);

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
