// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/segment/plain.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "core/parallel_for.hpp"
#include "meander/smooth.hpp"

namespace meander::bench {
namespace {

constexpr std::size_t bins = 4096;
constexpr std::int64_t pieces = 64;  // of an image, for its threads
using Histogram = std::array<std::uint64_t, bins>;

std::size_t bin_of(float value) {
  constexpr float levels_per_bin = 65536.0f / bins;
  return static_cast<std::size_t>(std::clamp(value / levels_per_bin, 0.0f, bins - 1.0f));
}

/// Calls f(piece, y) for every row, the rows of a piece on one thread.
template <class F>
void for_rows(std::int64_t rows, const F& f) {
  parallel_for(pieces, [&](std::int64_t piece) {
    const std::int64_t end = (piece + 1) * rows / pieces;
    for (std::int64_t y = piece * rows / pieces; y < end; ++y) {
      f(static_cast<std::size_t>(piece), y);
    }
  });
}

Histogram histogram_of(const Image& image) {
  std::vector<Histogram> parts(pieces, Histogram{});
  for_rows(image.shape().y, [&](std::size_t piece, std::int64_t y) {
    const float* row = image.row<float>(y);
    Histogram& part = parts[piece];
    for (std::int64_t x = 0; x < image.shape().x; ++x) ++part[bin_of(row[x])];
  });
  Histogram sum{};
  for (const Histogram& part : parts) {
    for (std::size_t i = 0; i < bins; ++i) sum[i] += part[i];
  }
  return sum;
}

}  // namespace

std::size_t otsu_bin(std::span<const std::uint64_t> histogram) {
  double count = 0, sum = 0;
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    count += static_cast<double>(histogram[i]);
    sum += static_cast<double>(histogram[i]) * static_cast<double>(i);
  }
  std::size_t best = 0;
  double largest = 0, below = 0, sum_below = 0;
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    below += static_cast<double>(histogram[i]);
    sum_below += static_cast<double>(histogram[i]) * static_cast<double>(i);
    if (below == 0 || below == count) continue;
    const double apart = sum_below / below - (sum - sum_below) / (count - below);
    const double variance = below * (count - below) * apart * apart;
    if (variance > largest) largest = variance, best = i;
  }
  return best;
}

Image blurred_otsu(const Image& image, double sigma, const Control& control) {
  const Image soft = smooth(image, {.sigma = Scale(sigma)}, {}, control).download();
  const std::size_t threshold = otsu_bin(histogram_of(soft));
  Image mask = Image::allocate({.shape = soft.shape(), .type = PixelType::u8});
  for_rows(soft.shape().y, [&](std::size_t, std::int64_t y) {
    const float* row = soft.row<float>(y);
    std::uint8_t* inside = mask.mutable_row<std::uint8_t>(y);
    for (std::int64_t x = 0; x < soft.shape().x; ++x) {
      inside[x] = bin_of(row[x]) > threshold ? 255 : 0;
    }
  });
  return mask;
}

std::uint64_t read_pass(const Image& image) {
  constexpr auto word = static_cast<std::int64_t>(sizeof(std::uint64_t));
  const std::int64_t bytes =
      image.shape().x * static_cast<std::int64_t>(size_of(image.type())) / word * word;
  std::uint64_t sum = 0;
  for (std::int64_t y = 0; y < image.shape().y; ++y) {
    const std::byte* row = image.row_bytes(y);
    for (std::int64_t i = 0; i < bytes; i += word) {
      std::uint64_t value;
      std::memcpy(&value, row + i, sizeof value);
      sum += value;
    }
  }
  return sum;
}

}  // namespace meander::bench
