// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

#include "meander/image.hpp"
#include "phantom/raster.hpp"

namespace meander::phantoms {

struct Canvas {
  Shape shape;
  std::uint64_t seed = 0;
};

/// The truth is the mask; the image may have more inside it.
enum class Layer : std::uint8_t { image, truth };

double shorter_side(const Shape& shape);
/// Where flat shapes are in a volume of so many slices.
bool in_middle_half(std::int64_t z, std::int64_t depth);
std::vector<Region> whole_target(Polygon outline);

/// Each gives the regions that may meet the band; see PhantomKind.
using RegionsOf = std::vector<Region> (*)(const Canvas&, const Band&, Layer);
std::vector<Region> star(const Canvas& canvas, const Band& band, Layer layer);
std::vector<Region> ushape(const Canvas& canvas, const Band& band, Layer layer);
std::vector<Region> impulse(const Canvas& canvas, const Band& band, Layer layer);
std::vector<Region> step(const Canvas& canvas, const Band& band, Layer layer);
std::vector<Region> constant(const Canvas& canvas, const Band& band, Layer layer);
std::vector<Region> shepp_logan(const Canvas& canvas, const Band& band, Layer layer);

}  // namespace meander::phantoms
