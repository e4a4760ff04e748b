// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "backend/opencl/opencl_test.hpp"
#include "meander/statistics.hpp"

/// Devices are found once in a process, so each of these runs in a process of its own.
namespace meander {
namespace {

/// Prints why there is no OpenCL; succeeds if the processor still computes.
[[noreturn]] void report_absence() {
  for (const AbsentBackend& backend : Device::absent()) {
    if (backend.name == "opencl") std::cerr << "absent: " << backend.reason << "\n";
  }
  for (const DeviceInfo& info : Device::list()) {
    if (info.name.starts_with("opencl")) std::cerr << "yet there is " << info.name << "\n";
  }
  try {
    Device::open("opencl:0");
    std::exit(2);
  } catch (const Unsupported& refusal) {
    std::cerr << "refused: " << refusal.what() << "\n";
  }
  Image image = Image::allocate({.shape = {2, 1, 1}, .type = PixelType::u8});
  image.mutable_row<std::uint8_t>(0)[0] = 3;
  image.mutable_row<std::uint8_t>(0)[1] = 4;
  std::exit(Device::open("cpu") == image.device() && statistics(image).sum == 7 ? 0 : 3);
}

/// Khronos's loader takes no folder of drivers from the environment when root runs it; ocl-icd
/// does. Told by its file, because asking the loader would make it look for drivers before they are
/// hidden.
bool loader_heeds_its_folder_of_drivers() {
  void* loader = dlopen("libOpenCL.so.1", RTLD_NOW);
  Dl_info place{};
  if (loader == nullptr || dladdr(dlsym(loader, "clGetPlatformIDs"), &place) == 0) return false;
  std::ifstream file(place.dli_fname, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  return geteuid() != 0 || bytes.find("clGetICDLoaderInfoOCLICD") != std::string::npos;
}

class Absence : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(Absence, OfTheLibraryIsExplained) {
  EXPECT_EXIT(
      {
        setenv("MEANDER_OPENCL_LIBRARY", "/nonexistent.so", 1);
        report_absence();
      },
      ::testing::ExitedWithCode(0), "absent: .*/nonexistent.so.*\nrefused: .*nonexistent");
}

TEST_F(Absence, OfItsFunctionsIsExplained) {
  EXPECT_EXIT(
      {
        setenv("MEANDER_OPENCL_LIBRARY", "libm.so.6", 1);
        report_absence();
      },
      ::testing::ExitedWithCode(0), "absent: libm.so.6 lacks the function cl.*\nrefused: ");
}

TEST_F(Absence, OfEveryPlatformIsExplained) {
  if (!loader_heeds_its_folder_of_drivers())
    GTEST_SKIP() << "the loader's drivers cannot be hidden";
  const opencl::TemporaryFolder empty;
  EXPECT_EXIT(
      {
        // The two common loaders have a name each for the folder of drivers.
        setenv("OCL_ICD_VENDORS", empty.path.c_str(), 1);
        setenv("OPENCL_VENDOR_PATH", empty.path.c_str(), 1);
        report_absence();
      },
      ::testing::ExitedWithCode(0), "absent: no platform.*\nrefused: ");
}

TEST_F(Absence, OfADriverThatIsListedIsExplained) {
  if (!loader_heeds_its_folder_of_drivers())
    GTEST_SKIP() << "the loader's drivers cannot be hidden";
  const opencl::TemporaryFolder vendors;
  EXPECT_EXIT(
      {
        std::ofstream(vendors.path / "broken.icd") << "/nonexistent/driver.so\n";
        setenv("OCL_ICD_VENDORS", vendors.path.c_str(), 1);
        setenv("OPENCL_VENDOR_PATH", vendors.path.c_str(), 1);
        report_absence();
      },
      ::testing::ExitedWithCode(0), "absent: no platform.*\nrefused: ");
}

class Discovery : public opencl::OpenClTest {};

TEST_F(Discovery, DescribesDevicesAndPutsGraphicsProcessorsFirst) {
  engine::Registry registry;
  opencl::discover(registry);
  EXPECT_TRUE(registry.absent.empty());
  bool others = false;
  for (std::size_t i = 0; i < registry.devices.size(); ++i) {
    const DeviceInfo& info = registry.devices[i]->info();
    EXPECT_EQ(info.name, "opencl:" + std::to_string(i));
    EXPECT_FALSE(info.description.empty());
    EXPECT_GT(info.memory_bytes, 1u << 20);
    EXPECT_EQ(registry.devices[i]->pool().use().budget, info.memory_bytes);
    EXPECT_FALSE(info.is_gpu && others) << info.name;
    others = others || !info.is_gpu;
  }
}

}  // namespace
}  // namespace meander
