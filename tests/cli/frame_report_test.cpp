// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "film/frame_report.hpp"

#include <gtest/gtest.h>

#include "words/json_library.hpp"

namespace meander::app {
namespace {

Json report_of(double read, double compute, int peak) {
  Json outputs;
  outputs.push_back({{"path", "o.npy"}});
  return {{"outputs", outputs},
          {"seconds", {{"read", read}, {"compute", compute}}},
          {"memory", {{"peak", peak}}},
          {"result", {{"slabs", peak}}}};
}

TEST(FrameReport, AddsUpTheSecondsOfAllFrames) {
  FrameReport all;
  all.add(4, report_of(1, 0.5, 10));
  all.add(5, report_of(2, 0.25, 20));
  all.add(6, report_of(4, 0.125, 30));
  const LibraryJson json = LibraryJson::parse(all.text());
  EXPECT_EQ(json["seconds"]["read"], 7.0);
  EXPECT_EQ(json["seconds"]["compute"], 0.875);
  EXPECT_EQ(json["memory"]["peak"], 30);
  EXPECT_EQ(json["outputs"].size(), 1U);
  EXPECT_EQ(json["result"]["frames"], 3);
  EXPECT_EQ(json["result"]["per_frame"][1], LibraryJson({{"frame", 5}, {"slabs", 20}}));
}

TEST(JsonOfReports, KeepsOrderAndKindsOfValues) {
  Json json = {{"b", 1}, {"a", {1.5, "x", nullptr, true}}, {"none", Json::array()}};
  json["a"].push_back(Json::object());
  json["c"]["d"] = std::uint64_t{1} << 40;
  json.update({{"b", -2}});
  json.erase("none");
  EXPECT_EQ(json.dump(), R"({"b":-2,"a":[1.5,"x",null,true,{}],"c":{"d":1099511627776}})");
  EXPECT_EQ(Json(std::vector<double>{1, 2}).dump(), "[1.0,2.0]");
  EXPECT_EQ(Json({{"pair", 1}, "alone"}).dump(), R"([["pair",1],"alone"])");
}

TEST(JsonOfReports, IsIndentedWhenAsked) {
  EXPECT_EQ(Json({{"a", {1}}}).dump(2), "{\n  \"a\": [\n    1\n  ]\n}");
}

TEST(JsonOfReports, WrongUseIsNoticed) {
  Json text = "x", array = {1, 2};
  EXPECT_THROW(text.push_back(1), std::logic_error);
  EXPECT_THROW(array["a"], std::logic_error);
  EXPECT_THROW(std::as_const(array)["a"], std::out_of_range);
  EXPECT_EQ(Json(true).number(), 0);
}

TEST(JsonOfReports, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(Json("a\xff").dump(), "\"a\xef\xbf\xbd\"");
}

TEST(JsonOfReports, TextsThatAreNumbersBecomeNumbers) {
  EXPECT_EQ(number_or_text("-12"), Json(-12));
  EXPECT_EQ(number_or_text("18446744073709551615").dump(), "18446744073709551615");
  EXPECT_EQ(number_or_text("18446744073709551615").number(), 0x1p64);
  EXPECT_EQ(number_or_text("1e3"), Json(1000.0));
  EXPECT_EQ(number_or_text("inf"), Json("inf"));
  EXPECT_TRUE(number(std::numeric_limits<double>::infinity()).is_null());
}

}  // namespace
}  // namespace meander::app
