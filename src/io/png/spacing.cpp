// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/png/spacing.hpp"

#include <cmath>

#include "io/image/spacing.hpp"

namespace meander::io {
namespace {

constexpr std::uint32_t most = 0x7fffffff;  // PNG's integers are 31 bits

std::optional<std::uint32_t> per_metre(double step, Unit unit) {
  const double count = std::round(1 / (step * metres_per(unit)));
  if (!(count >= 1 && count <= most)) return std::nullopt;
  return static_cast<std::uint32_t>(count);
}

}  // namespace

std::optional<PngDensity> density_of(const Spacing& spacing) {
  if (spacing.unit == Unit::pixel) {
    if (spacing.x == spacing.y) return std::nullopt;
    const Rational ratio = nearest_rational(spacing.y / spacing.x, most);
    return PngDensity{.x = ratio.numerator, .y = ratio.denominator, .per_metre = false};
  }
  const auto x = per_metre(spacing.x, spacing.unit);
  const auto y = per_metre(spacing.y, spacing.unit);
  if (!x || !y) return std::nullopt;
  return PngDensity{.x = *x, .y = *y, .per_metre = true};
}

Spacing spacing_of(const std::optional<PngDensity>& density, std::string_view exact) {
  const auto written = spacing_in(exact);
  if (written && density_of(*written) == density) return *written;
  if (!density || density->x == 0 || density->y == 0) return {};
  if (density->per_metre) return {};
  return {.x = 1, .y = double(density->x) / density->y};
}

}  // namespace meander::io
