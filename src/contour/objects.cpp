// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/objects.hpp"

namespace meander {

SegmentResult segment_objects(const Image& image, const ObjectOptions& options,
                              const ObjectInputs& inputs, const Control& control) {
  SegmentResult result;
  if (inputs.starts.empty()) return segment(image, options, {}, control);
  for (const Region& start : inputs.starts) {
    SegmentInputs one;
    one.start = start.outer;
    SegmentResult found = segment(image, options, one, control);
    result.figures = found.figures;
    for (Outline& outline : found.outlines) {
      outline.id = static_cast<std::int64_t>(result.outlines.size()) + 1;
      result.outlines.push_back(std::move(outline));
    }
  }
  return result;
}

std::int64_t estimate_bytes(const Description& image, const ObjectOptions& options,
                            const Device& device) {
  return estimate_bytes(image, static_cast<const SegmentOptions&>(options), device);
}

}  // namespace meander
