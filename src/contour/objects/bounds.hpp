// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

#include "meander/objects.hpp"

namespace meander::contour {

/// Which objects of an image are meant, once they are outlined: what `ObjectOptions` and a mask
/// say. The least area that the noise asks for is not known here.
class ObjectBounds {
 public:
  /// Throws InvalidArgument for a mask that does not fit the image; an empty one is none.
  ObjectBounds(const ObjectOptions& options, const Image& mask, const Shape& image);

  bool allow(const Region& region, const RegionStatistics& inside,
             const RegionStatistics& outside) const {
    return !against(region, inside, outside);
  }
  /// The first bound that such an object is beyond.
  std::optional<ObjectBound> against(const Region& region, const RegionStatistics& inside,
                                     const RegionStatistics& outside) const;

 private:
  bool is_within_mask(const Region& region) const;

  Polarity polarity_;
  double min_contrast_;
  std::optional<double> min_area_, max_area_;
  Shape shape_;
  std::vector<std::uint8_t> mask_;  ///< Row by row; none: everywhere.
};

/// Throws InvalidArgument for images and options that do not go together.
void check_objects(const Description& image, const ObjectOptions& options, const Device& device);

}  // namespace meander::contour
