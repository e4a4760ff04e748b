// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "core/image_state.hpp"
#include "engine/view_lines.hpp"
#include "meander/device.hpp"

/// What the tests of the engines that work along lines share.
namespace meander {

using Numbers = std::vector<double>;

inline constexpr engine::Axis axes[] = {engine::Axis::x, engine::Axis::y, engine::Axis::z};

inline const engine::View& view_of(const Image& image) { return image.state().view; }

inline std::int64_t& extent(Shape& shape, engine::Axis axis) {
  return axis == engine::Axis::x ? shape.x : axis == engine::Axis::y ? shape.y : shape.z;
}

/// Images in which every line along an axis holds the numbers, and what comes back of one line.
class OnDevice {
 public:
  OnDevice(const Device& device, engine::Axis axis) : device_(device), axis_(axis) {}

  Image image(const Numbers& line, PixelType type) const {
    Shape shape{3, 2, 2};
    extent(shape, axis_) = static_cast<std::int64_t>(line.size());
    Image host = Image::allocate({.shape = shape, .channels = 2, .type = type});
    visit(type, [&]<class T>(std::type_identity<T>) {
      for_each_pixel<T>(host,
                        [&](T& pixel, std::size_t place) { pixel = from_double<T>(line[place]); });
    });
    return device_.upload(host);
  }

  /// The numbers of a line, after making sure that all lines are alike.
  template <class T>
  std::vector<T> line_of(const Image& image) const {
    Image host = image.download();
    Shape shape = host.shape();
    std::vector<T> line(static_cast<std::size_t>(extent(shape, axis_)));
    for_each_pixel<T>(host, [&](T& pixel, std::size_t place) { line[place] = pixel; });
    for_each_pixel<T>(host, [&](T& pixel, std::size_t place) {
      EXPECT_EQ(std::bit_cast<Bits<T>>(pixel), std::bit_cast<Bits<T>>(line[place]));
    });
    return line;
  }
  Numbers numbers_of(const Image& image) const {
    if (image.type() == PixelType::f64) return line_of<double>(image);
    const auto line = line_of<float>(image);
    return {line.begin(), line.end()};
  }

 private:
  template <class T>
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

  template <class T, class F>
  void for_each_pixel(Image& host, F f) const {
    const Shape shape = host.shape();
    for (int c = 0; c < host.channels(); ++c) {
      for (std::int64_t z = 0; z < shape.z; ++z) {
        for (std::int64_t y = 0; y < shape.y; ++y) {
          for (std::int64_t x = 0; x < shape.x; ++x) {
            const std::int64_t place = axis_ == engine::Axis::x   ? x
                                       : axis_ == engine::Axis::y ? y
                                                                  : z;
            f(host.mutable_row<T>(y, z, c)[x], static_cast<std::size_t>(place));
          }
        }
      }
    }
  }

  const Device& device_;
  engine::Axis axis_;
};

inline std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (const DeviceInfo& info : Device::list()) names.push_back(info.name);
  return names;
}

/// Runs once for every device of this machine.
class Lines : public testing::TestWithParam<std::string> {
 protected:
  const Device device = Device::open(GetParam());
  engine::Backend& backend = device.backend();

  std::vector<PixelType> reals() const {
    if (device.info().has_float64) return {PixelType::f32, PixelType::f64};
    return {PixelType::f32};
  }
};

inline std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
}

}  // namespace meander
