// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// meander_find IN LABELS [CONSTANT*FACTOR]: what is found before it is outlined, with one constant
// of the finding multiplied. For bench/real/run.py --constants; not installed.
#include <charconv>
#include <cstdio>
#include <map>
#include <string_view>

#include "contour/detect/detect.hpp"
#include "contour/likelihood/grey_levels.hpp"
#include "meander/meander.hpp"

namespace {

using Constants = meander::contour::FindingConstants;

bool multiply(Constants& constants, std::string_view text) {
  static const std::map<std::string_view, double Constants::*> members{
      {"floor", &Constants::floor},
      {"fewest_cells", &Constants::fewest_cells},
      {"side", &Constants::side},
      {"ray", &Constants::ray},
      {"frame", &Constants::frame},
      {"scatter", &Constants::scatter},
      {"pedestal", &Constants::pedestal},
      {"least_area", &Constants::least_area},
      {"most_shared", &Constants::most_shared},
      {"smoothed", &Constants::smoothed}};
  const std::size_t star = text.find('*');
  double factor = 0;
  if (star == text.npos) return false;
  const auto [end, error] =
      std::from_chars(text.data() + star + 1, text.data() + text.size(), factor);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  const std::string_view name = text.substr(0, star);
  if (name == "shape") {
    constants.shape = static_cast<int>(constants.shape * factor);
    return true;
  }
  const auto found = members.find(name);
  if (found == members.end()) return false;
  constants.*found->second *= factor;
  return true;
}

}  // namespace

int main(int argc, char** argv) try {
  using namespace meander;
  Constants constants;
  if (argc < 3 || argc > 4 || (argc == 4 && !multiply(constants, argv[3]))) {
    std::fputs("usage: meander_find IN LABELS [CONSTANT*FACTOR]\n", stderr);
    return 2;
  }
  const Image image = io::read(argv[1]);
  const contour::GreyLevels grey = contour::grey_levels(image, {});
  std::vector<LabelledRegion> regions;
  for (contour::FoundObject& object : contour::detect(grey.pixels, {}, {}, constants).objects) {
    regions.push_back({static_cast<std::int64_t>(regions.size()) + 1, std::move(object.region)});
  }
  Image labels = Image::allocate({.shape = image.shape(), .type = PixelType::u16});
  fill_labels(regions, labels, 0);
  io::write(argv[2], labels);
} catch (const std::exception& error) {
  std::fprintf(stderr, "meander_find: %s\n", error.what());
  return 1;
}
