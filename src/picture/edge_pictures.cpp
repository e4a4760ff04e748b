// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>

#include "core/message.hpp"
#include "meander/error.hpp"
#include "meander/picture.hpp"
#include "picture/arrows.hpp"
#include "picture/concavity.hpp"
#include "picture/tiles.hpp"

namespace meander {
namespace {

using namespace pictures;

constexpr std::int64_t usual_side = 512;
constexpr std::int64_t longest_side = 2048;
/// Of the longer side of the image, what the arrows show.
constexpr std::int64_t part_with_arrows = 5;
constexpr std::int64_t least_part = 24;

void check(const Image& image, const EdgeStages& stages) {
  const auto fits = [&](const Image& stage) {
    return stage.empty() || stage.shape() == image.shape();
  };
  if (!stages.field.components().empty() && stages.field.components().shape() == image.shape() &&
      fits(stages.smoothed) && fits(stages.edges)) {
    return;
  }
  throw InvalidArgument(message("stages of another shape than the image's ",
                                to_string(image.shape()), " or without a field"));
}

Image grey(const Image& image) { return OutlineCanvas(image, longest_side).with({}); }

Image directions_of(const VectorPlane& flow) {
  Image picture = fitted(colour_picture(flow, Brightness::full), usual_side, longest_side);
  add_wheel(picture, Brightness::full);
  return picture;
}

/// The flow around the deepest concavity, on the edges that it comes from.
Tile arrow_tile(const Image& ground, const VectorPlane& flow, std::span<const Curve> outlines) {
  const auto whole = [](std::int64_t grid) {
    return (grid + grid_steps_per_pixel / 2) / grid_steps_per_pixel;
  };
  const GridPoint point = deepest_point(outlines);
  const std::int64_t side =
      std::max(least_part, std::max(flow.width(), flow.height()) / part_with_arrows);
  const Box box = box_around(flow, whole(point.x), whole(point.y), side);
  const Image part = part_of(grey_picture(ground), box);
  return {as_tile(with_arrows(part, part_of(flow, box), {.unit_length = true}), usual_side),
          name_of_part(box)};
}

}  // namespace

EdgePictures edge_pictures(const Image& image, const EdgeStages& stages,
                           std::span<const Curve> starts, std::span<const Curve> outlines) {
  check(image, stages);
  const VectorPlane flow = plane_of(stages.field);
  EdgePictures made{.flow = directions_of(flow),
                    .outline = OutlineCanvas(image, longest_side).with(outlines, starts)};
  std::vector<Tile> above{{as_tile(grey(image), usual_side), "image"}};
  if (!stages.smoothed.empty()) {
    made.smoothed = grey(stages.smoothed);
    above.push_back({as_tile(made.smoothed, usual_side), "smoothed"});
  }
  if (!stages.edges.empty()) {
    made.edges = grey(stages.edges);
    above.push_back({as_tile(made.edges, usual_side), "edges"});
  }
  made.figure =
      contact_sheet({above,
                     {{colour_tile(flow, Brightness::full, usual_side), "flow, V/|V|"},
                      arrow_tile(stages.edges.empty() ? image : stages.edges, flow, outlines),
                      {as_tile(made.outline, usual_side), "outline"}}},
                    usual_side);
  return made;
}

}  // namespace meander
