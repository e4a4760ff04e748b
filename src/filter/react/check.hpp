// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/react.hpp"

/// What `react` checks before it begins.
namespace meander {

/// Everything that can be said without pixels; see Reactor.
void check_react(const Device& device, const Description& image, const ReactOptions& options);

/// Throws InvalidArgument unless the image is on the device and as described, spacing aside.
void check_image(const Device& device, const Description& expected, const Image& image);

/// Throws InvalidArgument unless the steps rise from 0 on to at most `steps`.
void check_snapshots(const ReactSnapshots& snapshots, std::int64_t steps);

/// How pixels become states.
struct StartWindow {
  std::array<double, 2> ends{0, 0};  ///< They become -1 and 1; equal when all pixels are.
  std::int64_t beyond = 0;           ///< Pixels outside, where that was counted.
  bool clamps = false;               ///< Whether those become -1 and 1 too.
};
/// Throws InvalidArgument for pixels that are not finite and for a window that the arithmetic
/// cannot resolve.
StartWindow window_of(const Image& image, const ReactOptions& options);

}  // namespace meander
