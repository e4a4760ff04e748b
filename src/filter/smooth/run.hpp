// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <span>
#include <vector>

#include "filter/smooth/axis_pass.hpp"

namespace meander {

/// Carries out a design on one device. The whole of an image and slabs of it go through the same
/// calls in the same order, so their results are the same to the bit.
class SmoothRun {
 public:
  SmoothRun(const SmoothDesign& design, const Device& device);

  /// For the passes that follow.
  void set_border(const BorderRule& border);

  /// From pixels that the engines read to all components. `in` and `out` may be the same image when
  /// there is one component.
  void whole(const Image& in, const Image& out, SmoothProgress& progress);
  /// The components of a group, from what the pass along the first axis left.
  void rest_of_group(int group, const Image& first, const Image& out, SmoothProgress& progress);

  /// The pass along the first axis for a group of components.
  const AxisPass& first_pass(int group) const;
  /// Whether a plane is needed beside the result because some pass cannot run in place; `aliased`
  /// when the passes of a single component begin in the image they end in.
  bool needs_scratch(bool aliased) const;

 private:
  void chain(std::span<const AxisPass> passes, const Image& in, const Image& out,
             SmoothProgress& progress);
  void component(int index, const Image& in, std::size_t begun, int channel, const Image& out,
                 SmoothProgress& progress);
  Image plane_like(const Image& image, Image& kept) const;

  const SmoothDesign& design_;
  const Device device_;
  std::vector<std::vector<AxisPass>> passes_;  ///< By component.
  Image scratch_;
  Image folded_;  ///< A component before it is folded into the result.
};

/// What `SmoothProgress` counts for an image in memory: numbers passed over.
double numbers_passed(const SmoothDesign& design);

}  // namespace meander
