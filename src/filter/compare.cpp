// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "core/message.hpp"

namespace meander {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void load_row(const Image& image, std::int64_t y, std::int64_t z, int channel,
              std::vector<double>& row) {
  visit(image.type(), [&]<class T>(std::type_identity<T>) {
    const T* pixels = image.row<T>(y, z, channel);
    std::transform(pixels, pixels + row.size(), row.begin(), to_double<T>);
  });
}

double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  return std::isfinite(a) && std::isfinite(b) ? std::abs(a - b) : infinity;
}

/// The order in which `first` is looked for, whatever the order of slabs.
auto order_of(const Difference& d) { return std::tuple(d.channel, d.z, d.y, d.x); }

std::string words(const Description& d) {
  return message(to_string(d.shape), " with ", d.channels,
                 d.channels == 1 ? " channel" : " channels");
}

/// How many of a's unit one of b's is.
std::optional<double> unit_ratio(Unit a, Unit b) {
  if (a == b) return 1;
  if (a == Unit::pixel || b == Unit::pixel) return {};
  return metres_per(b) / metres_per(a);
}

Placement::Vector corner(const Placement& placement, const Shape& shape, unsigned index) {
  const auto at = [&](std::int64_t extent, unsigned bit) {
    return (index & bit) != 0 ? extent - 1 : 0;
  };
  return placement.moved_to(at(shape.x, 1), at(shape.y, 2), at(shape.z, 4)).origin;
}

bool is_near(double a, double b) { return std::abs(a - b) <= 1e-6 * std::abs(a); }

}  // namespace

std::optional<double> displacement(const Description& a, const Description& b) {
  const auto ratio = unit_ratio(a.spacing.unit, b.spacing.unit);
  if (!a.placement || !b.placement || !ratio) return {};
  const Placement other = b.placement->in_axes(a.placement->axes).scaled(*ratio);
  double farthest = 0, pixel = infinity;
  for (const auto& [x, y, z] : a.placement->step) pixel = std::min(pixel, std::hypot(x, y, z));
  for (unsigned i = 0; i < 8; ++i) {
    const auto here = corner(*a.placement, a.shape, i), there = corner(other, b.shape, i);
    farthest =
        std::max(farthest, std::hypot(here[0] - there[0], here[1] - there[1], here[2] - there[2]));
  }
  return farthest / pixel;
}

bool has_same_spacing(const Description& a, const Description& b) {
  const auto ratio = unit_ratio(a.spacing.unit, b.spacing.unit);
  return ratio && is_near(a.spacing.x, b.spacing.x * *ratio) &&
         is_near(a.spacing.y, b.spacing.y * *ratio) &&
         (a.shape.rank() < 3 || is_near(a.spacing.z, b.spacing.z * *ratio));
}

void Comparer::MaskValues::add(double value) {
  if (value == 0) return;
  if (!high) high = value;
  is_mask = is_mask && value == *high && value > 0;
}

Comparer::Comparer(const Description& a, const Description& b, double tolerance)
    : description_(a), tolerance_(tolerance), lowest_(infinity), highest_(-infinity) {
  if (a.shape != b.shape || a.channels != b.channels) {
    throw InvalidArgument(message("the images do not match: ", words(a), " against ", words(b)));
  }
  if (!(tolerance >= 0))
    throw InvalidArgument(message("tolerance is ", tolerance, ", expected at least 0"),
                          {.option = "tolerance"});
}

/// A slab has all of the image but along the axis of slabs, and lies within it.
void Comparer::check_slab(const Image& slab, std::int64_t begin) const {
  const Shape &part = slab.shape(), &whole = description_.shape;
  const bool volume = whole.rank() == 3;
  const std::int64_t steps = volume ? part.z : part.y, all = volume ? whole.z : whole.y;
  const bool fits = part.x == whole.x && (volume ? part.y == whole.y : part.z == 1) &&
                    slab.channels() == description_.channels;
  if (fits && begin >= 0 && begin + steps <= all) return;
  throw InvalidArgument(message("a slab of ", words(slab.description()), " at ", begin,
                                ", expected one of ", words(description_)));
}

void Comparer::add(const Image& a, const Image& b, std::int64_t begin, const Control& control) {
  check_slab(a, begin);
  check_slab(b, begin);
  if (a.shape() != b.shape()) {
    throw InvalidArgument(message("the slabs do not match: ", words(a.description()), " against ",
                                  words(b.description())));
  }
  const bool volume = description_.shape.rank() == 3;
  std::vector<double> row_a(static_cast<std::size_t>(description_.shape.x)), row_b(row_a.size());
  const std::int64_t rows = a.channels() * a.shape().z * a.shape().y;
  std::int64_t done = 0;
  for (int channel = 0; channel < a.channels(); ++channel) {
    for (std::int64_t z = 0; z < a.shape().z; ++z) {
      for (std::int64_t y = 0; y < a.shape().y; ++y) {
        control.step(static_cast<double>(done++) / static_cast<double>(rows));
        load_row(a, y, z, channel, row_a);
        load_row(b, y, z, channel, row_b);
        const Difference place{
            .y = volume ? y : y + begin, .z = volume ? z + begin : z, .channel = channel};
        add_row(row_a.data(), row_b.data(), a.shape().x, place);
      }
    }
  }
}

void Comparer::add_row(const double* a, const double* b, std::int64_t count, Difference place) {
  for (std::int64_t x = 0; x < count; ++x) {
    const double apart = distance(a[x], b[x]);
    max_ = std::max(max_, apart);
    if (std::isfinite(a[x]) && std::isfinite(b[x])) {
      sum_of_squares_ += apart * apart;
      ++finite_pairs_;
    }
    if (std::isfinite(a[x])) {
      lowest_ = std::min(lowest_, a[x]);
      highest_ = std::max(highest_, a[x]);
    }
    mask_a_.add(a[x]);
    mask_b_.add(b[x]);
    both_ += a[x] > 0 && b[x] > 0;
    either_ += a[x] > 0 || b[x] > 0;
    if (apart > tolerance_) {
      ++different_;
      place.x = x;
      place.a = a[x];
      place.b = b[x];
      if (!first_ || order_of(place) < order_of(*first_)) first_ = place;
    }
  }
}

Comparison Comparer::result() const {
  Comparison result{.max = max_, .first = first_, .different = different_};
  if (finite_pairs_ > 0)
    result.rms = std::sqrt(sum_of_squares_ / static_cast<double>(finite_pairs_));
  const PixelType type = description_.type;
  const double peak = is_integer(type) ? highest_of(type) : highest_ - lowest_;
  result.psnr = result.rms > 0 ? 20 * std::log10(peak / result.rms) : infinity;
  if (std::isinf(max_)) {
    result.rms = infinity;
    result.psnr = -infinity;
  }
  if (mask_a_.is_mask && mask_b_.is_mask) {
    // Two empty masks agree.
    result.iou = either_ == 0 ? 1 : static_cast<double>(both_) / static_cast<double>(either_);
  }
  return result;
}

Comparison compare(const Image& a, const Image& b, double tolerance, const Control& control) {
  Comparer comparer(a.description(), b.description(), tolerance);
  comparer.add(a, b, 0, control);
  control.step(1);
  return comparer.result();
}

}  // namespace meander
