// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/confine.hpp"

#include "contour/detect.hpp"
#include "contour/track_pixels.hpp"

namespace meander::contour {

bool has_run_away(const Region& outline, const Region& start, const Shape& image) {
  const PixelSet before = pixels_of(start, image);
  return without(pixels_of(outline, image), before).count() > before.count();
}

Polygon zone_about(const Region& start, const Shape& image) {
  return zone_around(start, 1, 1, image);
}

bool is_held(const Region& outline, const Region& start, const Shape& image) {
  const PixelSet pixels = pixels_of(outline, image);
  const PixelSet around = without(grown(pixels, image), pixels);
  return 2 * without(around, pixels_of(start, image)).count() > around.count();
}

}  // namespace meander::contour
