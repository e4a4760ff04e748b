// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <vector>

#include "contour/detect/background.hpp"
#include "contour/detect/component_tree.hpp"
#include "meander/control.hpp"
#include "meander/image.hpp"
#include "meander/objects.hpp"

namespace meander::contour {

struct FoundObject {
  Region region;
  /// What its outline is told from, above the image's background: the outline lies halfway between
  /// this and the mean of the object.
  double background = 0;
  Polygon zone;  ///< Around it: its outline may not leave this. May reach beyond the image.
};

struct Detected {
  std::vector<FoundObject> objects;          ///< From the top.
  std::optional<BackgroundSurface> shading;  ///< The background, where it is uneven.
  /// Whether the pixels of objects scatter as neighbours do: by noise, not by texture or blur.
  bool is_noise = true;
  PixelNoise noise;
};

/// Which objects are looked for; see ObjectOptions.
struct FindingBounds {
  std::optional<double> least_area;  ///< In pixels; by default least_area_in() of it.
  Polarity polarity = Polarity::both;
  double least_contrast = 0;  ///< To the surroundings, in noise levels of a pixel.
};
/// Objects of an image of type u8, u16 or i16 in host memory; see find_objects.
Detected detect(const Image& image, const FindingBounds& bounds, const Control& control,
                const FindingConstants& constants = {});
/// The background of such an image, where it is uneven, and its noise: no objects. `shapes`: where
/// objects are, if that is known.
Detected detect_background(const Image& image, const std::vector<Region>& shapes,
                           const Control& control);
/// What counts as an object, in pixels, unless somebody says it.
double least_area_in(const PixelNoise& noise, const FindingConstants& constants = {});
/// Around a region by so many blocks of pixels.
Polygon zone_around(const Region& region, std::int64_t blocks, std::int64_t block,
                    const Shape& image);
/// What it holds besides the image, objects apart.
std::int64_t detect_bytes(const Shape& image);

}  // namespace meander::contour
