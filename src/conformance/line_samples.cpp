// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "conformance/line_samples.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>

#include "meander/statistics.hpp"

namespace meander::conformance {

std::vector<TypePair> line_types(const Device& device) {
  std::vector<TypePair> pairs;
  for (const PixelType out : real_types(device)) {
    for (const PixelType in : all_pixel_types) {
      if (in == PixelType::f16 || (in == PixelType::f64 && out == PixelType::f32)) continue;
      pairs.push_back({in, out});
    }
  }
  return pairs;
}

std::vector<PixelType> real_types(const Device& device) {
  if (!device.info().has_float64) return {PixelType::f32};
  return {PixelType::f32, PixelType::f64};
}

std::vector<Description> line_descriptions(PixelType type) {
  std::vector<Description> all = sample_descriptions(type);
  all.push_back({.shape = {5, 4, 4}, .channels = 3, .type = type});
  return all;
}

Image line_image(const Description& description, double largest) {
  Description wide = description;
  wide.type = PixelType::f64;
  const Device reference = Device::open("reference");
  const Image values = reference.upload(sample_image(wide, false));
  const Image image = reference.allocate(description);
  reference.backend().convert(view_of(values), view_of(image), {.scale = largest * 0x1p-17});
  return image.download();
}

Image blank_for(const Image& image, PixelType type) {
  Description description = image.description();
  description.type = type;
  return sample_image(description, false);
}

double range_of(const Image& host) {
  const Statistics found = statistics(host);
  return std::max({std::abs(found.min), std::abs(found.max), std::abs(border_constant)});
}

double different_words(const Image& a, const Image& b) {
  std::int64_t different = 0;
  const engine::View& view = view_of(a);
  for (std::int64_t row = 0; row < view.rows(); ++row) {
    const std::byte* left = view.host_row(row);
    const std::byte* right = view_of(b).host_row(row);
    for (std::int64_t x = 0; x < 8 * view.shape.x; x += 8) {
      different += std::memcmp(left + x, right + x, 8) != 0;
    }
  }
  return static_cast<double>(different);
}

void raise(Deviation& found, double deviation) {
  found.deviation = std::max(found.deviation, deviation);
  ++found.cases;
}

namespace {

using engine::Recurrence;
using Complex = std::complex<double>;

/// feed[j] = Σ_{i<=j} c_i with Π((1 - p) + p·δ) = Σ c_j·δ^j over the poles p.
std::array<double, Recurrence::most_states> feed_of(const std::vector<Complex>& poles) {
  std::vector<Complex> polynomial = {1};
  for (const Complex p : poles) {
    polynomial.push_back(0);
    for (std::size_t j = polynomial.size(); j-- > 0;) {
      polynomial[j] *= 1.0 - p;
      if (j > 0) polynomial[j] += polynomial[j - 1] * p;
    }
  }
  std::array<double, Recurrence::most_states> feed{};
  Complex sum = 0;
  for (std::size_t j = 0; j < poles.size(); ++j) feed[j] = (sum += polynomial[j]).real();
  return feed;
}

/// Numbers around ±0.05 without a pattern.
double small_number(std::size_t index) {
  return 0.01 * static_cast<double>(static_cast<int>(index * 7 % 11) - 5);
}

Recurrence cascade_of(const std::vector<Complex>& poles) {
  Recurrence made;
  made.form = Recurrence::Form::cascade;
  made.states = static_cast<int>(poles.size());
  made.feed = feed_of(poles);
  made.steady[0] = 1;
  for (std::size_t row = 0; row < poles.size(); ++row) {
    for (std::size_t k = 0; k < poles.size(); ++k) {
      const std::size_t place = row * poles.size() + k;
      made.wrap[place] = (row == k ? 0.5 : 0) + small_number(place);
      made.turn[place] = (row == k ? 0.4 : 0) + small_number(place + 3);
    }
  }
  return made;
}

Recurrence sum_of(const std::vector<Complex>& poles) {
  Recurrence made;
  made.form = Recurrence::Form::sum;
  made.states = 2 * static_cast<int>(poles.size());
  for (std::size_t t = 0; t < poles.size(); ++t) {
    const Complex q = 1.0 - poles[t];
    const Complex steady = 1.0 / q;
    made.feed[2 * t] = q.real();
    made.feed[2 * t + 1] = q.imag();
    made.steady[2 * t] = steady.real();
    made.steady[2 * t + 1] = steady.imag();
    for (std::size_t k = 2 * t; k < 2 * t + 2; ++k) {
      made.backward[k] = 0.06 + small_number(k);
      made.forward[k] = 0.08 + small_number(k + 5);
      made.wrap[k] = (k % 2 == 0 ? 0.5 : 0) + small_number(k + 2);
      made.turn[k] = (k % 2 == 0 ? 0.3 : 0) + small_number(k + 7);
    }
  }
  return made;
}

Recurrence rounded(Recurrence recurrence) {
  const auto round = [](auto& numbers) {
    for (double& number : numbers) number = static_cast<float>(number);
  };
  round(recurrence.feed);
  round(recurrence.backward);
  round(recurrence.forward);
  round(recurrence.steady);
  round(recurrence.wrap);
  round(recurrence.turn);
  return recurrence;
}

}  // namespace

std::vector<Recurrence> sample_recurrences(PixelType type) {
  const Complex slow(0.8, 0.1), quick(0.6, 0.3), third(0.5, 0.2), fourth(0.3, -0.4);
  std::vector<Recurrence> all = {cascade_of({0.5, slow, std::conj(slow)}),
                                 cascade_of({quick, std::conj(quick), slow, std::conj(slow)}),
                                 cascade_of({0.5, quick, std::conj(quick), slow, std::conj(slow)}),
                                 sum_of({slow}),
                                 sum_of({slow, quick}),
                                 sum_of({slow, quick, third}),
                                 sum_of({slow, quick, third, fourth})};
  if (type == PixelType::f32) {
    for (Recurrence& recurrence : all) recurrence = rounded(recurrence);
  }
  return all;
}

Recurrence with_border(Recurrence recurrence, Border border, std::size_t turn) {
  constexpr std::int64_t warmups[] = {5, 40, 0, 1};
  recurrence.border = {.kind = border, .value = border_constant};
  const bool warms_up = border != Border::clamp && border != Border::constant;
  recurrence.warmup = warms_up ? warmups[turn % 4] : 0;
  return recurrence;
}

}  // namespace meander::conformance
