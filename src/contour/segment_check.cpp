// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/segment_check.hpp"

#include <algorithm>

#include "contour/grey_levels.hpp"
#include "contour/sample.hpp"
#include "contour/sum_levels.hpp"
#include "core/message.hpp"
#include "engine/backend.hpp"

namespace meander {
namespace contour {
namespace {

/// Grid coordinates stay below 2^29 in size, so that no product of two differences leaves 62 bits.
constexpr std::int64_t longest_side = std::int64_t{1} << 20;
constexpr std::int64_t farthest = std::int64_t{1} << 29;

void check_start(const Polygon& start) {
  if (start.vertices.size() < 3) {
    throw InvalidArgument(
        message("the start outline has ", start.vertices.size(), " nodes, expected at least 3"));
  }
  for (const GridPoint p : start.vertices) {
    if (std::max(std::abs(p.x), std::abs(p.y)) <= farthest) continue;
    throw InvalidArgument(message("the start outline has a node at ", p.x / grid_steps_per_pixel,
                                  ",", p.y / grid_steps_per_pixel, ", expected at most ",
                                  farthest / grid_steps_per_pixel, " pixels from the origin"));
  }
  if (!is_simple(start)) {
    throw InvalidArgument("the start outline crosses or touches itself, expected a simple polygon");
  }
}

void check_options(const SegmentOptions& options) {
  validate(options);
  const bool has_looks =
      options.noise == NoiseModel::gamma || options.noise == NoiseModel::automatic;
  if (options.looks && !has_looks) {
    throw InvalidArgument(message("looks goes with noise gamma, found ",
                                  OptionText<NoiseModel>::format(options.noise)));
  }
  if (options.max_step && options.schedule != SegmentSchedule::classic) {
    throw InvalidArgument("max-step goes with schedule classic, expected that or no max-step");
  }
}

}  // namespace

void check_segment(const Description& image, const SegmentOptions& options, const Device& device,
                   const SegmentInputs& inputs) {
  check_options(options);
  if (image.shape.rank() != 2 || image.channels != 1) {
    throw InvalidArgument(message("the image is ", to_string(image.shape), " with ", image.channels,
                                  " channels, expected a 2-D image of one channel"));
  }
  if (std::max(image.shape.x, image.shape.y) > longest_side) {
    throw InvalidArgument(message("the image is ", to_string(image.shape), ", expected at most ",
                                  longest_side, " pixels along a side"));
  }
  if (image.type == PixelType::f64 && !device.info().has_float64) {
    throw Unsupported(
        message("device ", device.name(), " has no 64-bit floats, which f64 images need"));
  }
  if (inputs.start) check_start(*inputs.start);
}

}  // namespace contour

std::int64_t estimate_bytes(const Description& image, const SegmentOptions& options,
                            const Device& device) {
  contour::check_segment(image, options, device, {});
  const Description grey{.shape = image.shape, .type = contour::grey_type(image.type)};
  const std::int64_t copy = grey.type == image.type ? 0 : padded_bytes(grey);
  // Nodes of a long outline with their eight places, two triangles each, on their way to a device
  // that does not share the host's memory; there is no end to what nodes there may be.
  constexpr std::int64_t batches = std::int64_t{1} << 22;
  const std::int64_t moved = device.backend().uses_host_memory() ? 0 : batches;
  return padded_bytes(image) + copy + contour::bytes_of(contour::plan_sums(image.shape, options)) +
         contour::sample_bytes(grey) + moved;
}

}  // namespace meander
