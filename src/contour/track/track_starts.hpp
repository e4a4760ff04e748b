// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <vector>

#include "contour/geometry/pixel_set.hpp"

namespace meander::contour {

/// Where objects begin in a frame: regions within the image with a pixel between them, so that no
/// two overlap or touch. Those that come first have their way.
class TrackStarts {
 public:
  explicit TrackStarts(const Shape& image) : image_(image), index_(image) {}

  /// Takes the region as it is where nothing is in its way; else the other one, if that is free;
  /// else what is left of the region, when that is half of it or more. Returns whether it took one.
  bool add(const Region& wanted, const Region* other = nullptr);

  const std::vector<Region>& regions() const { return regions_; }
  /// The start that shares most pixels with these, the first of several; none when none does.
  std::optional<std::size_t> nearest(const PixelSet& pixels) const;

 private:
  PixelSet free_pixels(const PixelSet& pixels) const;
  bool add_if_free(const Region& region, const PixelSet& pixels, const PixelSet& free);
  void push(const Region& region, PixelSet pixels);

  Shape image_;
  BoxIndex index_;
  std::vector<Region> regions_;
  std::vector<PixelSet> pixels_, around_;  ///< Of each, and with its neighbours.
};

}  // namespace meander::contour
