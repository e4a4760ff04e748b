// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/nrrd/nrrd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "io/file/input_file.hpp"
#include "io/image/volume_header.hpp"

namespace meander::io {
namespace {

constexpr std::int64_t most_axes = 5;
constexpr std::size_t most_world_axes = 4;  // time is the fourth
constexpr auto most = std::numeric_limits<std::int64_t>::max();

/// A space in a name may be left out.
constexpr std::string_view field_names[] = {"type",
                                            "dimension",
                                            "sizes",
                                            "endian",
                                            "encoding",
                                            "space",
                                            "space dimension",
                                            "spacings",
                                            "space directions",
                                            "space origin",
                                            "space units",
                                            "units",
                                            "kinds",
                                            "line skip",
                                            "byte skip",
                                            "data file",
                                            "centerings",
                                            "axis mins",
                                            "axis maxs",
                                            "thicknesses",
                                            "measurement frame",
                                            "block size",
                                            "min",
                                            "max",
                                            "old min",
                                            "old max",
                                            "content",
                                            "labels",
                                            "number",
                                            "sample units"};

std::string without_spaces(std::string_view text) {
  std::string kept(text);
  std::erase(kept, ' ');
  return kept;
}

/// Takes "(1,0,0)" off the text: its numbers, or nothing when that is not what comes first.
std::optional<std::vector<double>> take_vector(std::string_view& text) {
  text = trimmed(text);
  const auto end = text.find(')');
  if (!text.starts_with('(') || end == text.npos) return std::nullopt;
  std::string_view inside = text.substr(1, end - 1);
  std::vector<double> numbers;
  while (numbers.size() < most_world_axes) {
    const auto comma = inside.find(',');
    const auto number = finite_number(trimmed(inside.substr(0, comma)));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    if (comma == inside.npos) {
      text.remove_prefix(end + 1);
      return numbers;
    }
    inside.remove_prefix(comma + 1);
  }
  return std::nullopt;
}

/// Words in quotation marks or without; nothing when a mark is left open.
std::optional<std::vector<std::string>> quoted_words(std::string_view text) {
  std::vector<std::string> words;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const bool quoted = text.front() == '"';
    if (quoted) text.remove_prefix(1);
    const auto end = text.find_first_of(quoted ? "\"" : " \t");
    if (quoted && end == text.npos) return std::nullopt;
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return words;
}

class NrrdParser {
 public:
  NrrdParser(const InputFile& file, std::string_view text) : file_(file), fields_(file) {
    collect(text);
  }

  NrrdHeader parse() {
    parse_axes();
    parse_type();
    parse_data();
    parse_world();
    parse_grid();
    return std::move(header_);
  }

 private:
  std::size_t dimension() const { return header_.axes.size(); }

  void collect(std::string_view text) {
    const std::size_t all = text.size();
    check_version(take_line(text));
    while (!text.empty()) {
      const std::string_view line = take_line(text);
      if (line.empty()) {
        header_.length = static_cast<std::int64_t>(all - text.size());
        return;
      }
      if (!line.starts_with('#')) collect_line(line);
    }
    const bool ended = static_cast<std::int64_t>(all) < longest_header;
    if (ended && fields_.find("data file")) return;
    file_.malformed("found no end of the NRRD header in ", all, " bytes, expected an empty line");
  }

  void check_version(std::string_view magic) const {
    if (magic.size() == 8 && magic >= "NRRD0001" && magic <= "NRRD0005") return;
    file_.unsupported("found '", printable(magic), "', expected NRRD0001 to NRRD0005");
  }

  void collect_line(std::string_view line) {
    const auto colon = line.find(':');
    if (colon == line.npos) {
      file_.malformed("found '", printable(line), "' in the NRRD header, expected 'field: value'");
    }
    const std::string_view rest = line.substr(colon + 1);
    if (rest.starts_with('=')) return;  // somebody's own note
    std::string name = without_spaces(lower_case(line.substr(0, colon)));
    if (name == "centers") name = "centerings";
    const auto known = std::ranges::find(field_names, name, without_spaces);
    if (known == std::end(field_names)) {
      file_.malformed("found the field '", printable(line.substr(0, colon)),
                      "', expected one that NRRD has");
    }
    fields_.add(*known, trimmed(rest));
    // Names of files would follow, which are no fields.
    if (*known == std::string_view("data file")) check_data_file();
  }

  void parse_axes() {
    const auto count = static_cast<std::size_t>(fields_.whole_number("dimension", 1, most_axes));
    for (const std::int64_t size : fields_.extents("sizes", count)) {
      header_.axes.push_back({.size = size});
    }
    if (!fields_.find("kinds")) return;
    const auto words = words_of(fields_.need("kinds"));
    if (words.size() != count) fields_.malformed("kinds", count, " words");
    for (std::size_t i = 0; i < count; ++i) header_.axes[i].role = role_of(words[i], i);
  }

  NrrdRole role_of(std::string_view word, std::size_t axis) const {
    const NrrdKind* kind = nrrd_kind(lower_case(word));
    if (kind == nullptr) {
      fields_.unsupported("kinds", "domain, space, time, list or a kind of vector or colour");
    }
    if (kind->size != 0 && kind->size != header_.axes[axis].size) {
      fields_.malformed("kinds", "an axis of ", kind->size, " for ", kind->name, ", not of ",
                        header_.axes[axis].size);
    }
    return kind->role;
  }

  void parse_type() {
    const auto type = nrrd_type(lower_case(fields_.need("type")));
    if (!type) {
      fields_.unsupported("type", "a kind of char, short, int or long long, float or double");
    }
    header_.type = *type;
    if (bytes_of(header_.type) == 1 && !fields_.find("endian")) return;
    const std::string order = lower_case(fields_.need("endian"));
    header_.big_endian = order == "big";
    if (order != "big" && order != "little") fields_.malformed("endian", "big or little");
  }

  void parse_data() {
    const std::string encoding = lower_case(fields_.need("encoding"));
    header_.compressed = encoding == "gzip" || encoding == "gz";
    if (!header_.compressed && encoding != "raw") fields_.unsupported("encoding", "raw or gzip");
    header_.line_skip = fields_.whole_number("line skip", 0, most, 0);
    header_.byte_skip = fields_.whole_number("byte skip", -1, most, 0);
    if (header_.compressed && header_.byte_skip < 0) {
      fields_.unsupported("byte skip", "0 or more where the encoding is gzip");
    }
    header_.data_file = fields_.find("data file").value_or("");
  }

  void check_data_file() const {
    if (!names_one_file(fields_.need("data file"))) {
      fields_.unsupported("data file", "the name of one file");
    }
  }

  void parse_world() {
    if (fields_.find("space") && fields_.find("space dimension")) {
      fields_.malformed("space", "it or space dimension, not both");
    }
    const std::size_t count = world_dimension();
    if (count > 0) header_.origin = parse_origin(count);
    if (fields_.find("space directions")) parse_directions(count);
    if (!fields_.find("space units")) return;
    header_.space_units = quoted_words(fields_.need("space units"));
    if (!header_.space_units || header_.space_units->size() != count) {
      fields_.malformed("space units", count, " words in quotation marks");
    }
    if (count < most_world_axes) return;
    for (NrrdAxis& axis : header_.axes) {
      if (axis.role == NrrdRole::time) axis.unit = header_.space_units->back();
    }
  }

  std::size_t world_dimension() {
    if (!fields_.find("space")) {
      return static_cast<std::size_t>(
          fields_.whole_number("space dimension", 1, most_world_axes, 0));
    }
    std::string name = lower_case(fields_.need("space"));
    const bool timed =
        name.ends_with("-time") || name == "rast" || name == "last" || name == "lpst";
    if (timed) name.resize(name.size() - (name.ends_with("-time") ? 5 : 1));
    const auto world = nrrd_world(name);
    if (!world) {
      fields_.unsupported(
          "space",
          "right-anterior-superior, left-anterior-superior, left-posterior-superior, "
          "scanner-xyz, 3D-right-handed or 3D-left-handed");
    }
    header_.world = *world;
    return timed ? 4 : 3;
  }

  Placement::Vector parse_origin(std::size_t count) const {
    if (!fields_.find("space origin")) return {0, 0, 0};
    std::string_view text = fields_.need("space origin");
    auto numbers = take_vector(text);
    if (!numbers || numbers->size() != count || !trimmed(text).empty()) {
      fields_.malformed("space origin", count, " numbers as in (1,2,3)");
    }
    numbers->resize(3);
    return {(*numbers)[0], (*numbers)[1], (*numbers)[2]};
  }

  void parse_directions(std::size_t count) {
    std::string_view text = fields_.need("space directions");
    const auto refuse = [&] {
      fields_.malformed("space directions", dimension(), " times none or ", count,
                        " numbers as in (1,0,0)");
    };
    for (NrrdAxis& axis : header_.axes) {
      text = trimmed(text);
      if (text.starts_with("none")) {
        text.remove_prefix(4);
        if (axis.role == NrrdRole::plain) axis.role = NrrdRole::channels;
        continue;
      }
      const auto numbers = take_vector(text);
      if (!numbers || numbers->size() != count) refuse();
      set_direction(axis, *numbers);
    }
    if (!trimmed(text).empty()) refuse();
  }

  /// A fourth axis of the world is time, and no axis may lie in both.
  void set_direction(NrrdAxis& axis, std::vector<double> numbers) const {
    numbers.resize(most_world_axes);
    const bool in_space = numbers[0] != 0 || numbers[1] != 0 || numbers[2] != 0;
    const double pace = std::abs(numbers[3]);
    if (in_space == (pace != 0)) {
      fields_.malformed("space directions", "vectors of some length in space, or in time");
    }
    if (in_space) {
      axis.direction = {numbers[0], numbers[1], numbers[2]};
    } else {
      axis.role = NrrdRole::time;
      axis.spacing = pace;
    }
  }

  void parse_grid() {
    const auto steps = grid_numbers("spacings");
    const auto starts = grid_numbers("axis mins");
    const auto nodes = node_centred();
    const auto units = axis_units();
    for (std::size_t i = 0; i < dimension(); ++i) {
      NrrdAxis& axis = header_.axes[i];
      if (std::isnan(steps[i])) continue;
      if (axis.direction) fields_.malformed("spacings", "nan where an axis has a space direction");
      if (!(steps[i] > 0)) fields_.malformed("spacings", "positive numbers or nan");
      axis.spacing = steps[i];
      axis.unit = units[i];
      if (!std::isnan(starts[i])) axis.start = starts[i] + (nodes[i] ? 0 : steps[i] / 2);
    }
  }

  /// A number for each axis, NaN where the header has none.
  std::vector<double> grid_numbers(std::string_view name) const {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (!fields_.find(name)) return std::vector<double>(dimension(), none);
    std::vector<double> numbers;
    for (const std::string_view word : words_of(fields_.need(name))) {
      const auto number = lower_case(word) == "nan" ? none : finite_number(word);
      if (!number) fields_.malformed(name, "numbers or nan");
      numbers.push_back(*number);
    }
    if (numbers.size() != dimension()) fields_.malformed(name, dimension(), " numbers or nan");
    return numbers;
  }

  /// Whether "axis mins" means the centre of the first sample; otherwise, and where nothing is
  /// said, it is the edge.
  std::vector<bool> node_centred() const {
    std::vector<bool> all(dimension(), false);
    const auto words = words_of(fields_.find("centerings").value_or(""));
    if (words.empty()) return all;
    if (words.size() != dimension()) fields_.malformed("centerings", dimension(), " words");
    for (std::size_t i = 0; i < words.size(); ++i) all[i] = lower_case(words[i]) == "node";
    return all;
  }

  std::vector<std::string> axis_units() const {
    if (!fields_.find("units")) return std::vector<std::string>(dimension());
    const auto words = quoted_words(fields_.need("units"));
    if (!words || words->size() != dimension()) {
      fields_.malformed("units", dimension(), " words in quotation marks");
    }
    return *words;
  }

  const InputFile& file_;
  HeaderFields fields_;
  NrrdHeader header_;
};

}  // namespace

NrrdHeader parse_nrrd_header(const InputFile& file, std::string_view text) {
  return NrrdParser(file, text).parse();
}

}  // namespace meander::io
