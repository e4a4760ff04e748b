// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>
#include <limits>

#include "backend/reference/engines.hpp"
#include "backend/reference/line.hpp"

namespace meander::reference {
namespace {

template <class In, class Out>
void convert_row(const In* in, Out* out, std::int64_t count, const engine::Affine& map) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = from_double<Out>(to_double(in[i]) * map.scale + map.offset);
  }
}

}  // namespace

void convert(const engine::View& in, const engine::View& out, const engine::Affine& map) {
  visit(in.type, [&]<class In>(std::type_identity<In>) {
    visit(out.type, [&]<class Out>(std::type_identity<Out>) {
      for (std::int64_t row = 0; row < in.rows(); ++row) {
        convert_row(reinterpret_cast<const In*>(in.host_row(row)),
                    reinterpret_cast<Out*>(out.host_row(row)), in.shape.x, map);
      }
    });
  });
}

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

namespace {

/// Neumaier's compensated sum: the oracle should be better than what it judges.
class CompensatedSum {
 public:
  void add(double value) {
    const double total = sum_ + value;
    lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - total) + value : (value - total) + sum_;
    sum_ = total;
  }
  double total() const { return sum_ + lost_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace

engine::Sums reduce(const engine::View& in, double shift, engine::Wanted /*what*/) {
  engine::Sums result;
  CompensatedSum sum, magnitudes, squares;
  const auto add = [&](double value) {
    if (!std::isfinite(value)) {
      ++result.nonfinite;
      return;
    }
    ++result.finite;
    result.min = std::min(result.min, value);
    result.max = std::max(result.max, value);
    sum.add(value);
    magnitudes.add(std::abs(value));
    squares.add(value * value);
  };
  visit(in.type, [&]<class T>(std::type_identity<T>) {
    for (std::int64_t row = 0; row < in.rows(); ++row) {
      const T* pixels = reinterpret_cast<const T*>(in.host_row(row));
      for (std::int64_t x = 0; x < in.shape.x; ++x) add(to_double(pixels[x]) - shift);
    }
  });
  result.sum = sum.total();
  result.sum_of_magnitudes = magnitudes.total();
  result.sum_of_squares = squares.total();
  return result;
}

}  // namespace meander::reference
