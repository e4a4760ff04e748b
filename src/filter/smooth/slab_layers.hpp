// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "filter/smooth/normalised.hpp"

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

}  // namespace meander
