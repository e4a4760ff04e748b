// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/likelihood/grey_levels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "contour/likelihood/sample.hpp"
#include "core/image_state.hpp"
#include "core/message.hpp"
#include "core/quantile.hpp"
#include "meander/convert.hpp"
#include "meander/statistics.hpp"

namespace meander::contour {
namespace {

constexpr double most_number = 65535;

bool needs_zero(NoiseModel noise) {
  return noise == NoiseModel::gamma || noise == NoiseModel::poisson ||
         noise == NoiseModel::rayleigh;
}

void check_values(const Statistics& found, const SegmentOptions& options) {
  if (found.nonfinite > 0) {
    throw InvalidArgument(
        message("the image has ", found.nonfinite, " values that are not finite, expected none"));
  }
  if (needs_zero(options.noise) && found.min < 0) {
    throw InvalidArgument(message("the image has values down to ", found.min,
                                  ", expected none below 0 with noise ",
                                  OptionText<NoiseModel>::format(options.noise)));
  }
}

std::vector<double> sampled_values(const Image& image) {
  const Sample sample = sample_rows(*image.state().backend, image.state().view);
  std::vector<double> values;
  const Shape& shape = sample.rows.shape();
  values.reserve(static_cast<std::size_t>(shape.x * shape.y));
  visit(sample.rows.type(), [&]<class T>(std::type_identity<T>) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      const T* row = sample.rows.row<T>(y);
      for (std::int64_t x = 0; x < shape.x; ++x) values.push_back(to_double(row[x]));
    }
  });
  return values;
}

bool may_be_counts(const std::vector<double>& values, const Statistics& found) {
  return found.min >= 0 && found.max <= most_number &&
         std::all_of(values.begin(), values.end(), [](double v) { return v == std::floor(v); });
}

/// Whether rounding has changed no value, as far as the sums over all of them tell: the sample may
/// have missed fractions. Sums of whole numbers are exact, and those of squares nearly so.
bool are_equal(const Statistics& rounded, const Statistics& found) {
  constexpr double rounding = 1e-12;
  return rounded.sum == found.sum &&
         std::abs(rounded.norm2 - found.norm2) <= rounding * found.norm2;
}

/// What the 16 bits are to hold. A thousandth of the values on either side tells how far the image
/// reaches; four times that far beyond it, only strays are left.
std::array<double, 2> window_of(std::vector<double>& values, const Statistics& found,
                                NoiseModel noise) {
  const double first = quantile(values, 0.001), last = quantile(values, 0.999);
  double low = found.min, high = found.max;
  if (last > first) {
    low = std::max(low, first - 4 * (last - first));
    high = std::min(high, last + 4 * (last - first));
  }
  // Families of positive values may be looked at unless that would leave few levels to the image.
  const bool may_need_zero = noise == NoiseModel::automatic && low >= 0 && high - low > high / 64;
  if (needs_zero(noise) || may_need_zero) low = 0;
  return {low, high > low ? high : low + 1};
}

}  // namespace

PixelType grey_type(PixelType type) {
  return type == PixelType::u8 || type == PixelType::i16 ? type : PixelType::u16;
}

GreyLevels grey_levels(const Image& image, const SegmentOptions& options, const Control& control) {
  const Control stop{.stop = control.stop, .progress = {}};
  const bool is_unsigned = image.type() == PixelType::u8 || image.type() == PixelType::u16;
  if (is_unsigned) return {image, {}};
  if (image.type() == PixelType::i16) {
    if (needs_zero(options.noise)) check_values(statistics(image, stop), options);
    return {image, {.zero = 32768, .scale = 1, .offset = -32768}};
  }
  const Statistics found = statistics(image, stop);
  check_values(found, options);
  std::vector<double> values = sampled_values(image);
  if (may_be_counts(values, found)) {
    const Image rounded = convert(image, {.type = PixelType::u16}, stop);
    if (are_equal(statistics(rounded, stop), found)) return {rounded, {}};
  }
  const auto window = window_of(values, found, options.noise);
  return {convert(image, {.type = PixelType::u16, .window = window}, stop),
          {.scale = (window[1] - window[0]) / most_number, .offset = window[0]}};
}

}  // namespace meander::contour
