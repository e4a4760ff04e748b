// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "picture/font.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace meander::pictures {
namespace {

/// Rows of '#' and '.', a line each.
std::string drawn(char character) {
  std::string text;
  for (int y = 0; y < glyph_height; ++y) {
    for (int x = 0; x < glyph_width; ++x) text += has_ink(character, x, y) ? '#' : '.';
    text += '\n';
  }
  return text;
}

TEST(Font, EveryGlyphIsDistinct) {
  std::map<std::string, char> seen;
  for (int code = 32; code <= 127; ++code) {  // 127 is the box
    const char character = static_cast<char>(code);
    const auto [other, is_new] = seen.emplace(drawn(character), character);
    EXPECT_TRUE(is_new) << character << " looks like " << other->second;
  }
  EXPECT_EQ(seen.size(), 96u);
}

TEST(Font, OnlySpaceHasNoInk) {
  for (int code = 32; code <= 126; ++code) {
    const std::string glyph = drawn(static_cast<char>(code));
    EXPECT_EQ(glyph.find('#') == std::string::npos, code == ' ') << static_cast<char>(code);
  }
}

TEST(Font, GlyphsAreInTheOrderOfTheirCodes) {
  EXPECT_EQ(drawn('!'), "..#..\n..#..\n..#..\n..#..\n..#..\n.....\n..#..\n.....\n.....\n");
  EXPECT_EQ(drawn('1'), "..#..\n.##..\n..#..\n..#..\n..#..\n..#..\n.###.\n.....\n.....\n");
  EXPECT_EQ(drawn('F'), "#####\n#....\n#....\n####.\n#....\n#....\n#....\n.....\n.....\n");
  EXPECT_EQ(drawn('L'), "#....\n#....\n#....\n#....\n#....\n#....\n#####\n.....\n.....\n");
  EXPECT_EQ(drawn('_'), ".....\n.....\n.....\n.....\n.....\n.....\n#####\n.....\n.....\n");
  EXPECT_EQ(drawn('|'), "..#..\n..#..\n..#..\n..#..\n..#..\n..#..\n..#..\n.....\n.....\n");
}

TEST(Font, SomeLettersStandLower) {
  EXPECT_EQ(drawn('p'), ".....\n.....\n####.\n#...#\n#...#\n#...#\n####.\n#....\n#....\n");
  for (const char character : std::string("gqy")) {
    EXPECT_EQ(drawn(character).substr(0, 12), ".....\n.....\n") << character;
  }
}

TEST(Font, WhatIsNotPrintableIsABox) {
  const std::string box = "#####\n#...#\n#...#\n#...#\n#...#\n#...#\n#####\n.....\n.....\n";
  for (const int code : {0, 10, 31, 127, 128, 195, 255}) {
    EXPECT_EQ(drawn(static_cast<char>(code)), box) << code;
  }
}

}  // namespace
}  // namespace meander::pictures
