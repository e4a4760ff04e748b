// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/reference/engines.hpp"
#include "backend/reference/line.hpp"

namespace meander::reference {
namespace {

Line filtered(const Line& in, const Line& weights, const BorderRule& border) {
  const auto radius = static_cast<std::int64_t>(weights.size() / 2);
  Line out(in.size());
  for (std::size_t n = 0; n < in.size(); ++n) {
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const auto place = static_cast<std::int64_t>(n + k) - radius;
      out[n] += weights[k] * value_at(in, place, border);
    }
  }
  return out;
}

}  // namespace

void fir(const engine::View& in, const engine::View& out, engine::Axis axis,
         std::span<const double> weights, const BorderRule& border) {
  Line row(weights.begin(), weights.end());
  if (out.type == PixelType::f32) {
    for (double& weight : row) weight = static_cast<float>(weight);
  }
  for (std::int64_t index = 0; index < engine::line_count(in, axis); ++index) {
    write_line(out, axis, index, filtered(read_line(in, axis, index), row, border));
  }
}

}  // namespace meander::reference
