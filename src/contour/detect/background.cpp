// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/detect/detect.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "contour/detect/noise_level.hpp"
#include "core/parallel_for.hpp"
#include "core/quantile.hpp"

namespace meander::contour {
namespace {

/// Values that the modes of all tiles are found from, about, and that of one at least.
constexpr std::int64_t all_values = 1 << 16, least_values = 1 << 12;

/// Weighted least squares by the normal equations of `terms` terms.
std::array<double, 6> weighted_fit(const std::vector<double>& levels,
                                   const std::vector<double>& weights, int tiles,
                                   std::size_t terms) {
  std::array<std::array<double, 7>, 6> rows{};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const int x = static_cast<int>(i) % tiles, y = static_cast<int>(i) / tiles;
    std::array<double, 6> term = BackgroundSurface::terms_at(x, y, tiles);
    for (std::size_t p = 0; p < terms; ++p) {
      for (std::size_t q = 0; q < terms; ++q) rows[p][q] += weights[i] * term[p] * term[q];
      rows[p][6] += weights[i] * term[p] * levels[i];
    }
  }
  for (std::size_t p = 0; p < terms; ++p) {
    for (std::size_t r = 0; r < terms; ++r) {
      if (r == p) continue;
      const double factor = rows[r][p] / rows[p][p];
      for (std::size_t q = 0; q < 7; ++q) rows[r][q] -= factor * rows[p][q];
    }
  }
  std::array<double, 6> found{};
  for (std::size_t p = 0; p < terms; ++p) found[p] = rows[p][6] / rows[p][p];
  return found;
}

double value_of(const std::array<double, 6>& surface, const std::array<double, 6>& terms) {
  double sum = 0;
  for (std::size_t i = 0; i < 6; ++i) sum += surface[i] * terms[i];
  return sum;
}

/// Of least absolute deviations, by iteratively reweighted least squares.
std::array<double, 6> robust_fit(const std::vector<double>& levels, int tiles, std::size_t terms) {
  constexpr int iterations = 20;
  std::vector<double> weights(levels.size(), 1);
  std::array<double, 6> surface{};
  for (int i = 0; i < iterations; ++i) {
    surface = weighted_fit(levels, weights, tiles, terms);
    std::vector<float> sizes;
    for (std::size_t k = 0; k < levels.size(); ++k) {
      const int x = static_cast<int>(k) % tiles, y = static_cast<int>(k) / tiles;
      weights[k] =
          std::abs(levels[k] - value_of(surface, BackgroundSurface::terms_at(x, y, tiles)));
      sizes.push_back(static_cast<float>(weights[k]));
    }
    const double least = 1e-3 * quantile(sizes, 0.5) + 1e-9;
    for (double& weight : weights) weight = 1 / std::max(weight, least);
  }
  return surface;
}

/// The half-sample mode, made less uncertain: the mean of what lies within the noise of it, again
/// and again.
double mode(const std::vector<float>& values, double noise) {
  double level = half_sample_mode(values);
  for (int i = 0; i < 8; ++i) {
    double sum = 0, count = 0;
    for (const float value : values) {
      if (std::abs(static_cast<double>(value) - level) > noise) continue;
      sum += static_cast<double>(value), count += 1;
    }
    if (count == 0) break;
    level = sum / count;
  }
  return level;
}

}  // namespace

double half_sample_mode(std::vector<float> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  std::size_t begin = 0, count = values.size();
  while (count > 3) {
    const std::size_t half = (count + 1) / 2;
    std::size_t densest = begin;
    for (std::size_t i = begin; i + half <= begin + count; ++i) {
      if (values[i + half - 1] - values[i] < values[densest + half - 1] - values[densest])
        densest = i;
    }
    begin = densest, count = half;
  }
  return static_cast<double>(values[begin + (count - 1) / 2] + values[begin + count / 2]) / 2;
}

std::array<double, 6> BackgroundSurface::terms_at(double x, double y, int tiles) {
  const double u = (2 * x + 1) / tiles - 1, v = (2 * y + 1) / tiles - 1;
  return {1, u, v, u * u, u * v, v * v};
}

BackgroundSurface::BackgroundSurface(const std::vector<float>& smooth, std::int64_t columns,
                                     std::int64_t rows, double noise, int tiles)
    : tiles_(tiles), levels_(static_cast<std::size_t>(tiles * tiles)) {
  // On a slope no level is frequent: medians come first, and each time there is less of it.
  const int times = tiles < 2 ? 1 : 4;
  for (int i = 0; i < times; ++i) correct(smooth, columns, rows, noise, tiles > 1 && i == 0);
}

void BackgroundSurface::correct(const std::vector<float>& smooth, std::int64_t columns,
                                std::int64_t rows, double noise, bool by_medians) {
  const int tiles = tiles_;
  std::vector<double> rest(levels_.size());
  parallel_for(tiles * tiles, [&](std::int64_t tile) {
    const std::int64_t left = tile % tiles * columns / tiles,
                       right = (tile % tiles + 1) * columns / tiles;
    const std::int64_t top = tile / tiles * rows / tiles,
                       bottom = (tile / tiles + 1) * rows / tiles;
    const std::int64_t most_values = std::max(all_values / (tiles * tiles), least_values);
    std::int64_t apart = 1;
    while ((right - left) * (bottom - top) > most_values * apart * apart) ++apart;
    std::vector<float> values;
    std::vector<float> levels(static_cast<std::size_t>((right - left + apart - 1) / apart));
    for (std::int64_t y = top; y < bottom; y += apart) {
      find_row(y, left, apart, columns, rows, levels);
      const float* level = smooth.data() + y * columns + left;
      for (const float background : levels) {
        values.push_back(*level - background);
        level += apart;
      }
    }
    rest[static_cast<std::size_t>(tile)] = by_medians ? quantile(values, 0.5) : mode(values, noise);
  });
  if (tiles < 2) {
    levels_[0] += rest[0];
    return;
  }
  const std::array<double, 6> more = robust_fit(rest, tiles, tiles < 4 ? 3 : 6);
  for (std::size_t i = 0; i < 6; ++i) surface_[i] += more[i];
  for (int i = 0; i < tiles * tiles; ++i) {
    const int x = i % tiles, y = i / tiles;
    rest[static_cast<std::size_t>(i)] -= value_of(more, terms_at(x, y, tiles));
  }
  for (int i = 0; i < tiles * tiles; ++i) {
    std::vector<float> near;
    for (int y = i / tiles - 1; y <= i / tiles + 1; ++y) {
      for (int x = i % tiles - 1; x <= i % tiles + 1; ++x) {
        const int there = std::clamp(y, 0, tiles - 1) * tiles + std::clamp(x, 0, tiles - 1);
        near.push_back(static_cast<float>(rest[static_cast<std::size_t>(there)]));
      }
    }
    levels_[static_cast<std::size_t>(i)] += quantile(near, 0.5);
  }
}

void BackgroundSurface::find_row(std::int64_t row, std::int64_t begin, std::int64_t apart,
                                 std::int64_t columns, std::int64_t rows,
                                 std::span<float> levels) const {
  const auto place = [&](std::int64_t i, std::int64_t n) {
    return (static_cast<double>(i) + 0.5) * tiles_ / static_cast<double>(n) - 0.5;
  };
  const double last = tiles_ - 1, y = place(row, rows), ty = std::clamp(y, 0.0, last);
  const int low_y = static_cast<int>(ty), next_y = std::min(low_y + 1, tiles_ - 1);
  const double part_y = ty - low_y;
  // The tiles' levels at this row, and the surface as a parabola along it.
  std::array<double, most_tiles> tile{};
  for (int i = 0; i < tiles_; ++i) {
    tile[static_cast<std::size_t>(i)] = at(i, low_y) + part_y * (at(i, next_y) - at(i, low_y));
  }
  const double v = terms_at(0, y, tiles_)[2];
  const double constant = surface_[0] + v * (surface_[2] + v * surface_[5]);
  const double slope = surface_[1] + v * surface_[4];
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double x = place(begin + static_cast<std::int64_t>(i) * apart, columns),
                 tx = std::clamp(x, 0.0, last);
    const auto low_x = static_cast<std::size_t>(tx);
    const std::size_t next_x = std::min(low_x + 1, static_cast<std::size_t>(tiles_) - 1);
    const double u = (2 * x + 1) / tiles_ - 1;
    const double left = tile[low_x], right = tile[next_x];
    levels[i] = static_cast<float>(constant + u * (slope + u * surface_[3]) + left +
                                   (tx - static_cast<double>(low_x)) * (right - left));
  }
}

void BackgroundSurface::take_off(std::vector<float>& cells, std::int64_t columns,
                                 std::int64_t rows) const {
  parallel_for(rows, [&](std::int64_t y) {
    std::vector<float> levels(static_cast<std::size_t>(columns));
    find_row(y, 0, 1, columns, rows, levels);
    float* row = cells.data() + y * columns;
    for (std::int64_t x = 0; x < columns; ++x) row[x] -= levels[static_cast<std::size_t>(x)];
  });
}

double BackgroundSurface::range() const {
  std::vector<double> levels;
  for (int i = 0; i < tiles_ * tiles_; ++i) {
    const int x = i % tiles_, y = i / tiles_;
    levels.push_back(at(x, y) + value_of(surface_, terms_at(x, y, tiles_)));
  }
  const auto [low, high] = std::minmax_element(levels.begin(), levels.end());
  return *high - *low;
}

Image without_shading(const Image& image, const BackgroundSurface& background) {
  const Shape& shape = image.shape();
  Image out = Image::allocate({.shape = shape, .type = PixelType::u16});
  visit(image.type(), [&]<class T>(std::type_identity<T>) {
    parallel_for(shape.y, [&](std::int64_t y) {
      std::vector<float> levels(static_cast<std::size_t>(shape.x));
      background.find_row(y, 0, 1, shape.x, shape.y, levels);
      const T* from = image.row<T>(y);
      auto* to = out.mutable_row<std::uint16_t>(y);
      for (std::int64_t x = 0; x < shape.x; ++x) {
        const double difference =
            to_double(from[x]) - static_cast<double>(levels[static_cast<std::size_t>(x)]);
        to[x] = static_cast<std::uint16_t>(
            std::clamp(std::nearbyint(difference + even_level), 0.0, 65535.0));
      }
    });
  });
  return out;
}

}  // namespace meander::contour
