// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/smooth/exact_gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/parallel_for.hpp"

namespace meander::bench {
namespace {

constexpr std::int64_t most_columns = 32;

std::vector<std::int64_t> columns_of(std::int64_t width) {
  const std::int64_t count = std::min(width, most_columns);
  std::vector<std::int64_t> columns;
  for (std::int64_t i = 0; i < count; ++i) {
    columns.push_back(count == 1 ? 0 : i * (width - 1) / (count - 1));
  }
  return columns;
}

/// A line with what stands beyond its ends.
template <class Get>
std::vector<double> clamped_line(std::int64_t length, std::int64_t radius, const Get& get) {
  std::vector<double> line(static_cast<std::size_t>(length + 2 * radius));
  for (std::size_t i = 0; i < line.size(); ++i) {
    line[i] = get(std::clamp<std::int64_t>(static_cast<std::int64_t>(i) - radius, 0, length - 1));
  }
  return line;
}

double weighted(const std::vector<double>& line, std::int64_t place,
                const std::vector<double>& weights) {
  return std::inner_product(weights.begin(), weights.end(), line.begin() + place, 0.0);
}

/// Along lines of `length` numbers that stand `stride` apart, in place.
void convolve(std::vector<double>& values, std::int64_t length, std::int64_t stride,
              const std::vector<double>& weights) {
  const auto radius = static_cast<std::int64_t>(weights.size() / 2);
  const std::int64_t lines = static_cast<std::int64_t>(values.size()) / length;
  parallel_for(lines, [&](std::int64_t index) {
    double* begin = values.data() + index / stride * stride * length + index % stride;
    const auto line =
        clamped_line(length, radius, [&](std::int64_t i) { return begin[i * stride]; });
    for (std::int64_t i = 0; i < length; ++i) begin[i * stride] = weighted(line, i, weights);
  });
}

using RowValue = std::function<double(std::int64_t x)>;

/// Calls `visit` for each row of a host image with its number and a way to its values.
template <class Visit>
void for_each_row(const Image& image, const Visit& visit) {
  const Shape& shape = image.shape();
  parallel_for(image.channels() * shape.z * shape.y, [&](std::int64_t row) {
    const std::int64_t y = row % shape.y, z = row / shape.y % shape.z;
    const auto channel = static_cast<int>(row / shape.y / shape.z);
    if (image.type() == PixelType::f64) {
      visit(row, RowValue([p = image.row<double>(y, z, channel)](std::int64_t x) { return p[x]; }));
    } else {
      visit(row, RowValue([p = image.row<float>(y, z, channel)](std::int64_t x) {
              return static_cast<double>(p[x]);
            }));
    }
  });
}

}  // namespace

std::vector<double> exact_weights(double sigma, std::int64_t radius) {
  std::vector<double> weights;
  for (std::int64_t n = -radius; n <= radius; ++n) {
    const double place = static_cast<double>(n) / sigma;
    weights.push_back(std::exp(-place * place / 2));
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

ExactGaussian::ExactGaussian(const Image& image, double sigma)
    : description_(image.description()), columns_(columns_of(image.shape().x)) {
  const auto radius = static_cast<std::int64_t>(std::ceil(8 * sigma));
  const std::vector<double> weights = exact_weights(sigma, radius);
  const Shape& shape = description_.shape;
  const auto count = static_cast<std::int64_t>(columns_.size());
  values_.resize(static_cast<std::size_t>(count * shape.y * shape.z * description_.channels));
  for_each_row(image, [&](std::int64_t row, const RowValue& value) {
    const auto line = clamped_line(shape.x, radius, value);
    double* out = values_.data() + row * count;
    for (const std::int64_t column : columns_) *out++ = weighted(line, column, weights);
  });
  convolve(values_, shape.y, count, weights);
  if (shape.z > 1) convolve(values_, shape.z, count * shape.y, weights);
}

Deviation ExactGaussian::deviation_of(const Image& smoothed, double range) const {
  const std::size_t count = columns_.size();
  std::vector<double> differences(values_.size());
  for_each_row(smoothed, [&](std::int64_t row, const RowValue& value) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t place = static_cast<std::size_t>(row) * count + i;
      differences[place] = std::abs(value(columns_[i]) - values_[place]) / range;
    }
  });
  double squares = 0;
  for (const double difference : differences) squares += difference * difference;
  return {std::sqrt(squares / static_cast<double>(differences.size())),
          *std::max_element(differences.begin(), differences.end())};
}

}  // namespace meander::bench
