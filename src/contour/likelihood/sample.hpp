// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "engine/backend.hpp"
#include "meander/image.hpp"
#include "meander/outline.hpp"

namespace meander::contour {

/// Whole rows of a 2-D image, evenly spread over it, in host memory: all of them or about two
/// million pixels.
struct Sample {
  Image rows;
  std::int64_t apart = 1;  ///< Row i of the sample is row i·apart of the image.
};
/// What the sample takes of the host's memory.
std::int64_t sample_bytes(const Description& image);
Sample sample_rows(engine::Backend& backend, const engine::View& pixels);

/// How often each number 0 to 65535 occurs.
using Counts = std::vector<std::int64_t>;

/// The numbers of a sample of u8, u16 or i16 (plus 32768) on both sides of outlines: inside is what
/// an odd number of them holds. Pixels closer to one than a few pixels are left out: there the
/// outline may be wrong.
struct SideCounts {
  Counts inside, outside;
};
SideCounts count_sides(const Sample& sample, const std::vector<const Polygon*>& outlines);
/// Of all pixels, as if they were outside.
SideCounts count_all(const Sample& sample);

}  // namespace meander::contour
