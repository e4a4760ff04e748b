// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "core/control_part.hpp"
#include "core/message.hpp"
#include "meander/error.hpp"
#include "picture/arrows.hpp"
#include "picture/tiles.hpp"

namespace meander {
namespace {

using namespace pictures;

constexpr std::int64_t part_side = 24;

void check(const Image& image, const Shape& before, const Shape& after) {
  const bool fits =
      before == after && (image.empty() || (image.channels() == 1 && image.shape() == before));
  if (fits) return;
  const std::string shown = image.empty() ? std::string("no image")
                                          : message("an image of ", to_string(image.shape()),
                                                    " with ", image.channels(), " channels");
  throw InvalidArgument(message("a picture of a flow from ", shown, ", a field of ",
                                to_string(before), " before and one of ", to_string(after),
                                " after, expected one channel and one shape"));
}

Box box_around_longest(const VectorPlane& plane) {
  const auto [x, y] = longest_vector(plane);
  return box_around(plane, x, y, part_side);
}

}  // namespace

Image flow_picture(const Image& image, const Field& before, const Field& after,
                   const Control& control) {
  check(image, before.components().shape(), after.components().shape());
  control.step(0);
  const Control stop{.stop = control.stop, .progress = {}};
  const VectorPlane first = plane_of(before, stop), last = plane_of(after, stop);
  control.step(0.3);
  const Image lengths = length_picture(first, stop);
  const Image ground = image.empty() ? lengths : grey_picture(image, stop);
  const Box box = box_around_longest(first);
  const Image part = part_of(ground, box);
  const std::int64_t zoom = arrow_grid(box.width, box.height, {}).zoom;
  control.step(0.5);
  const auto tile = [&](const Image& picture) { return as_tile(picture, tile_side, stop); };
  const auto colours = [&](Brightness brightness) {
    return colour_tile(last, brightness, tile_side, stop);
  };
  return contact_sheet({{{tile(ground), image.empty() ? "|V0|, root" : "image"},
                         {tile(lengths), "|V0|, root"},
                         {tile(length_picture(last, stop)), "|V|, root"},
                         {colours(Brightness::full), "V/|V|"}},
                        {{enlarged(part, zoom), name_of_part(box)},
                         {with_arrows(part, part_of(first, box), {}), "V0 there"},
                         {with_arrows(part, part_of(last, box), {}), "V there"},
                         {colours(Brightness::by_length), "V, root of |V|"}}},
                       tile_side, part_of(control, 0.9, 1));
}

}  // namespace meander
