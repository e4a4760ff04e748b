// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <filesystem>

#include "io/file/named_errors.hpp"
#include "meander/io.hpp"
#include "meander/outline_file.hpp"
#include "outline_io/reader_parts.hpp"

namespace meander {
namespace {

namespace fs = std::filesystem;

/// Some 300,000 nodes; what a parser holds for them is some ten times as much.
constexpr std::int64_t most_bytes = std::int64_t{16} << 20;

std::string suffix_of(const fs::path& path) {
  std::string suffix = path.extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return suffix;
}

std::vector<outline_io::FileOutline> read(const fs::path& path, const Spacing& image,
                                          const outline_io::WantedOutlines& wanted,
                                          const Control& control) {
  return io::with_named_errors(path, [&] {
    control.step(0);
    const std::string text = io::read_text(path, most_bytes);
    if (suffix_of(path) == ".csv") {
      return outline_io::outlines_of_csv(path.string(), text, image, wanted, control);
    }
#ifdef MEANDER_WITH_JSON
    return outline_io::outlines_of_geojson(path.string(), text, wanted, control);
#else
    throw Unsupported(path.string() + ": this build reads no GeoJSON, which needs nlohmann-json");
#endif
  });
}

}  // namespace

bool is_outline_file(const fs::path& path) {
  const std::string suffix = suffix_of(path);
  return suffix == ".geojson" || suffix == ".json" || suffix == ".csv";
}

bool has_shapes(const fs::path& path) {
  return suffix_of(path) != ".csv" ||
         outline_io::is_csv_of_outlines(path.string(), io::read_text(path, most_bytes));
}

std::vector<Region> read_regions(const fs::path& path, const Spacing& image,
                                 const Control& control) {
  std::vector<Region> regions;
  for (auto& outline : read(path, image, {.holes = true}, control)) {
    regions.push_back({{std::move(outline.curve.points)}, std::move(outline.holes)});
  }
  control.step(1);
  return regions;
}

std::vector<Curve> read_curves(const fs::path& path, const Spacing& image, bool open,
                               const Control& control) {
  std::vector<Curve> curves;
  for (auto& outline : read(path, image, {.open = open}, control)) {
    curves.push_back(std::move(outline.curve));
  }
  control.step(1);
  return curves;
}

}  // namespace meander
