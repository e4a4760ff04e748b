// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "contour/geometry/polygon_testing.hpp"
#include "device_testing.hpp"
#include "meander/phantom.hpp"
#include "meander/segment.hpp"

/// What the region snake is compared with: the criterion from the pixels themselves, in float64,
/// region by region. Nothing here but the painting of masks is shared with the library.
namespace meander::testing {

inline constexpr NoiseModel every_family[] = {NoiseModel::gaussian, NoiseModel::gamma,
                                              NoiseModel::poisson, NoiseModel::bernoulli,
                                              NoiseModel::rayleigh};

inline std::vector<double> values_of(const Image& image) {
  std::vector<double> values;
  visit(image.type(), [&]<class T>(std::type_identity<T>) {
    for (std::int64_t y = 0; y < image.shape().y; ++y) {
      const T* row = image.row<T>(y);
      for (std::int64_t x = 0; x < image.shape().x; ++x) values.push_back(to_double(row[x]));
    }
  });
  return values;
}

/// Values on both sides of an outline.
struct Sides {
  std::vector<double> inside, outside;
};
inline Sides sides_of(const std::vector<double>& values, const Shape& shape,
                      const Polygon& outline) {
  Image mask = blank_mask(shape.x, shape.y);
  fill_mask(std::span(&outline, 1), mask, 0);
  const std::vector<double> is_inside = values_of(mask);
  Sides sides;
  for (std::size_t i = 0; i < values.size(); ++i) {
    (is_inside[i] > 0 ? sides.inside : sides.outside).push_back(values[i]);
  }
  return sides;
}

struct PlainMoments {
  double n = 0, mean = 0, variance = 0, mean_square = 0;
  explicit PlainMoments(const std::vector<double>& values) : n(static_cast<double>(values.size())) {
    for (const double v : values) mean += v / n, mean_square += v * v / n;
    for (const double v : values) variance += (v - mean) * (v - mean) / n;
  }
};

/// See NoiseModel. `high` is the higher value of a bernoulli image, whose lower one is 0.
inline double plain_criterion(const std::vector<double>& values, NoiseModel noise, double looks,
                              double high) {
  const PlainMoments m(values);
  const double part = m.mean / high;
  switch (noise) {
    case NoiseModel::gamma:
      return looks * m.n * std::log(m.mean);
    case NoiseModel::poisson:
      return -m.n * m.mean * std::log(m.mean);
    case NoiseModel::rayleigh:
      return m.n * std::log(m.mean_square);
    case NoiseModel::bernoulli:
      if (part <= 0 || part >= 1) return 0;
      return -m.n * (part * std::log(part) + (1 - part) * std::log(1 - part));
    default:
      return m.n / 2 * std::log(std::max(m.variance, 1.0 / 12));
  }
}
inline double plain_criterion(const Sides& sides, const SegmentFigures& figures, double high = 1) {
  return plain_criterion(sides.inside, figures.noise, figures.looks, high) +
         plain_criterion(sides.outside, figures.noise, figures.looks, high);
}

inline double intersection_over_union(const Image& a, const Image& b) {
  const std::vector<double> first = values_of(a), second = values_of(b);
  double both = 0, either = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    both += first[i] > 0 && second[i] > 0;
    either += first[i] > 0 || second[i] > 0;
  }
  return both / either;
}

inline double overlap(const Polygon& outline, const Image& truth) {
  Image mask = blank_mask(truth.shape().x, truth.shape().y);
  fill_mask(std::span(&outline, 1), mask, 0);
  return intersection_over_union(mask, truth);
}
/// Of the only outline with the truth; 0 when there is none or there are several.
inline double overlap(const SegmentResult& result, const Image& truth) {
  return result.outlines.size() == 1 ? overlap(result.outlines[0].polygon, truth) : 0;
}

inline Image truth_of(const PhantomOptions& options) {
  return Phantom(options).truth_slab(0, options.size.y);
}

/// A star under each family of noise, with a contrast that can be seen.
inline PhantomOptions star_of(NoiseModel noise, std::int64_t side, std::uint64_t seed = 0) {
  PhantomOptions options{.kind = PhantomKind::star, .size = {side, side, 1}, .seed = seed};
  switch (noise) {
    case NoiseModel::gamma:
      options.noise.family = NoiseFamily::gamma;
      options.levels = {2000, 5000};
      options.looks = 3;
      break;
    case NoiseModel::poisson:
      options.noise.family = NoiseFamily::poisson;
      options.levels = {40, 60};
      break;
    case NoiseModel::bernoulli:
      options.noise.family = NoiseFamily::bernoulli;
      options.levels = {0.2, 0.6};
      break;
    case NoiseModel::rayleigh:
      options.noise.family = NoiseFamily::rayleigh;
      options.levels = {2000, 4000};
      break;
    default:
      options.noise.family = NoiseFamily::gaussian;
      options.snr = 2;
  }
  return options;
}

inline std::string name_of(NoiseModel noise) { return OptionText<NoiseModel>::format(noise); }

/// The message of the InvalidArgument that segmenting throws.
inline std::string refusal_of(const Image& image, const SegmentOptions& options,
                              const SegmentInputs& inputs = {}) {
  try {
    segment(image, options, inputs);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "not refused";
}

}  // namespace meander::testing
