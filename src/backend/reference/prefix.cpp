// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cstring>

#include "backend/reference/engines.hpp"
#include "backend/reference/line.hpp"

namespace meander::reference {
namespace {

/// A pixel as a number of the type in which it is summed; negative integers count modulo 2^64.
template <class Sum>
Sum as_summand(double value) {
  if constexpr (std::is_integral_v<Sum>) {
    return static_cast<Sum>(static_cast<std::int64_t>(value));
  } else {
    return value;
  }
}

template <class Sum>
void sum_lines(const engine::View& in, const engine::View& out, engine::Axis axis,
               engine::Prefix kind) {
  const engine::Lines lines = engine::lines_of(out, axis);
  for (std::int64_t index = 0; index < engine::line_count(in, axis); ++index) {
    std::byte* word = out.memory->host + engine::line_offset(lines, index);
    Sum sum = 0;
    for (const double value : read_line(in, axis, index)) {
      const Sum before = sum;
      sum += as_summand<Sum>(value);
      std::memcpy(word, kind == engine::Prefix::inclusive ? &sum : &before, sizeof sum);
      word += lines.step;
    }
  }
}

}  // namespace

void prefix(const engine::View& in, const engine::View& out, engine::Axis axis,
            engine::Prefix kind) {
  if (is_integer(in.type)) {
    sum_lines<std::uint64_t>(in, out, axis, kind);
  } else {
    sum_lines<double>(in, out, axis, kind);
  }
}

}  // namespace meander::reference
