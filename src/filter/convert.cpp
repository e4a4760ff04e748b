// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/convert.hpp"

#include <algorithm>
#include <cmath>

#include "core/image_state.hpp"
#include "core/message.hpp"
#include "core/parallel_for.hpp"
#include "meander/device.hpp"
#include "meander/statistics.hpp"

namespace meander {
namespace {

engine::Affine map_of(const std::array<double, 2>& window, PixelType type) {
  const auto [low, high] = window;
  if (!std::isfinite(low) || !std::isfinite(high) || !(high > low)) {
    throw InvalidArgument(
        message("window is ", low, ",", high, ", expected two finite numbers, the first smaller"),
        {.option = "window"});
  }
  const double first = is_integer(type) ? lowest_of(type) : 0;
  const double last = is_integer(type) ? highest_of(type) : 1;
  const engine::Affine map{.scale = (last - first) / (high - low),
                           .offset = first - low * ((last - first) / (high - low))};
  if (!std::isnormal(map.scale) || !std::isfinite(map.offset)) {
    throw InvalidArgument(
        message("window is ", low, ",", high, ", too wide or too narrow for ", name_of(type)),
        {.option = "window"});
  }
  return map;
}

Description converted(Description description, const ConvertOptions& options) {
  description.type = options.type.value_or(description.type);
  return description;
}

/// How many numbers of a host image are so.
template <class Predicate>
std::int64_t count_numbers(const Image& image, const Control& control, const Predicate& is_so) {
  std::int64_t count = 0;
  visit(image.type(), [&]<class T>(std::type_identity<T>) {
    for (int c = 0; c < image.channels(); ++c) {
      for (std::int64_t z = 0; z < image.shape().z; ++z) {
        for (std::int64_t y = 0; y < image.shape().y; ++y) {
          if (control.stop.stop_requested()) throw Cancelled("stopped on request");
          const T* row = image.row<T>(y, z, c);
          count += std::count_if(row, row + image.shape().x,
                                 [&](T pixel) { return is_so(to_double(pixel)); });
        }
      }
    }
  });
  return count;
}

}  // namespace

std::int64_t count_saturated(const Image& image, const ConvertOptions& options,
                             const Control& control) {
  const StopScope scope(control.stop);
  const PixelType type = options.type.value_or(image.type());
  if (!is_integer(type)) return 0;
  const engine::Affine map = options.window ? map_of(*options.window, type) : engine::Affine{};
  // Ties to even take the lowest value's neighbour half a step below it back to it, and the one
  // half a step above the highest beyond it, for lowest values are even and highest ones odd.
  const std::array<double, 2> limits{lowest_of(type) - 0.5, highest_of(type) + 0.5};
  engine::Backend& backend = *image.state().backend;
  const engine::Sums sums = backend.reduced(image.state().view, engine::Wanted::range);
  const bool fits = sums.nonfinite == 0 && sums.min * map.scale + map.offset >= limits[0] &&
                    sums.max * map.scale + map.offset < limits[1];
  if (fits) return 0;
  return count_numbers(image.download(control), control, [&](double number) {
    const double value = number * map.scale + map.offset;
    return value < limits[0] || value >= limits[1];
  });
}

std::int64_t count_nan(const Image& image, const Control& control) {
  if (is_integer(image.type()) || statistics(image, control).nonfinite == 0) return 0;
  return count_numbers(image.download(control), control,
                       [](double number) { return std::isnan(number); });
}

std::int64_t estimate_bytes(const Description& image, const ConvertOptions& options) {
  return padded_bytes(image) + padded_bytes(converted(image, options));
}

Image convert(const Image& image, const ConvertOptions& options, const Control& control) {
  validate(options);
  control.step(0);
  const Description description = converted(image.description(), options);
  const engine::Affine map =
      options.window ? map_of(*options.window, description.type) : engine::Affine{};
  const Device device = image.device();
  const bool wide = image.type() == PixelType::f64 || description.type == PixelType::f64;
  if (wide && !device.info().has_float64) {
    throw Unsupported(
        message("device ", device.name(), " has no 64-bit floats, which f64 images need"),
        {.device = device.name()});
  }
  Image out = device.allocate(description);
  const StopScope scope(control.stop);
  device.backend().convert(image.state().view, out.state().view, map);
  control.step(1);
  return out;
}

}  // namespace meander
