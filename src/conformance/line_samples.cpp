// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "conformance/line_samples.hpp"

#include <algorithm>
#include <cmath>
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

}  // namespace meander::conformance
