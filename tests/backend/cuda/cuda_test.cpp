// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// What is CUDA's own; agreement with `reference` is tested by the conformance suite.
#include <gtest/gtest.h>

#include "backend/cuda/kernels.hpp"
#include "backend/cuda/queue.hpp"
#include "conformance/samples.hpp"
#include "meander/convert.hpp"
#include "meander/statistics.hpp"

namespace meander::cuda {
namespace {

class Cuda : public testing::Test {
 protected:
  void SetUp() override {
    for (const AbsentBackend& backend : Device::absent()) {
      if (backend.name == "cuda") GTEST_SKIP() << "no CUDA device: " << backend.reason;
    }
  }
  Device gpu() const { return Device::open("cuda:0"); }
};

TEST_F(Cuda, IsWhatAutoChooses) { EXPECT_EQ(Device::open("auto").name(), "cuda:0"); }

TEST_F(Cuda, ConvertsToTheSameNumbersAsCpu) {
  for (const PixelType from : all_pixel_types) {
    for (const Description& description : conformance::sample_descriptions(from)) {
      const Image host = conformance::inside(conformance::sample_image(description, true));
      for (const PixelType to : all_pixel_types) {
        const ConvertOptions options{.type = to, .window = std::array{-10.5, 200.25}};
        EXPECT_EQ(conformance::largest_difference(convert(host, options).download(),
                                                  convert(gpu().upload(host), options).download()),
                  0)
            << name_of(from) << " to " << name_of(to);
      }
    }
  }
}

TEST_F(Cuda, ReducesToTheSameBitsAsCpu) {
  for (const PixelType type : all_pixel_types) {
    for (const Description& description : conformance::sample_descriptions(type)) {
      const Image host = conformance::inside(conformance::sample_image(description, true));
      const Statistics expected = statistics(host), found = statistics(gpu().upload(host));
      EXPECT_EQ(found.sum, expected.sum) << name_of(type);
      EXPECT_EQ(found.norm1, expected.norm1) << name_of(type);
      EXPECT_EQ(found.norm2, expected.norm2) << name_of(type);
      EXPECT_EQ(found.min, expected.min) << name_of(type);
      EXPECT_EQ(found.nonfinite, expected.nonfinite) << name_of(type);
    }
  }
}

/// Every intermediate image loses its last handle before the device has touched it.
TEST_F(Cuda, BlocksLiveUntilTheyHaveBeenUsed) {
  const Image host =
      conformance::sample_image({.shape = {1999, 1001, 1}, .type = PixelType::u16}, false);
  Image image = gpu().upload(host);
  for (int i = 0; i < 400; ++i) {
    image = convert(image, {.type = i % 2 == 0 ? PixelType::f32 : PixelType::u16});
  }
  EXPECT_EQ(conformance::largest_difference(host, image.download()), 0);
}

TEST_F(Cuda, BeyondItsMemoryIsRefusedAndTheDeviceGoesOn) {
  EXPECT_THROW(gpu().allocate({.shape = {1 << 20, 1 << 20, 4}}), OutOfMemory);
  gpu().set_memory_budget(std::uint64_t{1} << 50);
  EXPECT_THROW(gpu().allocate({.shape = {1 << 20, 1 << 20, 4}}), DeviceError);
  gpu().set_memory_budget(gpu().info().memory_bytes);
  const Image host = conformance::sample_image({.shape = {31, 7, 5}}, false);
  EXPECT_EQ(conformance::largest_difference(host, gpu().upload(host).download()), 0);
}

TEST_F(Cuda, ALaunchThatFailsIsNamed) {
  Queue queue(0, "cuda:0");
  const Layout nothing{.first = nullptr, .width = 1, .height = 1, .depth = 1, .rows = 0};
  try {
    queue.run("convert", 1, [&](cudaStream_t stream) {
      return launch_convert(stream, 0, nothing, 0, nothing, 1, 0, true);  // a grid of no rows
    });
    FAIL();
  } catch (const DeviceError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("cuda:0: convert failed: ", 0), 0u) << error.what();
  }
}

/// Last of all: an invalid address ruins the process's context for good.
TEST_F(Cuda, ZALateFailureNamesItsOperation) {
  Queue queue(0, "cuda:0");
  const Layout wild{.first = nullptr, .width = 1, .height = 1, .depth = 1, .rows = 1};
  queue.run("convert", 1, [&](cudaStream_t stream) {
    return launch_convert(stream, 0, wild, 0, wild, 1, 0, true);
  });
  try {
    queue.finish();
    FAIL();
  } catch (const DeviceError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("cuda:0: convert failed: ", 0), 0u) << error.what();
  }
}

}  // namespace
}  // namespace meander::cuda
