// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/segment.hpp"

namespace meander {

bool is_simple(const Polygon&) { throw LogicError("being written"); }

SegmentResult segment(const Image&, const SegmentOptions&, const SegmentInputs&, const Control&) {
  throw LogicError("being written");
}

std::int64_t estimate_bytes(const Description&, const SegmentOptions&, const Device&) {
  throw LogicError("being written");
}

}  // namespace meander
