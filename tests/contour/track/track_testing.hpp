// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <vector>

#include "meander/track.hpp"
#include "phantom/noise/philox.hpp"

/// Frames with bright discs whose places are known.
namespace meander::testing {

struct Disc {
  double x = 0, y = 0, radius = 0;
};

/// u8: 60 with discs of 120 on it, and noise spread evenly over so many grey levels to either side.
inline Image frame_of(const Shape& shape, const std::vector<Disc>& discs, std::uint64_t seed,
                      double noise = 30) {
  Image image = Image::allocate({.shape = shape, .type = PixelType::u8});
  phantoms::UniformSequence random(seed, 0, phantoms::Purpose::pixel_sequence);
  for (std::int64_t y = 0; y < shape.y; ++y) {
    auto* row = image.mutable_row<std::uint8_t>(y);
    for (std::int64_t x = 0; x < shape.x; ++x) {
      const bool is_inside = std::any_of(discs.begin(), discs.end(), [&](const Disc& disc) {
        const double dx = static_cast<double>(x) - disc.x, dy = static_cast<double>(y) - disc.y;
        return dx * dx + dy * dy <= disc.radius * disc.radius;
      });
      const double value = (is_inside ? 120 : 60) + noise * (2 * random.next() - 1);
      row[x] = static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0));
    }
  }
  return image;
}

/// The object whose centroid lies within two pixels of a disc's middle; nothing otherwise.
inline const TrackedObject* object_at(const TrackFrame& frame, const Disc& disc) {
  for (const TrackedObject& object : frame.objects) {
    const double dx = object.x - disc.x, dy = object.y - disc.y;
    if (dx * dx + dy * dy <= 4) return &object;
  }
  return nullptr;
}

}  // namespace meander::testing
