// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// The conformance sources of src/conformance over every device of this machine; what each test
// program runs on is in its name.
#include <gtest/gtest.h>

#include "conformance/samples.hpp"
#include "meander/convert.hpp"
#include "meander/statistics.hpp"

namespace meander {
namespace {

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (const DeviceInfo& info : Device::list()) names.push_back(info.name);
  return names;
}

class Conformance : public testing::TestWithParam<std::string> {};

TEST_P(Conformance, EveryEngineAgreesWithReference) {
  const auto found = verify(Device::open(GetParam()));
  ASSERT_GE(found.size(), 40u);
  for (const Deviation& deviation : found) {
    EXPECT_TRUE(deviation.passed())
        << deviation.engine << ", " << deviation.check << ": " << deviation.deviation << " exceeds "
        << deviation.tolerance << " " << deviation.failure;
    EXPECT_GT(deviation.cases, 0) << deviation.check;
  }
}

/// The suite itself must notice a wrong device: a shifted image is not the same image.
TEST(ConformanceSamples, DifferencesAreSeen) {
  const Image image =
      conformance::sample_image({.shape = {31, 7, 5}, .type = PixelType::f32}, false);
  EXPECT_EQ(conformance::largest_difference(image, image), 0);
  EXPECT_GT(conformance::largest_difference(image.rows(0, 6), image.rows(1, 7)), 0);
}

TEST(ConformanceSamples, HoldWhatHurts) {
  const Image image =
      conformance::sample_image({.shape = {597, 43, 1}, .type = PixelType::f32}, true);
  const Statistics figures = statistics(image);
  EXPECT_GT(figures.nonfinite, 100);
  EXPECT_LT(figures.min, -1e5);
  EXPECT_GT(figures.max, 1e5);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Devices, Conformance, testing::ValuesIn(device_names()), test_name);

}  // namespace
}  // namespace meander
