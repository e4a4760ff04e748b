// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "meander/options.hpp"

namespace meander {

/// Arithmetic and intermediate images. Images of f64 are always worked on in float64.
enum class Precision : std::uint8_t { float32, float64 };
template <>
struct ChoiceNames<Precision> {
  static constexpr std::pair<Precision, std::string_view> values[] = {
      {Precision::float32, "float"}, {Precision::float64, "double"}};
};

}  // namespace meander
