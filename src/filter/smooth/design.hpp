// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "filter/gauss/design.hpp"
#include "meander/device.hpp"
#include "meander/smooth.hpp"

namespace meander {

/// What smoothing an image comes to, on whatever device. Axes are 0 (x) to 2 (z).
struct SmoothDesign {
  Description input;
  Description output;
  /// Whether results are averages over the pixels that count: a mask or NaN to be ignored.
  bool normalised = false;
  std::array<double, 3> sigma{};  ///< Pixels.
  std::vector<int> axes;          ///< Those that are filtered, slowest first.
  /// Orders along x, y and z of every derivative that the output needs.
  std::vector<std::array<int, 3>> components;
  /// Components with the same filter along the first of `axes`, which is run once for them all.
  std::vector<std::vector<int>> groups;
  /// How components become one image; none: each has its own.
  std::optional<engine::Pointwise> fold;
  /// By axis and order, those that are needed; derivatives are per unit of the spacing.
  std::array<std::array<std::optional<GaussFilter>, 3>, 3> filters;

  const GaussFilter& filter(int axis, int order) const {
    return *filters[static_cast<std::size_t>(axis)][static_cast<std::size_t>(order)];
  }
  int order(int component, int axis) const {
    return components[static_cast<std::size_t>(component)][static_cast<std::size_t>(axis)];
  }
};

/// Checks everything that does not depend on the device.
SmoothDesign design_smooth(const Description& image, const SmoothOptions& options,
                           bool with_mask = false);

/// The smoothed weight from which on an average can be believed: a power of two, a hundred times
/// the error of the filters, but at most an eighth.
double least_weight(const SmoothDesign& design);

/// Pixels along an axis.
std::int64_t length_along(const Shape& shape, int axis);

// What smoothing holds, in bytes of device memory.

/// Of an image like `image` with another type and number of channels.
std::int64_t bytes_of(Description image, PixelType type, int channels);

/// Bytes for each pixel along a line that the engines of a device with host memory take for panels
/// of lines, one a thread.
std::int64_t panel_bytes(const SmoothDesign& design, const Device& device);

/// What the engines of a device with host memory take for themselves at most. Along `cut` lines
/// come in parts, which need none.
std::int64_t scratch_bytes(const SmoothDesign& design, const Device& device,
                           std::optional<int> cut = {});

/// Planes that the passes need beside input and output.
std::int64_t planes_beside(const SmoothDesign& design, const Device& device);

}  // namespace meander
