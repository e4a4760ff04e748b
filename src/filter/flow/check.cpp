// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/flow/check.hpp"

#include <algorithm>
#include <limits>

#include "core/image_state.hpp"
#include "core/message.hpp"
#include "filter/check.hpp"

namespace meander {
namespace {

void check_solver(const FlowOptions& options) {
  const bool is_multigrid = options.solver == FlowSolver::multigrid;
  if (options.generalised && !is_multigrid) {
    throw InvalidArgument("generalised goes with solver multigrid, expected that or no generalised",
                          {.option = "generalised"});
  }
  if (options.iterations && is_multigrid) {
    throw InvalidArgument(
        "iterations goes with the solvers explicit and fed, expected one of them or no iterations",
        {.option = "iterations"});
  }
  if (options.storage != FlowStorage::f32 && options.solver != FlowSolver::explicit_steps) {
    throw InvalidArgument(message("storage ", OptionText<FlowStorage>::format(options.storage),
                                  " goes with solver explicit, found ",
                                  OptionText<FlowSolver>::format(options.solver)));
  }
}

void check_companion(const Description& input, const Device& device, const Image& image,
                     int channels, const char* name) {
  if (!(image.device() == device)) {
    throw InvalidArgument(message("the ", name, " is on ", image.device().name(),
                                  ", expected it on ", device.name(), " with the input"));
  }
  if (image.shape() == input.shape && image.channels() == channels) return;
  throw InvalidArgument(message("the ", name, " is ", to_string(image.shape()), " with ",
                                image.channels(), " channels, expected ", to_string(input.shape),
                                " with ", channels));
}

}  // namespace

void check_flow(const Description& input, bool is_field, const FlowOptions& options,
                const Device& device) {
  validate(options);
  const int channels = is_field ? input.shape.rank() : 1;
  if (input.channels != channels) {
    throw InvalidArgument(message("the ", is_field ? "field" : "image", " has ", input.channels,
                                  " channels, expected ", channels,
                                  is_field ? ", one for each axis" : ""));
  }
  if (is_field && options.sigma) {
    throw InvalidArgument("sigma is for the gradient of an image, expected none with a field",
                          {.option = "sigma"});
  }
  check_solver(options);
  const PixelType arithmetic = flow_arithmetic(input.type, options);
  check_device(arithmetic, device);
  if (arithmetic == PixelType::f64 && options.storage != FlowStorage::f32) {
    throw InvalidArgument(message("storage ", OptionText<FlowStorage>::format(options.storage),
                                  " goes with float precision, found double"));
  }
}

engine::Sums check_numbers(const Image& image, const char* name, double largest_held) {
  engine::Backend& backend = *image.state().backend;
  const engine::Sums sums = backend.reduced(image.state().view, engine::Wanted::range);
  if (sums.nonfinite > 0) {
    throw InvalidArgument(message("the ", name, " holds ", sums.nonfinite,
                                  " numbers that are not finite, expected none"));
  }
  const double largest = std::max(-sums.min, sums.max);
  if (largest <= largest_held) return sums;
  throw InvalidArgument(message("the ", name, " reaches ", largest, ", expected at most ",
                                largest_held, ", which the storage holds"));
}

double largest_held(const FlowOptions& options) {
  switch (options.storage) {
    case FlowStorage::f32:
      return std::numeric_limits<double>::infinity();
    case FlowStorage::f16:
      return highest_of(PixelType::f16);
    case FlowStorage::snorm16:
      return 1;
  }
  throw LogicError("storage out of its enumeration");
}

void check_mask_goes_with(const FlowOptions& options) {
  if (options.solver == FlowSolver::multigrid) return;
  throw InvalidArgument("a mask goes with solver multigrid, expected that or no mask");
}

void check_inputs(const Description& input, const Device& device, const FlowOptions& options,
                  const FlowInputs& inputs) {
  if (!inputs.mask.empty()) {
    check_companion(input, device, inputs.mask, 1, "mask");
    check_mask_goes_with(options);
    check_numbers(inputs.mask, "mask", std::numeric_limits<double>::infinity());
  }
  const Image& start = inputs.start.components();
  if (start.empty()) return;
  check_companion(input, device, start, input.shape.rank(), "start");
  check_numbers(start, "start", largest_held(options));
}

PixelType flow_arithmetic(PixelType input, const FlowOptions& options) {
  const bool is_double = input == PixelType::f64 || options.precision == Precision::float64;
  return is_double ? PixelType::f64 : PixelType::f32;
}

PixelType flow_storage(PixelType arithmetic, const FlowOptions& options) {
  switch (options.storage) {
    case FlowStorage::f32:
      return arithmetic;
    case FlowStorage::f16:
      return PixelType::f16;
    case FlowStorage::snorm16:
      return PixelType::i16;
  }
  throw LogicError("storage out of its enumeration");
}

Border flow_border(const FlowOptions& options) {
  return options.border == FlowBorder::clamp ? Border::clamp : Border::mirror;
}

std::int64_t flow_iterations(const Shape& shape, const FlowOptions& options) {
  return options.iterations.value_or(std::max({shape.x, shape.y, shape.z}));
}

}  // namespace meander
