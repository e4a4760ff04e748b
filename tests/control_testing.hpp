// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "meander/control.hpp"
#include "meander/device.hpp"

namespace meander::testing {

/// What holds of every call with a control: it throws Cancelled where a stop was asked for before
/// or at its first step, keeps no pixels then, and its progress rises to 1.
inline void expect_hears(const std::function<void(const Control&)>& call) {
  const Device cpu = Device::open("cpu");
  const auto in_use = [&] {
    cpu.synchronize();
    return cpu.memory().in_use;
  };
  const std::uint64_t before = in_use();
  std::stop_source early, late;
  early.request_stop();
  EXPECT_THROW(call({.stop = early.get_token(), .progress = {}}), Cancelled);
  int steps = 0;
  const auto stop_at_once = [&](double) {
    ++steps;
    late.request_stop();
  };
  EXPECT_THROW(call({.stop = late.get_token(), .progress = stop_at_once}), Cancelled);
  EXPECT_EQ(steps, 1);
  EXPECT_EQ(in_use(), before);
  std::vector<double> fractions;
  call({.stop = {}, .progress = [&](double fraction) { fractions.push_back(fraction); }});
  ASSERT_FALSE(fractions.empty());
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_GE(fractions.front(), 0);
  EXPECT_EQ(fractions.back(), 1);
}

}  // namespace meander::testing
