// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <cmath>

#include "meander/io.hpp"

namespace meander::io {
namespace {

TEST(DescriptionJson, AnImageOfTwoAxesHasTwoNumbers) {
  EXPECT_EQ(description_json({.shape = {640, 480, 1},
                              .channels = 3,
                              .type = PixelType::u16,
                              .spacing = {.x = 0.1, .y = 2, .z = 7, .unit = Unit::micrometre}}),
            R"({"shape":[480,640],"channels":3,"type":"u16","spacing":[2.0,0.1],"unit":"um"})");
}

TEST(DescriptionJson, AVolumeSaysWhereItLies) {
  const Description volume{.shape = {4, 5, 6},
                           .spacing = {.x = 0.5, .y = 1, .z = 1e-9, .unit = Unit::millimetre},
                           .placement = Placement{.origin = {-1, 1.0 / 3, 1e300},
                                                  .step = {{{0, 0.5, 0}, {-1, 0, 0}, {0, 0, NAN}}},
                                                  .axes = WorldAxes::ras}};
  EXPECT_EQ(description_json(volume),
            R"({"shape":[6,5,4],"channels":1,"type":"f32","spacing":[1e-09,1.0,0.5],"unit":"mm",)"
            R"("placement":{"origin":[-1.0,0.3333333333333333,1e+300],)"
            R"("steps":[[0.0,0.5,0.0],[-1.0,0.0,0.0],[0.0,0.0,null]],)"
            R"("axes":"ras","orientation":"ALS"}})");
}

TEST(DescriptionJson, AFilmHasItsFramesAndTheirInterval) {
  const Description image{.shape = {2, 3, 1}, .type = PixelType::u8};
  const std::string begin =
      R"({"shape":[3,2],"channels":1,"type":"u8","spacing":[1.0,1.0],"unit":"px")";
  EXPECT_EQ(description_json(image, {.frames = 1, .seconds = 4}), begin + "}");
  EXPECT_EQ(description_json(image, {.frames = 7, .seconds = 0.25}),
            begin + R"(,"frames":7,"seconds_per_frame":0.25})");
  EXPECT_EQ(description_json(image, {.frames = 7}),
            begin + R"(,"frames":7,"seconds_per_frame":null})");
}

}  // namespace
}  // namespace meander::io
