// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/edge_check.hpp"

#include "contour/segment_check.hpp"
#include "core/message.hpp"

namespace meander::contour {
namespace {

void check_curve(const Curve& start, const SnakeOptions& options) {
  if (start.is_open != options.open.has_value()) {
    throw InvalidArgument(start.is_open
                              ? "the start is an open curve, expected the option open"
                              : "the option open is for open curves, found a closed start");
  }
  if (!start.is_open) return check_start(Polygon{start.points});
  if (start.points.size() < 2 || start.length() <= 0) {
    throw InvalidArgument("the start curve has no length, expected two points or more");
  }
}

}  // namespace

void check_snakes(const Field& force, const std::vector<Curve>& starts,
                  const SnakeOptions& options) {
  validate(options);
  const Image& components = force.components();
  if (components.shape().rank() != 2 || components.channels() != 2 ||
      components.type() != PixelType::f32) {
    throw InvalidArgument(message("the field is ", to_string(components.shape()), " with ",
                                  components.channels(),
                                  " components, expected a 2-D field of f32 numbers"));
  }
  for (const Curve& start : starts) check_curve(start, options);
}

void check_edges(const Image& image, const EdgeOptions& options, const EdgeInputs& inputs) {
  validate(options);
  check_segment(image.description(), {}, image.device(), {});
  for (const Curve& start : inputs.starts) check_curve(start, options);
  if (inputs.starts.empty() && options.open) {
    throw InvalidArgument("open curves need a start");
  }
}

}  // namespace meander::contour
