// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "contour/geometry/pixel_set.hpp"

namespace meander::contour {

/// Something that is expected in a frame, or found there.
struct TrackShape {
  TrackShape(const Region& region, const Shape& image)
      : pixels(pixels_of(region, image)),
        count(pixels.count()),
        box(pixels.box()),
        centre(centroid_of(region)) {}

  PixelSet pixels;
  std::int64_t count;
  PixelBox box;
  Point centre;
};

/// Which findings belong to which objects; both by their index.
struct TrackMatches {
  std::vector<std::optional<std::size_t>> finding_of;  ///< Of each object, at most one.
  std::vector<std::vector<std::size_t>> parts_of;      ///< Two or more where it divides.
  std::vector<std::size_t> unclaimed;                  ///< Findings of no object.
};

/// Matches what is expected with what is found, each at most once but for divisions:
/// 1. Two findings or more are an object's parts that share more with it than with any other, two
///    fifths of their pixels and a sixth of the object's each, two fifths of these together.
/// 2. A finding that holds most of two objects or more says of none where it is: nobody's.
/// 3. Pairs by the pixels they share over those of either, the largest first, a tenth at least.
/// 4. Pairs by the distance of their centres, the smallest first, up to the diameter of a disc as
///    large as the object, when neither is more than four times as large as the other.
/// Ties go to the first object, then to the first finding.
TrackMatches match_tracks(std::span<const TrackShape> expected, std::span<const TrackShape> found,
                          const Shape& image);

/// The same in a frame before: divisions are asked of what is found, whose parts are expected. So
/// several objects may have one finding, and none has parts. An object that holds most of two
/// findings is matched with one of them: there is no telling two neighbours by it.
TrackMatches match_tracks_back(std::span<const TrackShape> expected,
                               std::span<const TrackShape> found, const Shape& image);

}  // namespace meander::contour
