// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/camera.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "phantom/noise/elementary.hpp"

namespace meander::phantoms {
namespace {

constexpr double sigmas_seen = 5;  // 6e-7 of a Gaussian lies beyond

/// Multiples of 2^-24 that sum up to 1, both sides counted. So sums over rows and over columns of
/// whole tenths are exact, and a place where all is alike keeps its level to the last bit.
std::vector<double> weights_of(double sigma) {
  std::vector<double> weights{1};
  double total = 1;
  const auto radius = static_cast<std::int64_t>(std::ceil(sigmas_seen * sigma));
  for (std::int64_t i = 1; i <= radius; ++i) {
    const double distance = static_cast<double>(i) / sigma;
    const double power = 0.5 * distance * distance;
    weights.push_back(power < 40 ? exponential(-power) : 0);
    total += 2 * weights.back();
  }
  double rest = 1;
  for (std::size_t i = 1; i < weights.size(); ++i) {
    weights[i] = std::floor(weights[i] / total * 0x1p24 + 0.5) * 0x1p-24;
    rest -= 2 * weights[i];
  }
  weights[0] = rest;
  return weights;
}

std::vector<double> tails_of(const std::vector<double>& weights) {
  std::vector<double> tails = weights;
  for (std::size_t i = tails.size() - 1; i > 0; --i) tails[i - 1] += tails[i];
  return tails;
}

}  // namespace

Blur::Blur(const PhantomOptions& options)
    : shape_(options.size),
      blurs_depth_(options.size.z > 1 && options.kind != PhantomKind::film),
      weights_(weights_of(options.blur)),
      tails_(tails_of(weights_)) {}

Blur::Window Blur::window(std::int64_t begin, std::int64_t end, std::int64_t length) const {
  return {std::max(begin - radius(), std::int64_t{0}), std::min(end + radius(), length)};
}

/// What is beyond a border is like the last place before it, so that this one stands for all.
double Blur::weight(std::int64_t place, std::int64_t seen, std::int64_t length) const {
  if (length == 1) return 1;
  const auto distance = static_cast<std::size_t>(std::abs(place - seen));
  return seen == 0 || seen == length - 1 ? tails_[distance] : weights_[distance];
}

/// Rows of `seen` as blurred over z.
void Blur::add_slices(const Scene& scene, const Band& seen, std::int64_t z, double* sums) const {
  std::vector<std::uint8_t> tenths(static_cast<std::size_t>(seen.pixels()));
  const Window slices = blurs_depth_ ? window(z, z + 1, shape_.z) : Window{z, z + 1};
  std::fill_n(sums, tenths.size(), 0.0);
  for (std::int64_t slice = slices.begin; slice < slices.end; ++slice) {
    scene.paint({seen.width, slice, seen.y_begin, seen.y_end}, Layer::image, tenths.data());
    const double share = blurs_depth_ ? weight(z, slice, shape_.z) : 1;
    for (std::size_t i = 0; i < tenths.size(); ++i) sums[i] += share * tenths[i];
  }
}

void Blur::blur_row(double* row, std::vector<double>& padded) const {
  const auto width = static_cast<std::size_t>(shape_.x), reach = weights_.size() - 1;
  padded.assign(reach, row[0]);
  padded.insert(padded.end(), row, row + width);
  padded.insert(padded.end(), reach, row[width - 1]);
  std::fill_n(row, width, 0.0);
  for (std::size_t k = 0; k <= 2 * reach; ++k) {
    const double share = weights_[k < reach ? reach - k : k - reach];
    for (std::size_t x = 0; x < width; ++x) row[x] += share * padded[x + k];
  }
}

void Blur::paint(const Scene& scene, const Band& band, double* tenths) const {
  std::fill_n(tenths, band.pixels(), 0.0);
  const Window rows = window(band.y_begin, band.y_end, shape_.y);
  const std::int64_t step = band.y_end - band.y_begin;
  std::vector<double> sums(static_cast<std::size_t>(band.pixels())), padded;
  for (std::int64_t first = rows.begin; first < rows.end; first += step) {
    const Band seen{band.width, band.z, first, std::min(first + step, rows.end)};
    add_slices(scene, seen, band.z, sums.data());
    for (std::int64_t y = seen.y_begin; y < seen.y_end; ++y) {
      const double* from = sums.data() + (y - seen.y_begin) * band.width;
      const Window reached = window(y, y + 1, band.y_end);
      for (std::int64_t to = std::max(reached.begin, band.y_begin); to < reached.end; ++to) {
        const double share = weight(to, y, shape_.y);
        double* sum = tenths + (to - band.y_begin) * band.width;
        for (std::int64_t x = 0; x < band.width; ++x) sum[x] += share * from[x];
      }
    }
  }
  for (std::int64_t y = 0; y < step; ++y) blur_row(tenths + y * band.width, padded);
}

}  // namespace meander::phantoms
