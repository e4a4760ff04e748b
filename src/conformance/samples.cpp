// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "conformance/samples.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include "meander/compare.hpp"

namespace meander::conformance {
namespace {

/// A bijection of 64-bit integers that scatters well (the finaliser of SplitMix64).
std::uint64_t scatter(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

constexpr double special_values[] = {
    0.0,    -0.0,     0.5,     1.5,     2.5,     -0.5,   -1.5,   254.5, 255.5, 256.0, -1.0, 32767.5,
    32768., -32768.5, 65534.5, 65535.5, 65536.0, 65519., 65520., 6e-8,  -3e-8, 1e-41, 1e5,  -1e5};
constexpr double nonfinite_values[] = {std::numeric_limits<double>::quiet_NaN(),
                                       std::numeric_limits<double>::infinity(),
                                       -std::numeric_limits<double>::infinity()};

/// Every seventh number is a special one, the others spread over ±2^17 with 30 significant bits.
double sample_value(std::uint64_t index, bool with_nonfinite) {
  const std::uint64_t bits = scatter(index + 1);
  if (with_nonfinite && index % 29 == 13)
    return nonfinite_values[bits % std::size(nonfinite_values)];
  if (index % 7 == 3) return special_values[bits % std::size(special_values)];
  return std::ldexp(static_cast<double>(static_cast<std::int64_t>(bits >> 34)) - 0x1p29, -12);
}

}  // namespace

std::vector<Description> sample_descriptions(PixelType type) {
  std::vector<Description> all;
  for (const Shape& shape : {Shape{1, 1, 1}, Shape{3, 2, 1}, Shape{597, 43, 1}, Shape{9001, 3, 1},
                             Shape{1, 5003, 1}, Shape{31, 7, 5}}) {
    all.push_back({.shape = shape, .channels = shape.z > 1 ? 2 : 1, .type = type});
  }
  return all;
}

Image sample_image(const Description& description, bool with_nonfinite) {
  Image image = Image::allocate(description);
  std::uint64_t index = 0;
  visit(description.type, [&]<class T>(std::type_identity<T>) {
    for (int c = 0; c < description.channels; ++c) {
      for (std::int64_t z = 0; z < description.shape.z; ++z) {
        for (std::int64_t y = 0; y < description.shape.y; ++y) {
          T* row = image.mutable_row<T>(y, z, c);
          for (std::int64_t x = 0; x < description.shape.x; ++x) {
            row[x] = from_double<T>(sample_value(index++, with_nonfinite));
          }
        }
      }
    }
  });
  return image;
}

Image inside(const Image& image) {
  Image part = image;
  if (part.shape().y > 2) part = part.rows(1, part.shape().y - 1);
  if (part.shape().z > 2) part = part.slices(1, part.shape().z - 1);
  return part;
}

double largest_difference(const Image& a, const Image& b) { return compare(a, b).max; }

}  // namespace meander::conformance
