// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <array>
#include <cmath>
#include <exception>

// A value whose construction ran out of memory is broken and must not be destroyed; a program may
// end in good order from its terminate handler. Ours, which has the same line, does.
#define JSON_ASSERT(holds) ((holds) ? void() : std::terminate())
#include <nlohmann/json.hpp>

#include "io/file/input_file.hpp"
#include "outline_io/reader_parts.hpp"

namespace meander::outline_io {
namespace {

using Json = nlohmann::ordered_json;

/// The value in printable ASCII.
std::string ascii(const Json& value) {
  return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

/// Its beginning, as messages may show it.
std::string shown_value(const Json& value) { return ascii(value).substr(0, 40); }

/// A position in a polygon of a feature of a collection lies 8 deep.
constexpr int deepest = 16;

/// What a parser stopped at; its bytes count from 1.
[[noreturn]] void refuse_json(const std::string& path, std::string_view text, std::size_t byte) {
  if (byte == 0 || byte > text.size()) {
    malformed(path, "no GeoJSON: found the end of the file after ", text.size(),
              " bytes, expected more JSON");
  }
  const std::string found = io::printable(text.substr(byte - 1, 1));  // "x" or "\\x1f"
  malformed(path, "no GeoJSON: found ",
            found.size() == 1 ? "'" + found + "'" : "0" + found.substr(1), " at byte ", byte,
            ", expected JSON in UTF-8");
}

Json parsed(const std::string& path, const std::string& text, const Control& control) {
  const Control stop{.stop = control.stop, .progress = {}};
  const auto check_depth = [&](int depth, Json::parse_event_t, Json&) {
    stop.step(0);
    if (depth > deepest) malformed(path, "nested more than ", deepest, " deep, expected GeoJSON");
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

/// The member `type`, or nothing where that is no text.
std::string type_of(const Json& json) {
  const auto found = json.find("type");  // past the end for what is no object
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
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
    malformed(path, "'spacing' is ", shown_value(*found), ", expected two positive numbers");
  }
  return {(*found)[0].get<double>(), (*found)[1].get<double>()};
}

/// Finds the outlines in an object and what is in it.
class GeoJsonReader {
 public:
  GeoJsonReader(const std::string& path, const Json& json, const WantedOutlines& wanted,
                const std::stop_token& stop)
      : path_(path),
        wanted_(wanted),
        control_{.stop = stop, .progress = {}},
        spacing_(spacing_of(path, json)) {}

  void add(const Json& json) {
    const std::string type = type_of(json);
    if (type == "FeatureCollection") {
      for (const Json& feature : some_of(json, "features", "feature")) add(feature);
    } else if (type == "Feature" && json.contains("geometry")) {
      add(json["geometry"]);
    } else if (type == (wanted_.open ? "LineString" : "Polygon")) {
      add_one(array_of(json, "coordinates"));
    } else if (type == (wanted_.open ? "MultiLineString" : "MultiPolygon")) {
      const char* part_name = wanted_.open ? "line" : "polygon";
      for (const Json& part : some_of(json, "coordinates", part_name)) add_one(part);
    } else if (type.empty()) {
      malformed(path_, "found no 'type', expected GeoJSON with a ", wanted_.geometry());
    } else {
      refuse(type);
    }
  }

  std::vector<FileOutline> found() { return std::move(found_); }

 private:
  /// A member that must be there and be an array.
  const Json& array_of(const Json& object, const char* name) const {
    const auto found = object.find(name);
    if (found == object.end() || !found->is_array()) {
      malformed(path_, "found no array '", name, "', expected GeoJSON with a ", wanted_.geometry());
    }
    return *found;
  }
  /// The same with something in it.
  const Json& some_of(const Json& object, const char* name, const char* what) const {
    const Json& array = array_of(object, name);
    if (array.empty()) malformed(path_, "found no ", what, ", expected at least one");
    return array;
  }

  /// A line by its positions, a polygon by its rings.
  void add_one(const Json& coordinates) {
    control_.step(0);
    check_number(path_, found_.size() + 1);
    std::vector<Nodes> rings;
    if (wanted_.open) {
      rings.push_back(nodes_of(coordinates));
    } else {
      if (!coordinates.is_array() || coordinates.empty()) {
        malformed(path_, "a polygon without a ring");
      }
      if (coordinates.size() > 1 && !wanted_.holes) refuse_holes(path_, coordinates.size() - 1);
      for (const Json& ring : coordinates) rings.push_back(nodes_of(ring));
    }
    found_.push_back(outline_of(rings, wanted_.open));
  }

  Nodes nodes_of(const Json& positions) const {
    Nodes nodes(path_);
    for (const Json& position : positions) {
      if (!position.is_array() || position.size() < 2 || !position[0].is_number() ||
          !position[1].is_number()) {
        malformed(path_, "found a position ", shown_value(position), ", expected numbers x and y");
      }
      nodes.add(position[0].get<double>() / spacing_[0], position[1].get<double>() / spacing_[1]);
    }
    return nodes;
  }

  /// A geometry that may do if --open said otherwise.
  [[noreturn]] void refuse(const std::string& type) const {
    const bool is_line = type == "LineString" || type == "MultiLineString";
    const bool is_polygon = type == "Polygon" || type == "MultiPolygon";
    if (wanted_.open && is_polygon) {
      throw InvalidArgument(message(path_, ": found a ", type,
                                    ", expected a LineString where open curves are asked for"));
    }
    if (!wanted_.holes && !wanted_.open && is_line) {
      throw InvalidArgument(message(path_, ": found a ", type,
                                    ", expected a Polygon where closed curves are asked for"));
    }
    throw Unsupported(
        message(path_, ": found a ", io::printable(type), ", expected a ", wanted_.geometry()));
  }

  const std::string& path_;
  const WantedOutlines wanted_;
  const Control control_;  ///< Without progress.
  const std::array<double, 2> spacing_;
  std::vector<FileOutline> found_;
};

}  // namespace

std::vector<FileOutline> outlines_of_geojson(const std::string& path, const std::string& text,
                                             const WantedOutlines& wanted, const Control& control) {
  const Json json = parsed(path, text, control);
  control.step(0.5);
  GeoJsonReader reader(path, json, wanted, control.stop);
  reader.add(json);
  return reader.found();
}

}  // namespace meander::outline_io
