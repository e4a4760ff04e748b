// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include "meander/smooth.hpp"

namespace meander {
namespace {

TEST(SmoothOptions, ScalesReadOneTwoOrThreeNumbersAndAUnit) {
  const auto parse = OptionText<Scale>::parse;
  EXPECT_EQ(parse("12"), Scale(12));
  EXPECT_EQ(parse("1.5um"), Scale(1.5, Unit::micrometre));
  EXPECT_EQ(parse("2,2,1px"), Scale(2, 2, 1));
  EXPECT_EQ(parse("2,3"), Scale(2, 3, 0));
  EXPECT_EQ(parse("1e-3,2,.5mm"), Scale(1e-3, 2, .5, Unit::millimetre));
  EXPECT_EQ(parse("1\u00b5m"), Scale(1, Unit::micrometre));
  for (const char* text : {"", "um", "1,", ",1", "1,2,3,4", "1 um", "1miles", "1,2um,3um", "one"}) {
    EXPECT_THROW(parse(text), InvalidArgument) << text;
  }
}

TEST(SmoothOptions, TextIsTheInverseOfParsing) {
  for (const Scale& scale : {Scale(12), Scale(1, 2, 3, Unit::nanometre), Scale(0.1, 0, 5)}) {
    EXPECT_EQ(OptionText<Scale>::parse(OptionText<Scale>::format(scale)), scale);
  }
  using Orders = OptionText<std::array<int, 3>>;
  for (const std::array<int, 3>& order : {std::array{0, 0, 0}, std::array{1, 0, 2}}) {
    EXPECT_EQ(Orders::parse(Orders::format(order)), order);
  }
  EXPECT_EQ(OptionText<Scale>::format(Scale(1.5, Unit::micrometre)), "1.5um");
  EXPECT_EQ(Orders::parse("1"), (std::array{1, 1, 1}));
  EXPECT_EQ(Orders::parse("1,2"), (std::array{1, 2, 0}));
  EXPECT_THROW(Orders::parse("1.5"), InvalidArgument);
}

TEST(SmoothOptions, NumbersOutOfRangeAreNamed) {
  const auto complaint = [](const SmoothOptions& options) -> std::string {
    try {
      validate(options);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(complaint({}), "");
  EXPECT_EQ(complaint({.sigma = {1, -2}}), "sigma is -2, expected 0 to 100000");
  EXPECT_EQ(complaint({.sigma = OptionText<Scale>::parse("1,1,nan")}),
            "sigma is nan, expected 0 to 100000");
  EXPECT_EQ(complaint({.sigma = 1, .order = {0, 0, 3}}), "order is 3, expected 0 to 2");
  EXPECT_NE(complaint({.error_bound = 0}), "");
}

TEST(SmoothOptions, ThePlanSaysWhatEachAxisGets) {
  const Description image{.shape = {100, 80, 1}, .channels = 2, .type = PixelType::u16};
  SmoothOptions options{.sigma = {1, 8}};
  options.output = SmoothOutput::gradient;
  const SmoothPlan plan = plan_smooth(image, options);
  ASSERT_EQ(plan.components.size(), 2u);
  EXPECT_EQ(plan.output.channels, 4);
  EXPECT_EQ(plan.output.type, PixelType::f32);
  EXPECT_EQ(plan.components[0][0].order, 1);
  EXPECT_EQ(plan.components[0][1].order, 0);
  EXPECT_EQ(plan.components[1][1].order, 1);
  for (const auto& component : plan.components) {
    EXPECT_EQ(component[0].sigma, 1);
    EXPECT_EQ(component[2].sigma, 0);
    for (const int axis : {0, 1}) {
      EXPECT_NE(component[static_cast<std::size_t>(axis)].method, SmoothMethod::automatic);
      EXPECT_LE(component[static_cast<std::size_t>(axis)].error, options.error_bound);
    }
  }
}

}  // namespace
}  // namespace meander
