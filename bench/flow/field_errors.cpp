// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/flow/field_errors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "meander/convert.hpp"
#include "meander/error.hpp"

namespace meander::bench {
namespace {

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Updates mean and squares with every value, so that nothing cancels (Welford).
class Accumulated {
 public:
  void add(double value) {
    ++count_;
    const double before = value - mean_;
    mean_ += before / static_cast<double>(count_);
    squares_ += before * (value - mean_);
    max_ = std::max(max_, value);
    min_ = std::min(min_, value);
  }
  Moments moments() const {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (count_ == 0) return {none, none, none, none};
    return {mean_, squares_ / static_cast<double>(count_), max_, min_};
  }

 private:
  std::int64_t count_ = 0;
  double mean_ = 0, squares_ = 0;
  double max_ = -std::numeric_limits<double>::infinity();
  double min_ = std::numeric_limits<double>::infinity();
};

/// The vectors of a field, as float64.
class Vectors {
 public:
  explicit Vectors(const Field& field)
      : components_(convert(field.components(), {.type = PixelType::f64}).download()) {}
  Vector at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    Vector vector{};
    for (int i = 0; i < components_.channels(); ++i) {
      vector[static_cast<std::size_t>(i)] = components_.row<double>(y, z, i)[x];
    }
    return vector;
  }

 private:
  Image components_;
};

class Errors {
 public:
  void add(const Vector& found, const Vector& wanted) {
    constexpr double turned = 0.1;
    ++errors_.vectors;
    const double length = std::sqrt(dot(found, found)),
                 wanted_length = std::sqrt(dot(wanted, wanted));
    magnitude_.add(std::abs(length - wanted_length));
    const Vector apart{found[0] - wanted[0], found[1] - wanted[1], found[2] - wanted[2]};
    apart_ += dot(apart, apart);
    all_ += dot(wanted, wanted);
    if (length == 0 || wanted_length == 0) {
      ++errors_.left_out;
      return;
    }
    const double cosine = dot(found, wanted) / length / wanted_length;
    const double angle = std::acos(std::clamp(cosine, -1.0, 1.0));
    angle_.add(angle);
    if (angle > turned) errors_.largest_turned = std::max(errors_.largest_turned, wanted_length);
  }
  FieldErrors result() const {
    FieldErrors errors = errors_;
    errors.magnitude = magnitude_.moments();
    errors.angle = angle_.moments();
    errors.distance = std::sqrt(apart_ / all_);
    return errors;
  }

 private:
  FieldErrors errors_;
  Accumulated magnitude_, angle_;
  double apart_ = 0, all_ = 0;
};

}  // namespace

FieldErrors field_errors(const Field& found, const Field& wanted) {
  const Shape& shape = wanted.components().shape();
  if (!(found.components().shape() == shape)) throw LogicError("fields of two shapes compared");
  const Vectors vectors(found), wanted_vectors(wanted);
  Errors errors;
  for (std::int64_t z = 0; z < shape.z; ++z) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      for (std::int64_t x = 0; x < shape.x; ++x) {
        errors.add(vectors.at(x, y, z), wanted_vectors.at(x, y, z));
      }
    }
  }
  return errors.result();
}

}  // namespace meander::bench
