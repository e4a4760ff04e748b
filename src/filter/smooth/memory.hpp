// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "filter/smooth/design.hpp"
#include "meander/device.hpp"

/// What smoothing holds, in bytes of device memory.
namespace meander {

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
