// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/detect.hpp"
#include "contour/grey_levels.hpp"
#include "contour/segment_check.hpp"
#include "meander/objects.hpp"

namespace meander {

std::vector<Region> find_objects(const Image& image, const ObjectOptions& options,
                                 const Control& control) {
  contour::check_segment(image.description(), options, image.device(), {});
  const contour::GreyLevels grey = contour::grey_levels(image, options);
  std::vector<Region> found = contour::detect(grey.pixels.download(), control);
  // Blocks may cover less than the object, whose outline is measured in the end.
  std::erase_if(found, [&](const Region& region) { return region.area() < options.min_area / 4; });
  return found;
}

}  // namespace meander
