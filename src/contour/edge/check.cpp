// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/edge/check.hpp"

#include <algorithm>

#include "contour/edge/map.hpp"
#include "contour/region/check.hpp"
#include "core/message.hpp"

namespace meander::contour {
namespace {

/// Eight points at least, or a few of them would stand for the whole curve.
constexpr double least_spacings = 8;

void check_curve(const Curve& start, const SnakeOptions& options) {
  if (start.is_open != options.open.has_value()) {
    throw InvalidArgument(start.is_open
                              ? "the start is an open curve, expected the option open"
                              : "the option open is for open curves, found a closed start",
                          {.option = "open"});
  }
  if (!start.is_open) check_start(Polygon{start.points});
}

}  // namespace

void check_lengths(const std::vector<Curve>& starts, const SnakeOptions& options) {
  validate(options);
  const double least = least_spacings * options.point_spacing;
  for (const Curve& start : starts) {
    const double length = start.length();
    if (length >= least) continue;
    throw InvalidArgument(message("the start curve is ", length, " pixels long, expected at least ",
                                  least, ": eight points ", options.point_spacing, " apart"));
  }
}

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

namespace {

void check_field(const Image& image, const Image& field) {
  if (field.shape() != image.shape() || field.channels() != 2) {
    throw InvalidArgument(message("the field is ", to_string(field.shape()), " with ",
                                  field.channels(), " components, expected ",
                                  to_string(image.shape()), " with 2"));
  }
  if (field.device() != image.device()) {
    throw InvalidArgument("the field is on another device than the image");
  }
}

}  // namespace

void check_edges(const Image& image, const EdgeOptions& options, const EdgeInputs& inputs) {
  validate(options);
  check_segment(image.description(), {}, image.device(), {});
  for (const Field& field : {inputs.field, inputs.flow_start}) {
    if (!field.components().empty()) check_field(image, field.components());
  }
  for (const Curve& start : inputs.starts) check_curve(start, options.snake);
  if (inputs.starts.empty() && options.snake.open) {
    throw InvalidArgument("open curves need a start");
  }
}

}  // namespace meander::contour

namespace meander {
namespace {

std::int64_t bytes_of(const Shape& shape, PixelType type, int channels = 1) {
  return padded_bytes({.shape = shape, .channels = channels, .type = type});
}

/// The scales that may be tried need different methods.
std::int64_t bytes_to_smooth(const Description& image, const EdgeOptions& options,
                             const Device& device) {
  if (options.sigma)
    return estimate_bytes(image, contour::gradient_options(*options.sigma), device);
  return std::max(estimate_bytes(image, contour::gradient_options(contour::smallest_sigma), device),
                  estimate_bytes(image, contour::gradient_options(contour::largest_sigma), device));
}

}  // namespace

std::int64_t estimate_bytes(const Description& image, const EdgeOptions& options,
                            const Device& device, const EdgeExtras& extras) {
  contour::check_segment(image, {}, device, {});
  validate(options);
  const Shape& shape = image.shape;
  const Description edges{.shape = shape, .type = PixelType::u16};
  const std::int64_t pixels = padded_bytes(image), map = padded_bytes(edges);
  const std::int64_t number = bytes_of(shape, PixelType::f32);
  const std::int64_t field = bytes_of(shape, PixelType::f32, 2);
  const std::int64_t before = extras.has_flow_start ? field : 0;
  const std::int64_t smoothing =
      before + std::max(bytes_to_smooth(image, options, device), pixels + number + map);
  const std::int64_t flowing = pixels + estimate_bytes(edges, FlowOptions{.mu = options.mu}, device,
                                                       {.start = extras.has_flow_start});
  const std::int64_t forces = before + pixels + map + number + 2 * field;
  const std::int64_t starting =
      before + 2 * field + map +
      estimate_bytes(image, SegmentOptions{.noise = NoiseModel::gaussian}, device);
  const std::int64_t staging =
      extras.keeps_stages ? before + 2 * field + map + bytes_to_smooth(image, options, device) : 0;
  return std::max({smoothing, flowing, forces, starting, staging});
}

Work estimate_work(const Description& image, const EdgeOptions& options) {
  // Of the scales from 1 to 8 pixels few are tried.
  constexpr double scales = 3;
  Work smoothing = estimate_work(
      image, contour::gradient_options(options.sigma.value_or(contour::smallest_sigma)));
  if (!options.sigma) smoothing *= scales;
  const Description edges{.shape = image.shape, .type = PixelType::u16};
  Work all = estimate_work(edges, FlowOptions{.mu = options.mu,
                                              .tolerance = options.tolerance,
                                              .max_cycles = options.max_cycles});
  all += smoothing;
  // Only curves leave the device.
  all.upload_bytes = static_cast<double>(padded_bytes(image));
  all.download_bytes = 0;
  all[WorkKind::outlines] = {.units = static_cast<double>(image.numbers()), .launches = 1};
  return all;
}

}  // namespace meander
