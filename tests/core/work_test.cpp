// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/work.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "engine/registry.hpp"
#include "meander/flow.hpp"
#include "meander/react.hpp"
#include "meander/segment.hpp"
#include "meander/smooth.hpp"
#include "meander/version.hpp"

namespace meander {
namespace {

/// A GPU a hundred times as fast as `cpu` in everything.
std::vector<DeviceFigures> a_fast_gpu() {
  DeviceFigures cpu{.name = "cpu", .description = "a processor"};
  DeviceFigures gpu{
      .name = "cuda:0", .description = "a GPU", .start = 0.35, .upload = 1e-10, .download = 2e-10};
  for (auto& cost : cpu.costs) cost = {1e-9, 1e-6};
  for (auto& cost : gpu.costs) cost = {1e-11, 1e-5};
  return {cpu, gpu};
}

Work steps(double units, double launches = 1) {
  Work work;
  work[WorkKind::steps] = {units, launches};
  return work;
}

const IsOpen none_is_open = [](const DeviceFigures&) { return false; };
const IsOpen all_are_open = [](const DeviceFigures&) { return true; };

TEST(Work, SmallStaysOnCpuAndLargeGoesToTheGpu) {
  EXPECT_EQ(quickest(steps(3e8), a_fast_gpu(), none_is_open).index, 0u);
  EXPECT_EQ(quickest(steps(4e8), a_fast_gpu(), none_is_open).index, 1u);
}

TEST(Work, AnOpenDeviceNeedsNoStart) {
  EXPECT_EQ(quickest(steps(1e6, 10), a_fast_gpu(), none_is_open).index, 0u);
  EXPECT_EQ(quickest(steps(1e6, 10), a_fast_gpu(), all_are_open).index, 1u);
}

TEST(Work, LaunchesAndTransfersCount) {
  EXPECT_EQ(quickest(steps(1e6, 1000), a_fast_gpu(), all_are_open).index, 0u);
  Work moved = steps(1e6, 10);
  moved.download_bytes = 1e7;  // 2 ms
  EXPECT_EQ(quickest(moved, a_fast_gpu(), all_are_open).index, 0u);
}

TEST(Work, AtATieCpuIsTaken) {
  auto devices = a_fast_gpu();
  devices[1] = devices[0];
  devices[1].name = "cuda:0";
  EXPECT_EQ(quickest(steps(1e9), devices, none_is_open).index, 0u);
}

TEST(Work, TheReasonHasTheFigures) {
  EXPECT_EQ(quickest(steps(3e7, 0), a_fast_gpu(), none_is_open).why,
            "cpu: 0.03 s here, 0.35 s on cuda:0, of which 0.35 s are its start");
  EXPECT_EQ(quickest(steps(5e10, 0), a_fast_gpu(), none_is_open).why,
            "cuda:0: 0.85 s there, of which 0.35 s are its start, 50 s on cpu");
  EXPECT_EQ(quickest(steps(5e10, 0), a_fast_gpu(), all_are_open).why,
            "cuda:0: 0.5 s there, which has been started, 50 s on cpu");
}

TEST(Work, OfTwoGpusTheQuickerOne) {
  auto devices = a_fast_gpu();
  devices.push_back(devices[1]);
  devices[2].name = "cuda:1";
  devices[2].start = 0.2;
  EXPECT_EQ(quickest(steps(1e9), devices, none_is_open).index, 2u);
}

TEST(Work, AddsUpAndMultiplies) {
  Work work = steps(10, 2);
  work.upload_bytes = 5;
  work *= 3;
  work += steps(1, 1);
  EXPECT_EQ(work[WorkKind::steps].units, 31);
  EXPECT_EQ(work[WorkKind::steps].launches, 7);
  EXPECT_EQ(work.upload_bytes, 15);
  EXPECT_FALSE(work.is_empty());
  EXPECT_TRUE(Work{}.is_empty());
}

TEST(Work, IsThatOfTheFilters) {
  const Description image{.shape = {100, 50, 1}, .type = PixelType::u8};
  const Work smoothing = estimate_work(image, SmoothOptions{.sigma = 12});
  EXPECT_EQ(smoothing[WorkKind::lines].units, 2 * 5000);
  EXPECT_EQ(smoothing[WorkKind::lines].launches, 2);
  EXPECT_EQ(smoothing.upload_bytes, static_cast<double>(padded_bytes(image)));
  EXPECT_FALSE(smoothing.needs_float64);
  EXPECT_TRUE(estimate_work(image, SmoothOptions{.precision = Precision::float64}).needs_float64);
  const Work reacting = estimate_work(image, ReactOptions{.steps = 30});
  EXPECT_EQ(reacting[WorkKind::steps].units, 2 * 5000 * 30);
  EXPECT_EQ(reacting[WorkKind::steps].launches, 30);
  const Work stepping =
      estimate_work(image, FlowOptions{.solver = FlowSolver::explicit_steps, .iterations = 7});
  EXPECT_EQ(stepping[WorkKind::steps].units, 2 * 5000 * 7);
  const auto cycles = [&](double tolerance) {
    return estimate_work(image, FlowOptions{.tolerance = tolerance})[WorkKind::cycles].units;
  };
  EXPECT_EQ(cycles(1e-4), 2 * 5000 * 3);
  EXPECT_GT(cycles(1e-6), cycles(1e-4));
  EXPECT_EQ(estimate_work(image, SegmentOptions{})[WorkKind::outlines].units, 5000);
}

/// On a machine like the one they are from: small images stay, 8192x8192 goes.
TEST(Figures, BuiltInOnesFavourTheGpuForLargeWorkOnly) {
  const auto devices = built_in_figures(16).devices;
  const auto goes = [&](const Work& work) { return quickest(work, devices, none_is_open).index; };
  const auto image = [](std::int64_t side) {
    return Description{.shape = {side, side, 1}, .type = PixelType::u8};
  };
  EXPECT_EQ(goes(estimate_work(image(512), ReactOptions{})), 0u);
  EXPECT_EQ(goes(estimate_work(image(8192), ReactOptions{})), 1u);
  EXPECT_EQ(goes(estimate_work(image(512), FlowOptions{})), 0u);
  EXPECT_EQ(goes(estimate_work(image(8192), SegmentOptions{})), 0u);
}

TEST(Figures, MoreThreadsMakeCpuFaster) {
  Figures figures{.threads = 4, .driver = {}, .devices = a_fast_gpu()};
  const Figures twice = scaled(figures, 8);
  EXPECT_DOUBLE_EQ(twice.devices[0].costs[0].unit, 0.5e-9);
  EXPECT_DOUBLE_EQ(twice.devices[0].costs[0].launch, 1e-6);
  EXPECT_DOUBLE_EQ(twice.devices[1].costs[0].unit, 1e-11);
}

std::string example() { return text_of({.threads = 4, .driver = "1.2", .devices = a_fast_gpu()}); }

std::string fault_in(std::string text) {
  try {
    figures_in(text);
  } catch (const MalformedFile& fault) {
    return fault.what();
  }
  return "none";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Figures, ComeBackFromTheirText) {
  const Figures back = figures_in(example());
  EXPECT_EQ(back.threads, 4);
  EXPECT_EQ(back.driver, "1.2");
  ASSERT_EQ(back.devices.size(), 2u);
  EXPECT_EQ(back.devices[1].description, "a GPU");
  EXPECT_EQ(back.devices[1].start, 0.35);
  EXPECT_EQ(back.devices[1].costs[3].launch, 1e-5);
  EXPECT_EQ(text_of(back), example());
}

TEST(Figures, OfAnotherVersionOrDamagedAreRefused) {
  const std::string version_line = "version " + std::string(version());
  EXPECT_EQ(fault_in(with(example(), version_line, "version 0.0.1")),
            "line 2 has '0.0.1', expected the version " + std::string(version()));
  for (const char* number : {"0", "-1", "nan", "inf", "1e999", "x", "", "1 2"}) {
    EXPECT_NE(fault_in(with(example(), "start 0.35", std::string("start ") + number)), "none")
        << number;
  }
  EXPECT_NE(fault_in(with(example(), "threads 4", "threads 0")), "none");
  EXPECT_NE(fault_in(with(example(), "device cpu", "device gpu")), "none");
  EXPECT_NE(fault_in(with(example(), "device cuda:0", "device cpu")), "none");
  EXPECT_NE(fault_in(""), "none");
}

/// Every part of it and every damaged byte: refused or read, never a crash.
TEST(Figures, HostileTextsDoNoHarm) {
  const std::string text = example();
  for (std::size_t i = 0; i < text.size(); ++i) {
    fault_in(text.substr(0, i));
    for (const char byte : {'\0', '\n', ' ', '9', '\xff'}) {
      std::string damaged = text;
      damaged[i] = byte;
      fault_in(damaged);
    }
  }
  EXPECT_NE(fault_in(std::string(100000, '\n')), "none");
  std::string many = text;
  for (int i = 0; i < 100; ++i) many += text.substr(text.find("device cuda:0"));
  EXPECT_NE(fault_in(many), "none");
}

/// A folder of caches for as long as this lives.
class ForWork : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "meander-XXXXXX").string();
    folder = mkdtemp(name.data());
    setenv("MEANDER_CACHE", folder.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("MEANDER_CACHE");
    std::filesystem::remove_all(folder);
  }
  void keep(const std::string& text) const { std::ofstream(figures_file()) << text; }
  std::filesystem::path folder;
};

/// First, as `ctest` runs this suite in a process of its own.
TEST_F(ForWork, ALittleLoadsNoDriverAndIsTheSameTwice) {
  const bool before = engine::has_registry();
  for (int i = 0; i < 2; ++i) {
    const Choice choice = Device::for_work(steps(1e6));
    EXPECT_EQ(choice.device.name(), "cpu");
    EXPECT_EQ(choice.warning, "");
    EXPECT_NE(choice.why.find("on a CUDA GPU, of which 0.4 s are its start"), std::string::npos);
  }
  EXPECT_EQ(Device::for_work({}).device.name(), "cpu");
  EXPECT_EQ(engine::has_registry(), before);
}

TEST_F(ForWork, MeasuredFiguresCount) {
  Figures figures{.threads = threads(), .driver = nvidia_driver(), .devices = a_fast_gpu()};
  figures.devices[0].description = Device::open("cpu").info().description;
  keep(text_of(figures));
  EXPECT_EQ(figures_file(), folder / "figures.txt");
  const Choice choice = Device::for_work(steps(3e7, 0));
  EXPECT_EQ(choice.warning, "");
  EXPECT_EQ(choice.why, "cpu: 0.03 s here, 0.35 s on cuda:0, of which 0.35 s are its start");
}

TEST_F(ForWork, FiguresOfOthersAreIgnoredWithALine) {
  Figures figures{.threads = threads(), .driver = nvidia_driver(), .devices = a_fast_gpu()};
  const auto warning = [&](const std::string& text, double units = 1e6) {
    keep(text);
    return Device::for_work(steps(units)).warning;
  };
  EXPECT_NE(warning(text_of(figures)).find("is of the processor 'a processor'"), std::string::npos);
  figures.devices[0].description = Device::open("cpu").info().description;
  figures.driver = "0.0";
  EXPECT_NE(warning(text_of(figures)).find("is of the driver '0.0'"), std::string::npos);
  EXPECT_NE(warning(std::string(1 << 20, 'x')).find("is too long"), std::string::npos);
  EXPECT_NE(warning("").find("cannot be read"), std::string::npos);
  EXPECT_NE(warning("rubbish").find("line 1 has 'rubbish'"), std::string::npos);
  // That a GPU is another one, or gone, is seen when it would be used.
  figures.driver = nvidia_driver();
  EXPECT_EQ(warning(text_of(figures)), "");
  EXPECT_NE(warning(text_of(figures), 1e12).find("figures are ignored"), std::string::npos);
}

TEST_F(ForWork, AFolderInPlaceOfTheFileIsIgnoredToo) {
  std::filesystem::create_directory(figures_file());
  EXPECT_NE(Device::for_work(steps(1e6)).warning.find("is no regular file"), std::string::npos);
}

}  // namespace
}  // namespace meander
