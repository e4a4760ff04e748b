// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/smooth/impulse.hpp"

#include <algorithm>
#include <cmath>

#include "bench/smooth/exact_gaussian.hpp"
#include "meander/convert.hpp"

namespace meander::bench {
namespace {

/// By then even the slow tails of order 3 have faded.
std::int64_t radius_for(double sigma) { return static_cast<std::int64_t>(14 * sigma) + 14; }

Image impulse(std::int64_t radius) {
  Image line = Image::allocate({.shape = {2 * radius + 1, 1, 1}, .type = PixelType::f64});
  double* row = line.mutable_row<double>(0);
  std::fill(row, row + line.shape().x, 0.0);
  row[radius] = 1;
  return line;
}

std::vector<double> smoothed(const Image& line, SmoothMethod method, double sigma,
                             Precision precision, const Device& device) {
  const PixelType type = precision == Precision::float64 ? PixelType::f64 : PixelType::f32;
  const Image input = device.upload(convert(line, {.type = type}).download());
  const Image output = smooth(input, {.sigma = Scale(sigma, 0),
                                      .method = method,
                                      .border = {Border::constant, 0},
                                      .precision = precision});
  const Image host = convert(output.download(), {.type = PixelType::f64}).download();
  const auto* row = host.row<double>(0);
  return {row, row + host.shape().x};
}

}  // namespace

ImpulseResponse impulse_response(SmoothMethod method, double sigma, Precision precision,
                                 const Device& device) {
  const std::int64_t radius = radius_for(sigma);
  ImpulseResponse response;
  response.found = smoothed(impulse(radius), method, sigma, precision, device);
  response.exact = exact_weights(sigma, radius);
  const double peak = response.exact[static_cast<std::size_t>(radius)];
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < response.found.size(); ++i) {
    const auto place = static_cast<double>(static_cast<std::int64_t>(i) - radius);
    sum += response.found[i];
    squares += place * place * response.found[i];
    response.found[i] /= peak;
    response.exact[i] /= peak;
    response.error = std::max(response.error, std::abs(response.found[i] - response.exact[i]));
    response.lowest = std::min(response.lowest, response.found[i]);
  }
  response.sigma = std::sqrt(squares / sum);
  return response;
}

}  // namespace meander::bench
