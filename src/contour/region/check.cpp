// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/region/check.hpp"

#include <algorithm>

#include "contour/likelihood/grey_levels.hpp"
#include "contour/likelihood/sample.hpp"
#include "contour/likelihood/sums.hpp"
#include "core/message.hpp"
#include "engine/backend.hpp"

namespace meander {
namespace contour {
namespace {

/// Grid coordinates stay below 2^29 in size, so that no product of two differences leaves 62 bits.
constexpr std::int64_t longest_side = std::int64_t{1} << 20;
constexpr std::int64_t farthest = std::int64_t{1} << 29;

void check_options(const SegmentOptions& options) {
  validate(options);
  const bool has_looks =
      options.noise == NoiseModel::gamma || options.noise == NoiseModel::automatic;
  if (options.looks && !has_looks) {
    throw InvalidArgument(message("looks goes with noise gamma, found ",
                                  OptionText<NoiseModel>::format(options.noise)),
                          {.option = "looks"});
  }
  if (options.max_step && options.schedule != SegmentSchedule::classic) {
    throw InvalidArgument("max-step goes with schedule classic, expected that or no max-step",
                          {.option = "max-step"});
  }
  if (options.shape == OutlineShape::curve && options.schedule == SegmentSchedule::classic) {
    throw InvalidArgument("schedule classic has polygons, expected no shape curve beside it",
                          {.option = "shape"});
  }
}

}  // namespace

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
        message("device ", device.name(), " has no 64-bit floats, which f64 images need"),
        {.device = device.name()});
  }
  if (inputs.start) check_start(*inputs.start);
}

}  // namespace contour

std::int64_t estimate_bytes(const Description& image, const SegmentOptions& options,
                            const Device& device) {
  contour::check_segment(image, options, device, {});
  const Description grey{.shape = image.shape, .type = contour::grey_type(image.type)};
  const std::int64_t copy = grey.type == image.type ? 0 : padded_bytes(grey);
  const std::int64_t sums = copy + contour::bytes_of(contour::plan_sums(image.shape, options));
  if (!device.backend().uses_host_memory()) {
    // Nodes of a long outline with their eight places, two triangles each, on their way to the
    // device; there is no end to what nodes there may be. Samples are the host's.
    constexpr std::int64_t batches = std::int64_t{1} << 22;
    return padded_bytes(image) + sums + batches;
  }
  const bool chooses = options.noise == NoiseModel::automatic ||
                       (options.noise == NoiseModel::gamma && !options.looks);
  const std::int64_t later = sums + (chooses ? contour::sample_bytes(grey) : 0);
  const std::int64_t before = copy > 0 ? contour::sample_bytes(image) : 0;  // Gone when sums come.
  return padded_bytes(image) + std::max(before, later);
}

Work estimate_work(const Description& image, const SegmentOptions& options) {
  Work work;
  work.upload_bytes = static_cast<double>(padded_bytes(image));
  work.download_bytes = work.upload_bytes;  // objects are found on the host
  work.needs_float64 = image.type == PixelType::f64;
  // The search on pixels from the start goes over them at every length of its moves.
  constexpr double passes_of_classic = 8;
  const double passes = options.schedule == SegmentSchedule::classic ? passes_of_classic : 1;
  work[WorkKind::outlines] = {.units = passes * static_cast<double>(image.numbers()),
                              .launches = 1};
  return work;
}

}  // namespace meander
