// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "outline_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "file_names.hpp"
#include "report.hpp"

namespace meander::app {
namespace {

/// Some 300,000 nodes; what a parser holds for them is some ten times as much.
constexpr std::int64_t most_bytes = std::int64_t{16} << 20;
/// A position in a polygon of a feature of a collection lies 8 deep.
constexpr int deepest = 16;

template <class... Parts>
[[noreturn]] void malformed(const std::string& path, fmt::format_string<Parts...> text,
                            Parts&&... parts) {
  throw MalformedFile(path + ": " + fmt::format(text, std::forward<Parts>(parts)...));
}

/// Of one outline: at most one, and none inside another.
[[noreturn]] void refuse_number(const std::string& path, std::size_t found, const char* what) {
  if (found == 0) malformed(path, "found no {}, expected one outline", what);
  throw Unsupported(
      fmt::format("{}: found {} {}s, expected one outline to start from", path, found, what));
}

/// Collects the nodes of a file, whose coordinates become pixels.
class Ring {
 public:
  explicit Ring(const std::string& path) : path_(path) {}

  void add(double x, double y) {
    GridPoint point;
    try {
      point = on_grid(x, y);
    } catch (const InvalidArgument& fault) {
      malformed(path_, "node {}: {}", nodes_, fault.what());
    }
    ++nodes_;
    auto& vertices = polygon_.vertices;
    if (vertices.empty() || vertices.back() != point) vertices.push_back(point);
  }

  Polygon finished() {
    auto& vertices = polygon_.vertices;
    while (vertices.size() > 1 && vertices.front() == vertices.back()) vertices.pop_back();
    if (vertices.size() < 3) {
      malformed(path_, "an outline of {} different nodes, expected at least 3", vertices.size());
    }
    if (polygon_.signed_area() < 0) std::reverse(vertices.begin(), vertices.end());
    if (!is_simple(polygon_)) {
      throw InvalidArgument(path_ +
                            ": the outline touches or crosses itself, expected a simple "
                            "polygon");
    }
    return std::move(polygon_);
  }

 private:
  const std::string& path_;
  Polygon polygon_;
  std::int64_t nodes_ = 0;
};

/// The value in printable ASCII.
std::string ascii(const Json& value) {
  return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

/// The beginning of a value, or of a text without quotes, as messages may show it.
std::string shown_value(const Json& value) { return ascii(value).substr(0, 40); }
std::string shown(std::string_view text) {
  const std::string quoted = ascii(std::string(text.substr(0, 40)));
  return quoted.substr(1, quoted.size() - 2);
}

/// What a parser stopped at; its bytes count from 1.
[[noreturn]] void refuse_json(const std::string& path, std::string_view text, std::size_t byte) {
  if (byte == 0 || byte > text.size()) {
    malformed(path, "no GeoJSON: found the end of the file after {} bytes, expected more JSON",
              text.size());
  }
  const auto found = static_cast<unsigned char>(text[byte - 1]);
  const bool is_printable = found >= ' ' && found < 127;
  malformed(path, "no GeoJSON: found {} at byte {}, expected JSON in UTF-8",
            is_printable ? fmt::format("'{:c}'", found) : fmt::format("0x{:02x}", found), byte);
}

Json parsed(const std::string& path, const std::string& text) {
  const auto check_depth = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > deepest) malformed(path, "nested more than {} deep, expected GeoJSON", deepest);
    return true;
  };
  try {
    return Json::parse(text, check_depth);
  } catch (const Json::parse_error& fault) {
    refuse_json(path, text, fault.byte);
  } catch (const Json::out_of_range&) {
    malformed(path, "no GeoJSON: found a number too large for float64");
  }
}

/// A member that must be there and be an array.
const Json& array_of(const std::string& path, const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_array()) {
    malformed(path, "found no array '{}', expected GeoJSON with a Polygon", name);
  }
  return *found;
}

/// The member `type`, or nothing where that is no text.
std::string type_of(const Json& json) {
  const auto found = json.find("type");  // past the end for what is no object
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The list of rings of the one polygon that is in there.
const Json& rings_of(const std::string& path, const Json& json) {
  const std::string type = type_of(json);
  if (type == "FeatureCollection") {
    const Json& features = array_of(path, json, "features");
    if (features.size() != 1) refuse_number(path, features.size(), "feature");
    return rings_of(path, features[0]);
  }
  if (type == "Feature" && json.contains("geometry")) return rings_of(path, json["geometry"]);
  if (type == "Polygon") return array_of(path, json, "coordinates");
  if (type == "MultiPolygon") {
    const Json& polygons = array_of(path, json, "coordinates");
    if (polygons.size() != 1) refuse_number(path, polygons.size(), "polygon");
    return polygons[0];
  }
  if (type.empty()) malformed(path, "found no 'type', expected GeoJSON with a Polygon");
  throw Unsupported(fmt::format("{}: found a {}, expected a Polygon", path, shown(type)));
}

/// Size of a pixel in the unit of the file's coordinates.
std::array<double, 2> spacing_of(const std::string& path, const Json& json) {
  const auto found = json.find("spacing");
  if (found == json.end()) return {1, 1};
  const auto is_positive = [](const Json& value) {
    return value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() > 0;
  };
  if (!found->is_array() || found->size() != 2 || !is_positive((*found)[0]) ||
      !is_positive((*found)[1])) {
    malformed(path, "'spacing' is {}, expected two positive numbers", shown_value(*found));
  }
  return {(*found)[0].get<double>(), (*found)[1].get<double>()};
}

Polygon outline_of_geojson(const std::string& path, const std::string& text) {
  const Json json = parsed(path, text);
  const Json& rings = rings_of(path, json);
  if (!rings.is_array() || rings.empty()) malformed(path, "a polygon without a ring");
  if (rings.size() > 1) {
    throw Unsupported(
        fmt::format("{}: a polygon with {} holes, expected none", path, rings.size() - 1));
  }
  const auto spacing = spacing_of(path, json);
  Ring ring(path);
  for (const Json& position : rings[0]) {
    if (!position.is_array() || position.size() < 2 || !position[0].is_number() ||
        !position[1].is_number()) {
      malformed(path, "found a position {}, expected numbers x and y", shown_value(position));
    }
    ring.add(position[0].get<double>() / spacing[0], position[1].get<double>() / spacing[1]);
  }
  return ring.finished();
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Lines of a text file, without their ends and the blank ones after the last.
std::vector<std::string_view> lines_of(std::string_view text) {
  const auto last = text.find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos) return {};
  std::vector<std::string_view> lines = split(text.substr(0, last + 1), '\n');
  for (std::string_view& line : lines) {
    if (line.ends_with('\r')) line.remove_suffix(1);
  }
  return lines;
}

/// Rows of outlines_as_csv: outline, vertex, x, y, and what may follow.
class CsvRows {
 public:
  CsvRows(const std::string& path, const Spacing& image, std::string_view header)
      : path_(path), image_(image), columns_(split(header, ',')) {
    constexpr std::string_view first[] = {"outline", "vertex", "x", "y"};
    if (columns_.size() < 4 || !std::equal(std::begin(first), std::end(first), columns_.begin())) {
      malformed(path, "begins with '{}', expected the header outline,vertex,x,y", shown(header));
    }
    const auto unit = std::find(columns_.begin(), columns_.end(), "unit");
    unit_ = static_cast<std::size_t>(unit - columns_.begin());
  }

  void add(std::string_view line, Ring& ring) {
    const auto cells = split(line, ',');
    if (cells.size() != columns_.size()) {
      malformed(path_, "found {} cells in '{}', expected {}", cells.size(), shown(line),
                columns_.size());
    }
    if (outline_.empty()) outline_ = cells[0];
    if (cells[0] != outline_) {
      throw Unsupported(path_ + ": found several outlines, expected one to start from");
    }
    const auto scale = pixels_per_unit(unit_ < cells.size() ? cells[unit_] : "px");
    ring.add(number(cells[2]) * scale[0], number(cells[3]) * scale[1]);
  }

 private:
  double number(std::string_view cell) const {
    try {
      return OptionText<double>::parse(cell);
    } catch (const InvalidArgument&) {
      malformed(path_, "found '{}', expected a number", shown(cell));
    }
  }
  std::array<double, 2> pixels_per_unit(std::string_view name) const {
    const auto unit = unit_named(name);
    if (!unit) malformed(path_, "found the unit '{}', expected one as um or mm", shown(name));
    if (*unit == Unit::pixel) return {1, 1};
    if (image_.unit == Unit::pixel) {
      throw InvalidArgument(fmt::format(
          "{}: coordinates in {}, but the image has no spacing in a unit of length", path_, name));
    }
    const double ratio = metres_per(*unit) / metres_per(image_.unit);
    return {ratio / image_.x, ratio / image_.y};
  }

  const std::string& path_;
  const Spacing& image_;
  std::vector<std::string_view> columns_;
  std::string_view outline_;
  std::size_t unit_ = 0;  ///< Index of that column, or one past the last.
};

Polygon outline_of_csv(const std::string& path, const std::string& text, const Spacing& image) {
  const auto lines = lines_of(text);
  CsvRows rows(path, image, lines.empty() ? std::string_view() : lines.front());
  Ring ring(path);
  for (std::size_t i = 1; i < lines.size(); ++i) rows.add(lines[i], ring);
  return ring.finished();
}

}  // namespace

bool is_outline_file(const std::string& path) {
  const std::string suffix = suffix_of(path);
  return suffix == ".geojson" || suffix == ".json" || suffix == ".csv";
}

Polygon read_outline(const std::string& path, const Spacing& image) {
  const std::string text = io::read_text(path, most_bytes);
  return suffix_of(path) == ".csv" ? outline_of_csv(path, text, image)
                                   : outline_of_geojson(path, text);
}

}  // namespace meander::app
