// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/device.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace meander {
namespace {

template <class Exception>
std::string refusal_of(std::string_view name) {
  try {
    Device::open(name);
  } catch (const Exception& error) {
    return error.what();
  }
  return "opened";
}

TEST(Device, CpuAndReferenceAreAlwaysThere) {
  const auto devices = Device::list();
  const auto has = [&](std::string_view name) {
    return std::any_of(devices.begin(), devices.end(),
                       [&](const DeviceInfo& info) { return info.name == name; });
  };
  EXPECT_TRUE(has("cpu"));
  EXPECT_TRUE(has("reference"));
  for (const DeviceInfo& info : devices) {
    EXPECT_EQ(Device::open(info.name).name(), info.name);
    EXPECT_GT(info.memory_bytes, 0u) << info.name;
    EXPECT_FALSE(info.description.empty()) << info.name;
  }
}

TEST(Device, AutoTakesAGpuElseTheCpuNeverAnOpenclCpu) {
  const DeviceInfo chosen = Device::open("auto").info();
  EXPECT_TRUE(chosen.is_gpu || chosen.name == "cpu") << chosen.name;
}

/// GPUs first, then cpu, then OpenCL on processors, the judge last.
TEST(Device, AreListedFastestFirst) {
  std::vector<int> ranks;
  for (const DeviceInfo& info : Device::list()) {
    ranks.push_back(info.is_gpu ? 0 : info.name == "cpu" ? 1 : info.name == "reference" ? 3 : 2);
  }
  EXPECT_TRUE(std::is_sorted(ranks.begin(), ranks.end()));
}

TEST(Device, UnknownNamesAreTheCallersFault) {
  EXPECT_NE(
      refusal_of<InvalidArgument>("tpu").find("device 'tpu' is unknown, expected one of auto, "),
      std::string::npos);
  EXPECT_NE(refusal_of<InvalidArgument>("").find("unknown"), std::string::npos);
}

TEST(Device, ARefusalNamesTheDevice) {
  for (const char* name : {"tpu", "cpu:7"}) {
    try {
      Device::open(name);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.about.device, name);
    }
  }
}

TEST(Device, ADeviceThatIsNotHereSaysWhy) {
  EXPECT_NE(refusal_of<Unsupported>("cpu:7").find("device cpu:7 is not on this machine"),
            std::string::npos);
  for (const AbsentBackend& backend : Device::absent()) {
    EXPECT_EQ(refusal_of<Unsupported>(backend.name + ":0"),
              "device " + backend.name + ":0 is not available: " + backend.reason);
  }
}

TEST(Device, HandlesOfOneNameAreOneDevice) {
  EXPECT_TRUE(Device::open("cpu") == Device::open("cpu"));
}

TEST(Device, UploadToTheSameDeviceSharesPixels) {
  Image image = Image::allocate({.shape = {4, 4, 1}, .type = PixelType::u8});
  const Image same = Device::open("cpu").upload(image);
  image.mutable_row<std::uint8_t>(2)[1] = 42;
  EXPECT_EQ(same.row<std::uint8_t>(2)[1], 42);
  const Image judged = Device::open("reference").upload(image);
  EXPECT_EQ(judged.device().name(), "reference");
  EXPECT_EQ(judged.download().row<std::uint8_t>(2)[1], 42);
}

TEST(Device, BudgetIsKept) {
  const Device cpu = Device::open("cpu");
  const std::uint64_t before = cpu.memory().budget;
  cpu.set_memory_budget(cpu.memory().in_use + 1000);
  EXPECT_THROW(cpu.allocate({.shape = {1000, 1000, 1}}), OutOfMemory);
  EXPECT_NO_THROW(cpu.allocate({.shape = {4, 4, 1}}));
  cpu.set_memory_budget(before);
  EXPECT_NO_THROW(cpu.allocate({.shape = {1000, 1000, 1}}));
}

TEST(Device, HugeImagesAreRefusedWithoutAllocating) {
  EXPECT_THROW(Image::allocate({.shape = {100000, 100000, 100000}}), OutOfMemory);
}

TEST(Threads, SettingIsCheckedAndResolved) {
  EXPECT_THROW(set_threads(-1), InvalidArgument);
  EXPECT_THROW(set_threads(1025), InvalidArgument);
  set_threads(3);
  EXPECT_EQ(threads(), 3);
  set_threads(0);
  EXPECT_GE(threads(), 1);
}

}  // namespace
}  // namespace meander
