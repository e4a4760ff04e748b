// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>

#include "core/control_part.hpp"
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

Image grey(const Image& image, const Control& stop) {
  return OutlineCanvas(image, longest_side, {}, stop).with({}, stop);
}

Image directions_of(const VectorPlane& flow, const Control& stop) {
  Image picture =
      fitted(colour_picture(flow, Brightness::full, stop), usual_side, longest_side, stop);
  add_wheel(picture, Brightness::full);
  return picture;
}

/// The flow around the deepest concavity, on the edges that it comes from.
Tile arrow_tile(const Image& ground, const VectorPlane& flow, std::span<const Curve> outlines,
                const Control& stop) {
  const auto whole = [](std::int64_t grid) {
    return (grid + grid_steps_per_pixel / 2) / grid_steps_per_pixel;
  };
  const GridPoint point = deepest_point(outlines);
  const std::int64_t side =
      std::max(least_part, std::max(flow.width(), flow.height()) / part_with_arrows);
  const Box box = box_around(flow, whole(point.x), whole(point.y), side);
  const Image part = part_of(grey_picture(ground, stop), box);
  return {
      as_tile(with_arrows(part, part_of(flow, box), {.unit_length = true}, stop), usual_side, stop),
      name_of_part(box)};
}

}  // namespace

EdgePictures edge_pictures(const Image& image, const EdgeStages& stages,
                           std::span<const Curve> starts, std::span<const Curve> outlines,
                           const Control& control) {
  check(image, stages);
  control.step(0);
  const Control stop{.stop = control.stop, .progress = {}};
  const auto tile = [&](const Image& picture) { return as_tile(picture, usual_side, stop); };
  const VectorPlane flow = plane_of(stages.field, stop);
  control.step(0.2);
  EdgePictures made{
      .flow = directions_of(flow, stop),
      .outline = OutlineCanvas(image, longest_side, {}, stop).with(outlines, starts, stop)};
  control.step(0.5);
  std::vector<Tile> above{{tile(grey(image, stop)), "image"}};
  if (!stages.smoothed.empty()) {
    made.smoothed = grey(stages.smoothed, stop);
    above.push_back({tile(made.smoothed), "smoothed"});
  }
  if (!stages.edges.empty()) {
    made.edges = grey(stages.edges, stop);
    above.push_back({tile(made.edges), "edges"});
  }
  control.step(0.8);
  made.figure =
      contact_sheet({above,
                     {{colour_tile(flow, Brightness::full, usual_side, stop), "flow, V/|V|"},
                      arrow_tile(stages.edges.empty() ? image : stages.edges, flow, outlines, stop),
                      {tile(made.outline), "outline"}}},
                    usual_side, part_of(control, 0.9, 1));
  return made;
}

}  // namespace meander
