// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "outline_file.hpp"

#include "file_names.hpp"
#include "outline_parse.hpp"

namespace meander::app {
namespace {

/// Some 300,000 nodes; what a parser holds for them is some ten times as much.
constexpr std::int64_t most_bytes = std::int64_t{16} << 20;

std::vector<FileOutline> read(const std::string& path, const Spacing& image,
                              const WantedOutlines& wanted) {
  const std::string text = io::read_text(path, most_bytes);
  return suffix_of(path) == ".csv" ? outlines_of_csv(path, text, image, wanted)
                                   : outlines_of_geojson(path, text, wanted);
}

}  // namespace

bool is_outline_file(const std::string& path) {
  const std::string suffix = suffix_of(path);
  return suffix == ".geojson" || suffix == ".json" || suffix == ".csv";
}

bool has_shapes(const std::string& path) {
  return suffix_of(path) != ".csv" || is_csv_of_outlines(path, io::read_text(path, most_bytes));
}

std::vector<Region> read_regions(const std::string& path, const Spacing& image) {
  std::vector<Region> regions;
  for (FileOutline& outline : read(path, image, {.holes = true})) {
    regions.push_back({{std::move(outline.curve.points)}, std::move(outline.holes)});
  }
  return regions;
}

std::vector<Curve> read_curves(const std::string& path, const Spacing& image, bool open) {
  std::vector<Curve> curves;
  for (FileOutline& outline : read(path, image, {.open = open})) {
    curves.push_back(std::move(outline.curve));
  }
  return curves;
}

}  // namespace meander::app
