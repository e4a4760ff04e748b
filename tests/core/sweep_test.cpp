// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/sweep.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace meander {
namespace {

struct Sample {
  double mu = 0.1;
  std::int64_t steps = 3;
  bool is_kept = true;

  template <class Visitor>
  void describe(Visitor& v) {
    v(mu, {.name = "mu", .min = 0, .max = 10, .help = "strength"});
    v(steps, {.name = "steps", .min = 1, .help = "count"});
    v(is_kept, {.name = "kept", .help = "flag"});
  }
};

SweepAxis axis(const char* text) { return OptionText<SweepAxis>::parse(text); }

std::string refusal(const std::vector<SweepAxis>& axes, const Sample& base = {}) {
  try {
    const Sweep sweep(axes);
    for (std::size_t run = 0; run < sweep.runs(); ++run) sweep.options(base, run);
  } catch (const InvalidArgument& fault) {
    return fault.what();
  }
  return "accepted";
}

TEST(Sweep, ValuesAreEvenlyApartAndEndWhereSaid) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(axis("mu=0.1:0.5:5").values(), (Texts{"0.1", "0.2", "0.3", "0.4", "0.5"}));
  EXPECT_EQ(axis("mu=1:8:4:log").values(), (Texts{"1", "2", "4", "8"}));
  EXPECT_EQ(axis("mu=8:1:2").values(), (Texts{"8", "1"}));
  EXPECT_EQ(axis("mu=3:3:1").values(), (Texts{"3"}));
  EXPECT_EQ(axis("mu=0:1e15:2").values(), (Texts{"0", "1000000000000000"}));
  const auto thirds = axis("mu=0:1:4").values();
  EXPECT_EQ(thirds[1], "0.333333333333");
}

TEST(Sweep, AnAxisIsWrittenAsItIsRead) {
  for (const char* text : {"sigma=1:8:4", "mu=0.05:0.8:3:log", "x=-1:1:2"}) {
    EXPECT_EQ(OptionText<SweepAxis>::format(axis(text)), text);
  }
  for (const char* text :
       {"", "mu", "mu=", "=1:2:3", "mu=1:2", "mu=1:2:3:4", "mu=1:2:0", "mu=1:2:65", "mu=1:2:1",
        "mu=2:2:3", "mu=0:2:3:log", "mu=1:inf:3", "mu=1:2:3:log:"}) {
    EXPECT_THROW(axis(text), InvalidArgument) << text;
  }
}

TEST(Sweep, TheSecondOptionChangesFastest) {
  const Sweep sweep({axis("steps=1:2:2"), axis("mu=0.5:1.5:3")});
  ASSERT_EQ(sweep.runs(), 6u);
  EXPECT_EQ(sweep.columns(), 3u);
  EXPECT_EQ(sweep.rows(), 2u);
  EXPECT_EQ(sweep.label(0), "steps=1 mu=0.5");
  EXPECT_EQ(sweep.label(1), "steps=1 mu=1");
  EXPECT_EQ(sweep.label(3), "steps=2 mu=0.5");
  EXPECT_EQ(sweep.values(5), (std::vector<std::string>{"2", "1.5"}));
  EXPECT_THROW(sweep.values(6), InvalidArgument);
}

TEST(Sweep, OneOptionFillsRowsOfEight) {
  const Sweep sweep({axis("mu=1:10:10")});
  EXPECT_EQ(sweep.columns(), 8u);
  EXPECT_EQ(sweep.rows(), 2u);
  EXPECT_EQ(Sweep({axis("mu=1:2:2")}).columns(), 2u);
  EXPECT_EQ(Sweep({axis("mu=0:1:4")}).label(1), "mu=0.333333");
}

TEST(Sweep, OptionsOfARunAreTheBaseWithItsValues) {
  const Sweep sweep({axis("mu=1:4:3:log"), axis("steps=5:6:2")});
  const Sample found = sweep.options(Sample{.mu = 9, .is_kept = false}, 3);
  EXPECT_EQ(found.mu, 2);
  EXPECT_EQ(found.steps, 6);
  EXPECT_FALSE(found.is_kept);
}

TEST(Sweep, WhatCannotBeSweptIsNamed) {
  EXPECT_EQ(refusal({}), "sweep: found 0 options, expected at least 1");
  EXPECT_EQ(refusal({axis("a=1:2:2"), axis("b=1:2:2"), axis("c=1:2:2")}),
            "sweep: found 3 options, expected at most 2");
  EXPECT_EQ(refusal({axis("mu=1:2:2"), axis("mu=3:4:2")}), "sweep: mu is swept twice");
  EXPECT_EQ(refusal({axis("mu=1:9:64"), axis("steps=1:5:5")}),
            "sweep: found 320 runs, expected at most 256");
  EXPECT_EQ(refusal({axis("nu=1:2:2")}), "sweep: nu=1: no such option");
  EXPECT_EQ(refusal({axis("mu=9:12:2")}), "sweep: mu=12: mu is 12, expected 0 to 10");
  EXPECT_EQ(refusal({axis("steps=1:2:3")}), "sweep: steps=1.5: found '1.5', expected an integer");
  EXPECT_EQ(refusal({axis("kept=0:1:2")}), "sweep: kept=0: found '0', expected true or false");
  try {
    Sweep({axis("mu=9:12:2")}).options(Sample{}, 1);
    FAIL();
  } catch (const Error& fault) {
    EXPECT_EQ(fault.about.option, "mu");
  }
}

TEST(Sweep, AnAxisMadeByHandIsCheckedToo) {
  EXPECT_THROW(Sweep({{.option = "mu", .from = 1, .to = 2, .count = 0}}), InvalidArgument);
  EXPECT_THROW(Sweep({{.option = "mu", .from = 1, .to = NAN, .count = 2}}), InvalidArgument);
}

}  // namespace
}  // namespace meander
