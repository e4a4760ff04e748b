// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "filter/smooth/design.hpp"
#include "meander/device.hpp"

namespace meander {

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

}  // namespace meander
