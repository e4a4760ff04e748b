// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/find_objects.hpp"

#include "contour/grey_levels.hpp"
#include "contour/segment_check.hpp"

namespace meander {

contour::Detected contour::found_in(const Image& image, const ObjectOptions& options,
                                    const Control& control) {
  check_segment(image.description(), options, image.device(), {});
  const GreyLevels grey = grey_levels(image, options);
  Detected found = detect(grey.pixels.download(), control);
  // Blocks may cover less than the object, whose outline is measured in the end.
  std::erase_if(found.regions,
                [&](const Region& region) { return region.area() < options.min_area / 4; });
  return found;
}

std::vector<Region> find_objects(const Image& image, const ObjectOptions& options,
                                 const Control& control) {
  return contour::found_in(image, options, control).regions;
}

}  // namespace meander
