// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "meander/convert.hpp"

namespace meander::app {

/// Values that an image could not keep on its way into OUT.
struct ValueLosses {
  std::int64_t values = 0;  ///< Numbers that were written.
  std::int64_t saturated = 0;
  std::int64_t zeroed = 0;      ///< NaN of the input that an integer type has as 0.
  std::int64_t not_finite = 0;  ///< NaN and infinities that a result holds.
  PixelType type = PixelType::f32;
  std::string keeping = {};  ///< What would keep all of them.
  std::string advice = {};   ///< The same of those that saturated; empty: they are no news.

  void add(const ValueLosses& part);
  /// A line for each kind that is worth one: more than one value in 1000 saturated, or any was
  /// or became NaN. `in` is the name of the image.
  std::vector<std::string> warnings(const std::string& in) const;
};

/// None so far, of an image of this type that is written to `path`.
ValueLosses no_losses(PixelType type, const std::string& path);
/// Of one image that is to be converted so and written to `path`.
ValueLosses losses_of(const Image& image, const ConvertOptions& options, const std::string& path);

}  // namespace meander::app
