// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "contour/geometry/crossings.hpp"
#include "meander/image.hpp"
#include "meander/outline.hpp"
#include "meander/phantom.hpp"

namespace meander::phantoms {

/// Rows [y_begin, y_end) of slice z of an image that is `width` pixels wide.
struct Band {
  std::int64_t width = 0;
  std::int64_t z = 0;
  std::int64_t y_begin = 0;
  std::int64_t y_end = 0;
  std::int64_t pixels() const { return width * (y_end - y_begin); }
  contour::RowBand rows() const { return {width, y_begin, y_end}; }
};

/// A simple polygon that adds tenths to the pixels inside, or, when it is of negative area, takes
/// them off: a hole. Its label is that of the object it belongs to, 0 when there are none.
struct Region {
  Polygon outline;
  int tenths = 0;
  std::int64_t label = 0;
};

/// The sum of tenths at every pixel of the band, row after row. Throws LogicError when a sum leaves
/// 0 … 10.
void rasterise(std::span<const Region> regions, const Band& band, std::uint8_t* tenths);
/// The same of labels, up to 65535; objects share no pixel.
void rasterise_labels(std::span<const Region> regions, const Band& band, std::uint16_t* labels);

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

/// What a phantom shows before noise.
class Scene {
 public:
  virtual ~Scene() = default;
  /// Polygons that may meet the band. Empty where the scene paints otherwise.
  virtual std::vector<Region> regions(const Band& band, Layer layer) const = 0;
  /// Tenths of the way from background to target at every pixel of the band, row after row.
  virtual void paint(const Band& band, Layer layer, std::uint8_t* tenths) const;
  /// Why the mask is not a union of polygons; empty when it is.
  virtual std::string_view without_outlines() const { return {}; }
  /// Labels run from 1 to this; 0 for scenes without labels.
  virtual std::int64_t object_count() const { return 0; }
  /// Of what an object is a part, 0 when of none.
  virtual std::int64_t parent_of(std::int64_t) const { return 0; }
};

/// Throws InvalidArgument for options that the kind does not have, or has no room for.
std::unique_ptr<Scene> scene_of(const PhantomOptions& options);

/// A piece of tube between two balls, in pixels.
struct Tube {
  std::array<double, 3> from, to;
  double radius_from, radius_to;
};

/// Grows a tree from the middle of the lower edge (of the last row, in the middle slice) until it
/// is near every part of the image. A few thousand tubes whatever the size.
std::vector<Tube> grow_vessels(const Canvas& canvas);

/// Sets the tenths of the pixels of the band whose centre is in a tube.
void paint_tubes(const std::vector<Tube>& tubes, const Band& band, std::uint8_t* tenths);

/// Flower and disc; see PhantomKind.
std::unique_ptr<Scene> flower_scene(const PhantomOptions& options);

/// Blobs and rings. Throws InvalidArgument when there is no room for as many as are asked for.
std::unique_ptr<Scene> blob_scene(const PhantomOptions& options);

/// Blobs that move, in frames instead of slices. Throws InvalidArgument when there are no frames,
/// no room for as many blobs as are asked for, or more of them than labels.
std::unique_ptr<Scene> film_scene(const PhantomOptions& options);

}  // namespace meander::phantoms
