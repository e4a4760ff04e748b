// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>

#include "backend/reference/engines.hpp"

namespace meander::reference {
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
