// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/objects/bounds.hpp"

#include <cmath>
#include <numeric>

#include "contour/geometry/pixel_set.hpp"
#include "contour/region/check.hpp"
#include "core/message.hpp"

namespace meander::contour {

ObjectBounds::ObjectBounds(const ObjectOptions& options, const Image& mask, const Shape& image)
    : polarity_(options.polarity),
      min_contrast_(options.min_contrast),
      min_area_(options.min_area),
      max_area_(options.max_area),
      shape_(image) {
  if (mask.empty()) return;
  if (mask.shape() != image || mask.channels() != 1) {
    throw InvalidArgument(message("a mask of ", to_string(mask.shape()), " with ", mask.channels(),
                                  " channels, expected ", to_string(image), " with 1"));
  }
  mask_.resize(static_cast<std::size_t>(image.x * image.y));
  visit(mask.type(), [&]<class T>(std::type_identity<T>) {
    auto to = mask_.begin();
    for (std::int64_t y = 0; y < image.y; ++y) {
      const T* row = mask.row<T>(y);
      for (std::int64_t x = 0; x < image.x; ++x) *to++ = to_double(row[x]) != 0 ? 1 : 0;
    }
  });
}

std::optional<ObjectBound> ObjectBounds::against(const Region& region,
                                                 const RegionStatistics& inside,
                                                 const RegionStatistics& outside) const {
  const double contrast = inside.mean - outside.mean;
  if (polarity_ == Polarity::bright && !(contrast > 0)) return ObjectBound::polarity;
  if (polarity_ == Polarity::dark && !(contrast < 0)) return ObjectBound::polarity;
  if (std::abs(contrast) < min_contrast_ * outside.sigma) return ObjectBound::min_contrast;
  if (min_area_ && region.area() < *min_area_) return ObjectBound::min_area;
  if (max_area_ && region.area() > *max_area_) return ObjectBound::max_area;
  if (!mask_.empty() && !is_within_mask(region)) return ObjectBound::mask;
  return std::nullopt;
}

bool ObjectBounds::is_within_mask(const Region& region) const {
  std::int64_t within = 0;
  const PixelSet pixels = pixels_of(region, shape_);
  for (const RowRun& run : pixels.runs) {
    const auto row = mask_.begin() + run.y * shape_.x;
    within = std::accumulate(row + run.begin, row + run.end, within);
  }
  return 2 * within > pixels.count();
}

void check_objects(const Description& image, const ObjectOptions& options, const Device& device) {
  validate(options);
  check_segment(image, options.search, device, {});
  if (options.max_area && options.min_area.value_or(0) > *options.max_area) {
    throw InvalidArgument(message("min-area ", *options.min_area, " is above max-area ",
                                  *options.max_area, ", expected at most that"),
                          {.option = "min-area"});
  }
}

}  // namespace meander::contour
