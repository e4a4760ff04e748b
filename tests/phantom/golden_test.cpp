// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fstream>
#include <sstream>

#include "phantom/pixels.hpp"

/// Against golden.txt, which golden.py computes without Meander.
namespace meander {
namespace {

struct OptionSetter {
  std::string_view name, text;
  bool found = false;
  template <class T>
  void operator()(T& value, const OptionInfo& info) {
    if (info.name != name) return;
    value = OptionText<T>::parse(text);
    found = true;
  }
};

PhantomOptions options_in(std::istringstream& line) {
  PhantomOptions options;
  for (std::string word; line >> word;) {
    const auto cut = word.find('=');
    const std::string name = word.substr(0, cut);
    OptionSetter setter{name, std::string_view(word).substr(cut + 1)};
    options.describe(setter);
    EXPECT_TRUE(setter.found) << word;
  }
  return options;
}

std::vector<double> expected_row(std::istream& file, bool art) {
  std::string line;
  std::getline(file, line);
  std::vector<double> row;
  if (art) {
    for (const char c : line)
      row.push_back(static_cast<double>(std::string_view(".123456789#").find(c)));
    return row;
  }
  std::istringstream words(line);
  for (double number = 0; words >> number;) row.push_back(number);
  return row;
}

TEST(Golden, EveryPixelEqualsTheIndependentComputation) {
  std::ifstream file(MEANDER_GOLDEN_PHANTOMS);
  ASSERT_TRUE(file);
  int records = 0;
  for (std::string header; std::getline(file, header); ++records) {
    std::istringstream line(header);
    std::string form;
    line >> form;
    ASSERT_TRUE(form == "art" || form == "values") << header;
    const std::vector<double> found = numbers_of(phantom(options_in(line)));
    for (std::size_t start = 0; start < found.size();) {
      const std::vector<double> row = expected_row(file, form == "art");
      ASSERT_FALSE(row.empty()) << header;
      for (std::size_t x = 0; x < row.size(); ++x) {
        ASSERT_EQ(found.at(start + x), row[x]) << header << ", pixel " << start + x;
      }
      start += row.size();
    }
  }
  EXPECT_EQ(records, 108);
}

}  // namespace
}  // namespace meander
