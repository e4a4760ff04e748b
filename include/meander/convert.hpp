// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <optional>

#include "meander/image.hpp"
#include "meander/options.hpp"

namespace meander {

/// What an image becomes.
struct ConvertOptions {
  std::optional<PixelType> type;                ///< Empty: the input's.
  std::optional<std::array<double, 2>> window;  ///< Empty: values are kept.

  template <class Visitor>
  void describe(Visitor& v) {
    v(type, {.name = "type", .help = "pixel type of the output [the input's]"});
    v(window, {.name = "window",
               .help = "lo,hi: map these to the ends of an integer type, or to 0,1 of a float type "
                       "[values are kept]"});
  }
};

/// The image with another pixel type on the same device. Values are rounded to nearest (ties to
/// even) and saturated; NaN becomes 0 in an integer type. One pass: each byte of both images moves
/// once. Throws InvalidArgument when the window is empty or not finite, Unsupported when f64 is
/// involved and the device has none.
Image convert(const Image& image, const ConvertOptions& options, const Control& control = {});

/// How many numbers of the image `convert` saturates: those that round to one beyond an integer
/// type, infinities among them, NaN not; none of a float type. One reduction on the device and,
/// where it finds any, a pass over the pixels in host memory.
std::int64_t count_saturated(const Image& image, const ConvertOptions& options,
                             const Control& control = {});
/// How many of its numbers are NaN, at the same cost.
std::int64_t count_nan(const Image& image, const Control& control = {});

/// Bytes of device memory that converting an image like this one holds at its peak, input included.
std::int64_t estimate_bytes(const Description& image, const ConvertOptions& options);

}  // namespace meander
