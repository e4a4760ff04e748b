// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>
#include <limits>

#include "backend/reference/engines.hpp"
#include "backend/reference/line.hpp"

namespace meander::reference {
namespace {

using engine::Pointwise;

double value_of(Pointwise operation, double a, double b, double c) {
  switch (operation) {
    case Pointwise::sum:
      return a + b;
    case Pointwise::norm:
      return std::hypot(a, b);
    case Pointwise::weight:
      return std::isfinite(a) ? b : 0;
    case Pointwise::weighted:
      return std::isfinite(a) ? a * b : 0;
    case Pointwise::quotient:
      return b > 0x1p-20 ? a / b : std::numeric_limits<double>::quiet_NaN();
    case Pointwise::select:
      return c > 0 ? a : b;
    case Pointwise::difference:
      return a - b;
    case Pointwise::product:
      return a * b;
    case Pointwise::add_square:
      return std::fma(b, b, a);
    case Pointwise::direction:
      return b > 0 ? a / b : 0;
    case Pointwise::growth:
      return std::min(std::expm1(a), 0x1p20);
    case Pointwise::root:
      return std::sqrt(a);
  }
  throw LogicError("pointwise operation out of its enumeration");
}

}  // namespace

void pointwise(Pointwise operation, const engine::View& a, const engine::View& b,
               const engine::View& c, const engine::View& out) {
  for (std::int64_t row = 0; row < out.rows(); ++row) {
    const Line of_a = read_line(a, engine::Axis::x, row);
    const Line of_b = read_line(b, engine::Axis::x, row);
    const Line of_c =
        operation == Pointwise::select ? read_line(c, engine::Axis::x, row) : Line(of_a.size());
    Line result(of_a.size());
    for (std::size_t x = 0; x < result.size(); ++x) {
      result[x] = value_of(operation, of_a[x], of_b[x], of_c[x]);
    }
    write_line(out, engine::Axis::x, row, result);
  }
}

}  // namespace meander::reference
