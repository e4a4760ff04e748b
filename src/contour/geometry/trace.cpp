// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/geometry/trace.hpp"

#include <algorithm>

#include "core/message.hpp"

namespace meander {

void contour::check_mask(const Image& mask) {
  const Shape& shape = mask.shape();
  if (shape.z != 1 || mask.channels() != 1) {
    throw InvalidArgument(message("a mask of ", to_string(shape), " with ", mask.channels(),
                                  " channels was given, expected a 2-D image of one channel"));
  }
  if (std::max(shape.x, shape.y) > largest_coordinate) {
    throw InvalidArgument(message("a mask of ", to_string(shape),
                                  " was given, expected sides of at most ", largest_coordinate));
  }
}

Polygon outline_of_mask(const Image& mask, const Control& control) {
  contour::check_mask(mask);
  return visit(mask.type(), [&]<class T>(std::type_identity<T>) {
    const contour::Tracer<T, contour::IsSet> tracer(mask, control);
    contour::LargestPart largest;
    tracer.for_each_row(1, [&](const auto& runs) { largest.add_row(runs); });
    const auto part = largest.finish();
    if (!part) throw InvalidArgument("every pixel of the mask is 0, expected a part that is not");
    // The line comes to the upper side of the first pixel from the left one and turns there.
    Polygon outline = tracer.walk({{part->x, part->y}, contour::up}, 1, [](const auto&) {});
    control.step(1);
    return outline;
  });
}

}  // namespace meander
