// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/options.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "meander/border.hpp"

namespace meander {
namespace {

enum class Colour { red, green };

struct Sample {
  double mu = 0.1;
  std::int64_t steps = 3;
  Colour colour = Colour::green;
  std::optional<std::array<double, 2>> levels;

  template <class Visitor>
  void describe(Visitor& v) {
    v(mu, {.name = "mu", .unit = "pixels", .min = 0, .max = 1, .help = "strength"});
    v(steps, {.name = "steps", .min = 1, .help = "count"});
    v(colour, {.name = "colour", .help = "hue"});
    v(levels, {.name = "levels", .min = -5, .max = 5, .help = "ends"});
  }
};

}  // namespace

template <>
struct ChoiceNames<Colour> {
  static constexpr std::pair<Colour, std::string_view> values[] = {{Colour::red, "red"},
                                                                   {Colour::green, "green"}};
};

namespace {

std::string refusal(const Sample& options) {
  try {
    validate(options);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Options, ARefusalNamesTheOption) {
  try {
    validate(Sample{.steps = 0});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.about.option, "steps");
    EXPECT_EQ(error.about.path, "");
  }
}

TEST(Options, RangesAreCheckedFromTheDescription) {
  EXPECT_EQ(refusal({}), "accepted");
  EXPECT_EQ(refusal({.mu = 0}), "accepted");
  EXPECT_EQ(refusal({.mu = 1.5}), "mu is 1.5, expected 0 to 1 pixels");
  EXPECT_EQ(refusal({.mu = -0.1}), "mu is -0.1, expected 0 to 1 pixels");
  EXPECT_EQ(refusal({.mu = std::nan("")}), "mu is nan, expected 0 to 1 pixels");
  EXPECT_EQ(refusal({.steps = 0}), "steps is 0, expected at least 1");
  EXPECT_EQ(refusal({.levels = {{0, 6}}}), "levels is 6, expected -5 to 5");
}

template <class T>
std::string parse_refusal(std::string_view text) {
  try {
    OptionText<T>::parse(text);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(OptionText, EnumerationsListTheirChoices) {
  EXPECT_EQ(OptionText<Colour>::parse("red"), Colour::red);
  EXPECT_EQ(OptionText<Colour>::format(Colour::green), "green");
  EXPECT_EQ(parse_refusal<Colour>("blue"), "found 'blue', expected red, green");
}

TEST(OptionText, NumbersMustFillTheText) {
  EXPECT_EQ(OptionText<double>::parse("1e-3"), 1e-3);
  EXPECT_EQ(parse_refusal<double>("1.5px"), "found '1.5px', expected a number");
  EXPECT_EQ(parse_refusal<std::int64_t>("1.5"), "found '1.5', expected an integer");
  EXPECT_EQ(parse_refusal<std::uint64_t>("-1"), "found '-1', expected an integer of 0 or more");
  EXPECT_EQ(OptionText<std::uint64_t>::parse("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(parse_refusal<std::uint64_t>("18446744073709551616"),
            "found '18446744073709551616', expected an integer of 0 or more");
}

TEST(OptionText, DoublesComeBackExactly) {
  for (const double value : {0.1 + 0.2, 1.0 / 3, 5e-324, 1.7976931348623157e308}) {
    EXPECT_EQ(OptionText<double>::parse(OptionText<double>::format(value)), value);
  }
}

TEST(OptionText, Shapes) {
  EXPECT_EQ(OptionText<Shape>::parse("5x4"), (Shape{5, 4, 1}));
  EXPECT_EQ(OptionText<Shape>::parse("5x4x3"), (Shape{5, 4, 3}));
  EXPECT_EQ(OptionText<Shape>::format({5, 4, 3}), "5x4x3");
  for (const char* bad : {"", "5", "5x", "x5", "5x4x3x2", "5x4x", "axb", "5,4"}) {
    EXPECT_NE(parse_refusal<Shape>(bad), "accepted") << bad;
  }
}

TEST(OptionText, Pairs) {
  using Pair = std::array<double, 2>;
  EXPECT_EQ(OptionText<Pair>::parse("-1.5,2"), (Pair{-1.5, 2}));
  EXPECT_EQ(OptionText<Pair>::format({-1.5, 2}), "-1.5,2");
  for (const char* bad : {"", "1", "1,", ",2", "1,2,3", "1;2"})
    EXPECT_NE(parse_refusal<Pair>(bad), "accepted") << bad;
}

TEST(OptionText, ByteCounts) {
  EXPECT_EQ(OptionText<ByteCount>::parse("300000").value, 300000u);
  EXPECT_EQ(OptionText<ByteCount>::parse("2G").value, std::uint64_t{2} << 30);
  EXPECT_EQ(OptionText<ByteCount>::parse("1.5K").value, 1536u);
  EXPECT_EQ(OptionText<ByteCount>::format({std::uint64_t{3} << 20}), "3M");
  EXPECT_EQ(OptionText<ByteCount>::format({1000}), "1000");
  for (const char* bad : {"", "G", "-1G", "0", "2X", "1e40", "nan"}) {
    EXPECT_NE(parse_refusal<ByteCount>(bad), "accepted") << bad;
  }
}

TEST(OptionText, Borders) {
  const std::pair<BorderRule, const char*> texts[] = {
      {{.kind = Border::clamp}, "clamp"},
      {{.kind = Border::constant}, "zero"},
      {{.kind = Border::constant, .value = 5}, "constant=5"},
      {{.kind = Border::constant, .value = -0.1}, "constant=-0.1"},
      {{.kind = Border::reflect}, "reflect"},
      {{.kind = Border::mirror}, "mirror"},
      {{.kind = Border::periodic}, "periodic"}};
  for (const auto& [rule, text] : texts) {
    EXPECT_EQ(OptionText<BorderRule>::parse(text), rule) << text;
    EXPECT_EQ(OptionText<BorderRule>::format(rule), text);
  }
  EXPECT_EQ(OptionText<BorderRule>::parse("constant=0"), (BorderRule{Border::constant, 0}));
  EXPECT_EQ(parse_refusal<BorderRule>("constant=5px"),
            "found 'constant=5px', expected clamp, zero, constant=V, reflect, mirror, periodic");
  for (const char* bad : {"", "Clamp", "constant", "constant=", "constant=nan", "constant=inf",
                          "zero=1", "reflect ", "mirror=0"}) {
    EXPECT_NE(parse_refusal<BorderRule>(bad), "accepted") << bad;
  }
}

TEST(OptionText, OptionalIsEmptyTextWhenNotGiven) {
  EXPECT_EQ(OptionText<std::optional<double>>::format(std::nullopt), "");
  EXPECT_EQ(OptionText<std::optional<double>>::parse(""), std::nullopt);
  EXPECT_EQ(OptionText<std::optional<double>>::parse("2"), 2.0);
}

}  // namespace
}  // namespace meander
