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

/// What a file may hold.
struct Wanted {
  bool open = false;
  bool several = false;

  const char* geometry() const { return open ? "LineString" : "Polygon"; }
};

/// Of one outline: at most one, and none inside another.
[[noreturn]] void refuse_number(const std::string& path, std::size_t found, const char* what) {
  if (found == 0) malformed(path, "found no {}, expected one outline", what);
  throw Unsupported(
      fmt::format("{}: found {} {}s, expected one outline to start from", path, found, what));
}

void check_number(const std::string& path, const Wanted& wanted, std::size_t found,
                  const char* what) {
  if (found == 0 || (found > 1 && !wanted.several)) refuse_number(path, found, what);
}

/// Collects the nodes of one curve, whose coordinates become pixels.
class Nodes {
 public:
  Nodes(const std::string& path, bool open) : path_(path), curve_{.is_open = open} {}

  void add(double x, double y) {
    GridPoint point;
    try {
      point = on_grid(x, y);
    } catch (const InvalidArgument& fault) {
      malformed(path_, "node {}: {}", nodes_, fault.what());
    }
    ++nodes_;
    auto& points = curve_.points;
    if (points.empty() || points.back() != point) points.push_back(point);
  }

  Curve finished() {
    auto& points = curve_.points;
    if (curve_.is_open) {
      check_count(2);
      return std::move(curve_);
    }
    while (points.size() > 1 && points.front() == points.back()) points.pop_back();
    check_count(3);
    Polygon polygon{std::move(points)};
    if (polygon.signed_area() < 0) std::reverse(polygon.vertices.begin(), polygon.vertices.end());
    if (!is_simple(polygon)) {
      throw InvalidArgument(path_ +
                            ": the outline touches or crosses itself, expected a simple "
                            "polygon");
    }
    return {.points = std::move(polygon.vertices)};
  }

 private:
  void check_count(std::size_t least) const {
    if (curve_.points.size() >= least) return;
    malformed(path_, "an outline of {} different nodes, expected at least {}", curve_.points.size(),
              least);
  }

  const std::string& path_;
  Curve curve_;
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
const Json& array_of(const std::string& path, const Json& object, const char* name,
                     const Wanted& wanted) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_array()) {
    malformed(path, "found no array '{}', expected GeoJSON with a {}", name, wanted.geometry());
  }
  return *found;
}

/// The member `type`, or nothing where that is no text.
std::string type_of(const Json& json) {
  const auto found = json.find("type");  // past the end for what is no object
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The one ring of a polygon, given by its list of rings.
const Json& ring_of(const std::string& path, const Json& rings) {
  if (!rings.is_array() || rings.empty()) malformed(path, "a polygon without a ring");
  if (rings.size() > 1) {
    throw Unsupported(
        fmt::format("{}: a polygon with {} holes, expected none", path, rings.size() - 1));
  }
  return rings[0];
}

/// A geometry that would do if --open said otherwise.
[[noreturn]] void refuse_geometry(const std::string& path, const std::string& type,
                                  const Wanted& wanted) {
  const bool is_line = type == "LineString" || type == "MultiLineString";
  const bool is_polygon = type == "Polygon" || type == "MultiPolygon";
  if (wanted.open && is_polygon) {
    throw InvalidArgument(
        fmt::format("{}: found a {}, expected a LineString, or no --open", path, type));
  }
  if (wanted.several && !wanted.open && is_line) {
    throw InvalidArgument(
        fmt::format("{}: found a {}, expected a Polygon, or --open free or fixed", path, type));
  }
  throw Unsupported(
      fmt::format("{}: found a {}, expected a {}", path, shown(type), wanted.geometry()));
}

/// Adds the lists of positions of all curves that are in there.
void add_lists(const std::string& path, const Json& json, const Wanted& wanted,
               std::vector<const Json*>& lists) {
  const std::string type = type_of(json);
  if (type == "FeatureCollection") {
    const Json& features = array_of(path, json, "features", wanted);
    check_number(path, wanted, features.size(), "feature");
    for (const Json& feature : features) add_lists(path, feature, wanted, lists);
  } else if (type == "Feature" && json.contains("geometry")) {
    add_lists(path, json["geometry"], wanted, lists);
  } else if (type == "Polygon" && !wanted.open) {
    lists.push_back(&ring_of(path, array_of(path, json, "coordinates", wanted)));
  } else if (type == "LineString" && wanted.open) {
    lists.push_back(&array_of(path, json, "coordinates", wanted));
  } else if (type == (wanted.open ? "MultiLineString" : "MultiPolygon")) {
    const Json& parts = array_of(path, json, "coordinates", wanted);
    check_number(path, wanted, parts.size(), wanted.open ? "line" : "polygon");
    for (const Json& part : parts) lists.push_back(wanted.open ? &part : &ring_of(path, part));
  } else if (type.empty()) {
    malformed(path, "found no 'type', expected GeoJSON with a {}", wanted.geometry());
  } else {
    refuse_geometry(path, type, wanted);
  }
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

Curve curve_of(const std::string& path, const Json& list, bool open,
               const std::array<double, 2>& spacing) {
  Nodes nodes(path, open);
  for (const Json& position : list) {
    if (!position.is_array() || position.size() < 2 || !position[0].is_number() ||
        !position[1].is_number()) {
      malformed(path, "found a position {}, expected numbers x and y", shown_value(position));
    }
    nodes.add(position[0].get<double>() / spacing[0], position[1].get<double>() / spacing[1]);
  }
  return nodes.finished();
}

std::vector<Curve> curves_of_geojson(const std::string& path, const std::string& text,
                                     const Wanted& wanted) {
  const Json json = parsed(path, text);
  std::vector<const Json*> lists;
  add_lists(path, json, wanted, lists);
  const auto spacing = spacing_of(path, json);
  std::vector<Curve> curves;
  for (const Json* list : lists) curves.push_back(curve_of(path, *list, wanted.open, spacing));
  return curves;
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
  CsvRows(const std::string& path, const Spacing& image, const Wanted& wanted,
          std::string_view header)
      : path_(path), image_(image), wanted_(wanted), columns_(split(header, ',')) {
    constexpr std::string_view first[] = {"outline", "vertex", "x", "y"};
    if (columns_.size() < 4 || !std::equal(std::begin(first), std::end(first), columns_.begin())) {
      malformed(path, "begins with '{}', expected the header outline,vertex,x,y", shown(header));
    }
    const auto unit = std::find(columns_.begin(), columns_.end(), "unit");
    unit_ = static_cast<std::size_t>(unit - columns_.begin());
  }

  void add(std::string_view line) {
    const auto cells = split(line, ',');
    if (cells.size() != columns_.size()) {
      malformed(path_, "found {} cells in '{}', expected {}", cells.size(), shown(line),
                columns_.size());
    }
    if (nodes_.empty() || cells[0] != outline_) begin(cells[0]);
    const auto scale = pixels_per_unit(unit_ < cells.size() ? cells[unit_] : "px");
    nodes_.back().add(number(cells[2]) * scale[0], number(cells[3]) * scale[1]);
  }

  /// A file without rows is one outline without nodes.
  std::vector<Curve> finished() {
    if (nodes_.empty()) begin({});
    std::vector<Curve> curves;
    for (Nodes& nodes : nodes_) curves.push_back(nodes.finished());
    return curves;
  }

 private:
  void begin(std::string_view outline) {
    if (!nodes_.empty() && !wanted_.several) {
      throw Unsupported(path_ + ": found several outlines, expected one to start from");
    }
    outline_ = outline;
    nodes_.emplace_back(path_, wanted_.open);
  }
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
  const Wanted wanted_;
  std::vector<Nodes> nodes_;  ///< Of the outlines so far.
  std::vector<std::string_view> columns_;
  std::string_view outline_;
  std::size_t unit_ = 0;  ///< Index of that column, or one past the last.
};

std::vector<Curve> curves_of_csv(const std::string& path, const std::string& text,
                                 const Spacing& image, const Wanted& wanted) {
  const auto lines = lines_of(text);
  CsvRows rows(path, image, wanted, lines.empty() ? std::string_view() : lines.front());
  for (std::size_t i = 1; i < lines.size(); ++i) rows.add(lines[i]);
  return rows.finished();
}

std::vector<Curve> read(const std::string& path, const Spacing& image, const Wanted& wanted) {
  const std::string text = io::read_text(path, most_bytes);
  return suffix_of(path) == ".csv" ? curves_of_csv(path, text, image, wanted)
                                   : curves_of_geojson(path, text, wanted);
}

}  // namespace

bool is_outline_file(const std::string& path) {
  const std::string suffix = suffix_of(path);
  return suffix == ".geojson" || suffix == ".json" || suffix == ".csv";
}

Curve read_outline(const std::string& path, const Spacing& image) {
  return read(path, image, {}).front();
}

std::vector<Curve> read_curves(const std::string& path, const Spacing& image, bool open) {
  return read(path, image, {.open = open, .several = true});
}

}  // namespace meander::app
