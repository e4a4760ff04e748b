// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/smooth/design.hpp"

#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "engine/view_lines.hpp"
#include "filter/check.hpp"

namespace meander {
namespace {

/// An average over few pixels divides by small weights, which must not be error themselves.
constexpr double bound_of_averages = 1e-5;
constexpr char names_of_axes[] = {'x', 'y', 'z'};

std::array<double, 3> spacing_of(const Description& image) {
  return {image.spacing.x, image.spacing.y, image.spacing.z};
}

/// A single row has one axis, an image two, a volume three.
std::size_t axes_of(const Shape& shape) { return shape.z > 1 ? 3 : shape.y > 1 ? 2 : 1; }

std::array<double, 3> sigma_in_pixels(const Description& image, const Scale& scale) {
  std::array<double, 3> sigma = scale.value;
  for (std::size_t axis = axes_of(image.shape); axis < 3; ++axis) sigma[axis] = 0;
  if (scale.unit == Unit::pixel) return sigma;
  if (image.spacing.unit == Unit::pixel) {
    throw InvalidArgument(message("sigma is given in ", name_of(scale.unit),
                                  ", but the image's spacing has no unit; expected pixels"),
                          {.option = "sigma"});
  }
  const double ratio = metres_per(scale.unit) / metres_per(image.spacing.unit);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    sigma[axis] *= ratio / spacing_of(image)[axis];
    if (!(sigma[axis] <= largest_sigma)) {
      throw InvalidArgument(message("sigma is ", sigma[axis], " pixels along ", names_of_axes[axis],
                                    ", expected at most ", largest_sigma),
                            {.option = "sigma"});
    }
  }
  return sigma;
}

/// One derivative for each axis.
std::vector<std::array<int, 3>> pure_derivatives(std::size_t axes, int order) {
  std::vector<std::array<int, 3>> all(axes);
  for (std::size_t axis = 0; axis < all.size(); ++axis) all[axis][axis] = order;
  return all;
}

std::vector<std::array<int, 3>> second_derivatives(std::size_t axes) {
  std::vector<std::array<int, 3>> all;
  for (std::size_t a = 0; a < axes; ++a) {
    for (std::size_t b = a; b < axes; ++b) {
      std::array<int, 3> orders{};
      ++orders[a];
      ++orders[b];
      all.push_back(orders);
    }
  }
  return all;
}

std::vector<std::array<int, 3>> components_of(std::size_t axes, const SmoothOptions& options) {
  std::array<int, 3> order = options.order;
  for (std::size_t axis = axes; axis < 3; ++axis) order[axis] = 0;
  switch (options.output) {
    case SmoothOutput::image:
      return {order};
    case SmoothOutput::gradient:
    case SmoothOutput::magnitude:
      return pure_derivatives(axes, 1);
    case SmoothOutput::hessian:
      return second_derivatives(axes);
    case SmoothOutput::laplacian:
      return pure_derivatives(axes, 2);
  }
  throw LogicError("an output outside its enumeration");
}

void check_orders(const SmoothDesign& design, const SmoothOptions& options) {
  if (options.output != SmoothOutput::image && options.order != std::array<int, 3>{}) {
    throw InvalidArgument(
        message("order is ", OptionText<std::array<int, 3>>::format(options.order), " with output ",
                OptionText<SmoothOutput>::format(options.output),
                ", which sets the orders itself; expected 0"),
        {.option = "order"});
  }
  for (const auto& orders : design.components) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (orders[axis] == 0 || design.sigma[axis] > 0) continue;
      throw InvalidArgument(
          message("sigma is 0 along ", names_of_axes[axis],
                  ", expected more than 0 for a derivative of order ", orders[axis]),
          {.option = "sigma"});
    }
  }
}

/// Multiplies what the filter of a derivative answers: both passes of a sum do, and cascades make
/// no derivatives.
void scale(GaussFilter& filter, double factor) {
  for (double& weight : filter.weights) weight *= factor;
  for (double& weight : filter.recurrence.backward) weight *= factor;
  for (double& weight : filter.recurrence.forward) weight *= factor;
}

GaussFilter design_filter(const SmoothDesign& design, const SmoothOptions& options, int axis,
                          int order) {
  const auto place = static_cast<std::size_t>(axis);
  GaussFilter filter = gauss_design(
      {.method = options.method,
       .sigma = design.sigma[place],
       .order = order,
       .error_bound = design.normalised ? std::min(options.error_bound, bound_of_averages)
                                        : options.error_bound,
       .precision = design.output.type == PixelType::f64 ? Precision::float64 : Precision::float32,
       .length = length_along(design.input.shape, axis),
       .border = options.border});
  scale(filter, std::pow(spacing_of(design.input)[place], -order));
  return filter;
}

void group_components(SmoothDesign& design) {
  const int first = design.axes.empty() ? 0 : design.axes[0];
  std::array<std::vector<int>, 3> by_order;
  for (int k = 0; k < static_cast<int>(design.components.size()); ++k) {
    by_order[static_cast<std::size_t>(design.order(k, first))].push_back(k);
  }
  for (auto& group : by_order) {
    if (!group.empty()) design.groups.push_back(std::move(group));
  }
  // The group of the first component first: it is what the others are folded into.
  std::ranges::sort(design.groups, {}, [](const auto& group) { return group[0]; });
}

Description output_of(const SmoothDesign& design, const SmoothOptions& options) {
  Description output = design.input;
  const bool wide = options.precision == Precision::float64 || output.type == PixelType::f64;
  output.type = wide ? PixelType::f64 : PixelType::f32;
  if (!design.fold) output.channels *= static_cast<int>(design.components.size());
  return output;
}

}  // namespace

std::int64_t length_along(const Shape& shape, int axis) {
  return engine::length_along(shape, static_cast<engine::Axis>(axis));
}

namespace {

/// Whether the result is a quotient of two smoothed images: with a mask, or when NaN are ignored
/// that the pixels can hold.
bool is_normalised(const Description& image, const SmoothOptions& options, bool with_mask) {
  const bool ignores = options.nonfinite == Nonfinite::ignore;
  if ((with_mask || ignores) &&
      (options.output != SmoothOutput::image || options.order != std::array<int, 3>{})) {
    throw InvalidArgument(message(
        with_mask ? "a mask" : "nonfinite=ignore",
        " asks for an average over part of the pixels, which derivatives are not; expected output "
        "image and order 0"));
  }
  return with_mask || (ignores && !is_integer(image.type));
}

}  // namespace

double least_weight(const SmoothDesign& design) {
  double error = 0;
  for (const int axis : design.axes) error += design.filter(axis, 0).error;
  const double weight = std::clamp(100 * error, 0x1p-20, 0x1p-3);
  return std::exp2(std::ceil(std::log2(weight)));
}

SmoothDesign design_smooth(const Description& image, const SmoothOptions& options, bool with_mask) {
  validate(options);
  image.numbers();  // refuses empty images
  SmoothDesign design{.input = image};
  design.normalised = is_normalised(image, options, with_mask);
  design.sigma = sigma_in_pixels(image, options.sigma);
  design.components = components_of(axes_of(image.shape), options);
  check_orders(design, options);
  if (options.output == SmoothOutput::magnitude) design.fold = engine::Pointwise::norm;
  if (options.output == SmoothOutput::laplacian) design.fold = engine::Pointwise::sum;
  design.output = output_of(design, options);
  for (const int axis : {2, 1, 0}) {
    if (design.sigma[static_cast<std::size_t>(axis)] > 0) design.axes.push_back(axis);
  }
  for (int k = 0; k < static_cast<int>(design.components.size()); ++k) {
    for (const int axis : design.axes) {
      const int order = design.order(k, axis);
      auto& filter =
          design.filters[static_cast<std::size_t>(axis)][static_cast<std::size_t>(order)];
      if (!filter) filter = design_filter(design, options, axis, order);
    }
  }
  group_components(design);
  return design;
}

SmoothPlan plan_smooth(const Description& image, const SmoothOptions& options,
                       const Description* mask) {
  if (mask != nullptr) check_mask(image, *mask);
  const SmoothDesign design = design_smooth(image, options, mask != nullptr);
  SmoothPlan plan{.components = {}, .output = design.output};
  for (int k = 0; k < static_cast<int>(design.components.size()); ++k) {
    auto& axes = plan.components.emplace_back();
    for (const int axis : design.axes) {
      const GaussFilter& filter = design.filter(axis, design.order(k, axis));
      axes[static_cast<std::size_t>(axis)] = {.sigma = design.sigma[static_cast<std::size_t>(axis)],
                                              .order = design.order(k, axis),
                                              .method = filter.method,
                                              .error = filter.error};
    }
  }
  return plan;
}

}  // namespace meander
