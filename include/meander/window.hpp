// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "meander/image.hpp"
#include "meander/options.hpp"

/// Which values of an image become the ends of a scale.
namespace meander {

namespace io {
class FrameSource;
}

/// Two values, the first smaller, or `auto`: those of `find_window`.
struct ValueWindow {
  std::optional<std::array<double, 2>> ends;  ///< Empty: auto.
  friend bool operator==(const ValueWindow&, const ValueWindow&) = default;
};
template <>
struct OptionText<ValueWindow> {
  static ValueWindow parse(std::string_view text);
  static std::string format(const ValueWindow& value);
  static std::string syntax() { return "auto or LO,HI"; }
};

/// Over all finite numbers of an image, channels included; 0 and 0 where there are none.
struct FoundWindow {
  /// The values that one number in 1000 lies below and above; where those are the same, the
  /// smallest and largest, so that small objects on a plain ground are seen.
  std::array<double, 2> window{0, 0};
  std::array<double, 2> range{0, 0};  ///< The smallest and largest.
  std::int64_t beyond = 0;            ///< How many numbers lie outside the window.

  /// Whether the few beyond hold more than half of the range. The extremes of plain Gaussian noise
  /// would need a thousand million pixels to get there: they lie at 3.09 sigma times two.
  bool is_range_of_few() const { return window[1] - window[0] < (range[1] - range[0]) / 2; }
};

/// Calls its argument with all parts of an image in host memory, one after the other.
using ImageParts = std::function<void(const std::function<void(const Image&)>&)>;

/// Exact, in 1 MiB of memory. `parts` is called once for types of 8 and 16 bits, twice for f32 and
/// four times for f64.
FoundWindow find_window(PixelType type, const ImageParts& parts);
/// Of one image on any device.
FoundWindow find_window(const Image& image, const Control& control = {});
/// One window for all frames, so that a film does not flicker; they are read as often as parts.
FoundWindow find_window(io::FrameSource& frames, const Control& control = {});

}  // namespace meander
