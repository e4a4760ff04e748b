// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "frame_report.hpp"

#include <gtest/gtest.h>

namespace meander::app {
namespace {

Json report_of(double read, double compute, int peak) {
  return {{"outputs", Json::array({{{"path", "o.npy"}}})},
          {"seconds", {{"read", read}, {"compute", compute}}},
          {"memory", {{"peak", peak}}},
          {"result", {{"slabs", peak}}}};
}

TEST(FrameReport, AddsUpTheSecondsOfAllFrames) {
  FrameReport all;
  all.add(4, report_of(1, 0.5, 10));
  all.add(5, report_of(2, 0.25, 20));
  all.add(6, report_of(4, 0.125, 30));
  const Json json = Json::parse(all.text());
  EXPECT_EQ(json["seconds"]["read"], 7.0);
  EXPECT_EQ(json["seconds"]["compute"], 0.875);
  EXPECT_EQ(json["memory"]["peak"], 30);
  EXPECT_EQ(json["outputs"].size(), 1U);
  EXPECT_EQ(json["result"]["frames"], 3);
  EXPECT_EQ(json["result"]["per_frame"][1], Json({{"frame", 5}, {"slabs", 20}}));
}

}  // namespace
}  // namespace meander::app
