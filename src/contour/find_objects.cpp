// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>

#include "contour/detect.hpp"
#include "contour/grey_levels.hpp"
#include "contour/segment_check.hpp"
#include "meander/objects.hpp"

namespace meander {
namespace {

/// Where larger objects alone are wanted, smaller ones are found all the same: they are no
/// background, and an image that has them is not one without objects.
constexpr double least_blocks = 100;

}  // namespace

std::vector<Region> find_objects(const Image& image, const ObjectOptions& options,
                                 const Control& control) {
  contour::check_segment(image.description(), options, image.device(), {});
  const contour::GreyLevels grey = contour::grey_levels(image, options);
  std::vector<Region> found = contour::detect(grey.pixels.download(), control);
  // Blocks may cover less than the object, whose outline is measured in the end.
  const double least = std::min(options.min_area, least_blocks) / 4;
  std::erase_if(found, [&](const Region& region) { return region.area() < least; });
  return found;
}

}  // namespace meander
