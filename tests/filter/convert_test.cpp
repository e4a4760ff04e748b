// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/convert.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stop_token>

#include "meander/device.hpp"
#include "meander/statistics.hpp"

namespace meander {
namespace {

template <class T>
Image image_of(std::initializer_list<T> values) {
  Image image = Image::allocate({.shape = {static_cast<std::int64_t>(values.size()), 1, 1},
                                 .type = pixel_type_of<T>(),
                                 .spacing = {.x = 0.5}});
  std::copy(values.begin(), values.end(), image.mutable_row<T>(0));
  return image;
}

template <class T>
std::vector<T> values_of(const Image& image) {
  const Image host = image.download();
  return {host.row<T>(0), host.row<T>(0) + host.shape().x};
}

/// The answers are written out: by the definition of rounding, not by another implementation.
TEST(Convert, FloatsRoundToEvenAndSaturate) {
  const Image floats =
      image_of<float>({-3, -0.5f, 0.5f, 1.5f, 254.5f, 255.5f, 1e9f, NAN, INFINITY, -INFINITY});
  EXPECT_EQ(values_of<std::uint8_t>(convert(floats, {.type = PixelType::u8})),
            (std::vector<std::uint8_t>{0, 0, 0, 2, 254, 255, 255, 0, 255, 0}));
  EXPECT_EQ(values_of<std::int16_t>(convert(floats, {.type = PixelType::i16})),
            (std::vector<std::int16_t>{-3, 0, 0, 2, 254, 256, 32767, 0, 32767, -32768}));
}

TEST(Convert, IntegersSaturateIntoEachOther) {
  EXPECT_EQ(values_of<std::int16_t>(convert(image_of<std::uint16_t>({0, 32767, 32768, 65535}),
                                            {.type = PixelType::i16})),
            (std::vector<std::int16_t>{0, 32767, 32767, 32767}));
  EXPECT_EQ(values_of<std::uint8_t>(
                convert(image_of<std::int16_t>({-5, 255, 256}), {.type = PixelType::u8})),
            (std::vector<std::uint8_t>{0, 255, 255}));
}

/// 2^24 + 1 is a tie in float32 if the double went through it; u16 to f64 must not lose anything
/// either.
TEST(Convert, DoublesAreRoundedOnce) {
  const double above_tie = 0.5 + 0x1p-40;  // float32 would make it 0.5 and then 0
  EXPECT_EQ(
      values_of<std::uint8_t>(convert(image_of<double>({above_tie}), {.type = PixelType::u8})),
      (std::vector<std::uint8_t>{1}));
  EXPECT_EQ(values_of<Half>(
                convert(image_of<double>({1 + 0x1p-11 + 0x1p-40}), {.type = PixelType::f16}))[0]
                .bits,
            0x3c01);
}

TEST(Convert, WindowMapsOntoTheWholeRange) {
  const Image image = image_of<float>({100, 150, 300, 0, 400});
  EXPECT_EQ(
      values_of<std::uint8_t>(convert(image, {.type = PixelType::u8, .window = {{100, 300}}})),
      (std::vector<std::uint8_t>{0, 64, 255, 0, 255}));
  EXPECT_EQ(
      values_of<std::int16_t>(convert(image, {.type = PixelType::i16, .window = {{100, 300}}})),
      (std::vector<std::int16_t>{-32768, -16384, 32767, -32768, 32767}));
  EXPECT_EQ(values_of<float>(convert(image, {.window = {{100, 300}}})),
            (std::vector<float>{0, 0.25f, 1, -0.5f, 1.5f}));
}

TEST(Convert, KeepsSpacingAndTypeUnlessAsked) {
  const Image image = image_of<float>({1, 2});
  EXPECT_EQ(convert(image, {}).description(), image.description());
  EXPECT_EQ(convert(image, {.type = PixelType::f64}).spacing().x, 0.5);
}

TEST(Convert, RefusesAnEmptyOrEndlessWindow) {
  const Image image = image_of<float>({1, 2});
  EXPECT_THROW(convert(image, {.window = {{1, 1}}}), InvalidArgument);
  EXPECT_THROW(convert(image, {.window = {{2, 1}}}), InvalidArgument);
  EXPECT_THROW(convert(image, {.window = {{0, std::numeric_limits<double>::infinity()}}}),
               InvalidArgument);
  EXPECT_THROW(convert(image, {.window = {{std::nan(""), 1}}}), InvalidArgument);
  EXPECT_THROW(convert(image, {.window = {{-1e308, 1e308}}}), InvalidArgument);
  EXPECT_THROW(convert(image, {.type = PixelType::f64, .window = {{0, 1e-320}}}), InvalidArgument);
}

/// An image handed to another device must be finished first, whatever its own queue still holds.
TEST(Convert, ResultsCanBeUploadedToEveryDevice) {
  for (const DeviceInfo& info : Device::list()) {
    const Image pending = convert(image_of<float>({1.25f, 2.5f, -3}), {.type = PixelType::f64});
    EXPECT_EQ(values_of<double>(Device::open(info.name).upload(pending)),
              (std::vector<double>{1.25, 2.5, -3}))
        << info.name;
  }
}

/// On every device, the peak is what was announced, within a twentieth.
/// Of calls of one engine: a stop that comes after they have begun.
TEST(Convert, IsCancelledAsStatisticsAndCopiesAre) {
  const Image host = Image::allocate({.shape = {300, 200, 1}, .type = PixelType::f32});
  const auto is_cancelled = [](auto&& call) {
    std::stop_source source;
    const Control control{.stop = source.get_token(),
                          .progress = [&](double) { source.request_stop(); }};
    try {
      call(control);
    } catch (const Cancelled&) {
      return true;
    }
    return false;
  };
  for (const DeviceInfo& info : Device::list()) {
    const Device device = Device::open(info.name);
    const Image image = device.upload(convert(host, {.type = PixelType::f32}));
    EXPECT_TRUE(is_cancelled([&](const Control& control) { statistics(image, control); }));
    EXPECT_TRUE(is_cancelled([&](const Control& control) {
      convert(image, {.type = PixelType::u8}, control);
    })) << info.name;
    if (!info.is_gpu) continue;  // nothing is copied
    EXPECT_TRUE(is_cancelled([&](const Control& control) { device.upload(host, control); }));
    EXPECT_TRUE(is_cancelled([&](const Control& control) { image.download(control); }));
    EXPECT_NO_THROW(image.download());
  }
}

/// Blocks are taken again, so that the second image shows what was written into the first.
TEST(Convert, WritesNothingAfterAStop) {
  if (std::getenv("MEANDER_QUEUE") != nullptr) GTEST_SKIP() << "a deferred task hears no stop";
  const Description bytes{.shape = {300, 200, 1}, .type = PixelType::u8};
  const auto filled = [&](int value) {
    Image image = Image::allocate(bytes);
    for (std::int64_t y = 0; y < 200; ++y)
      std::fill_n(image.mutable_row<std::uint8_t>(y), 300, value);
    return image;
  };
  const Image zeros = convert(filled(0), {.type = PixelType::f32});
  std::stop_source source;
  const Control control{.stop = source.get_token(),
                        .progress = [&](double) { source.request_stop(); }};
  filled(7);
  EXPECT_THROW(convert(zeros, {.type = PixelType::u8}, control), Cancelled);
  const Image again = Image::allocate(bytes);
  EXPECT_EQ(again.row<std::uint8_t>(0)[0], 7);
  EXPECT_EQ(again.row<std::uint8_t>(199)[299], 7);
}

/// Floats are gone through twice.
TEST(Convert, StatisticsGoThroughNothingAfterAStop) {
  if (std::getenv("MEANDER_QUEUE") != nullptr) GTEST_SKIP() << "a deferred task hears no stop";
  const Device device = Device::open("cpu");
  const Image image = Image::allocate({.shape = {300, 200, 1}, .type = PixelType::f32});
  const auto before = device.counters().launches;
  statistics(image);
  const auto both = device.counters().launches - before;
  std::stop_source source;
  const Control control{.stop = source.get_token(),
                        .progress = [&](double) { source.request_stop(); }};
  EXPECT_THROW(statistics(image, control), Cancelled);
  EXPECT_LT(device.counters().launches - before - both, both);
}

TEST(Convert, HoldsWhatItEstimates) {
  for (const DeviceInfo& info : Device::list()) {
    const Device device = Device::open(info.name);
    const Description description{.shape = {1001, 777, 2}, .channels = 2, .type = PixelType::u16};
    const ConvertOptions options{.type = PixelType::f32};
    const std::uint64_t before = device.memory().in_use;
    device.reset_memory_peak();
    const Image out = convert(device.allocate(description), options);
    device.synchronize();
    const auto held = static_cast<double>(device.memory().peak - before);
    const auto estimate = static_cast<double>(estimate_bytes(description, options));
    EXPECT_LE(held, 1.05 * estimate) << info.name;
    EXPECT_GE(held, 0.95 * estimate) << info.name;
  }
}

}  // namespace
}  // namespace meander
