// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "outline_io/read_table.hpp"

#include <algorithm>

#include "io/file/input_file.hpp"
#include "meander/options.hpp"
#include "outline_io/reader_parts.hpp"

namespace meander::outline_io {

using io::printable;

namespace {

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

}  // namespace

CsvTable::CsvTable(const std::string& path, std::string_view text)
    : path_(path), lines_(lines_of(text)) {
  if (!lines_.empty()) {
    header_ = lines_.front();
    lines_.erase(lines_.begin());
  }
  columns_ = split(header_, ',');
  unit_ = column("unit");
}

std::optional<std::size_t> CsvTable::column(std::string_view name) const {
  const auto found = std::find(columns_.begin(), columns_.end(), name);
  if (found == columns_.end()) return {};
  return static_cast<std::size_t>(found - columns_.begin());
}

CsvTable::Cells CsvTable::cells(std::size_t row) const {
  Cells found = split(lines_[row], ',');
  if (found.size() == columns_.size()) return found;
  malformed(path_, "found ", found.size(), " cells in '", printable(lines_[row]), "', expected ",
            columns_.size());
}

double CsvTable::number(std::string_view cell) const {
  try {
    return OptionText<double>::parse(cell);
  } catch (const InvalidArgument&) {
    malformed(path_, "found '", printable(cell), "', expected a number");
  }
}

std::array<double, 2> CsvTable::pixels_per_unit(const Cells& cells, const Spacing& image) const {
  const std::string_view name = unit_ ? cells[*unit_] : "px";
  const auto unit = unit_named(name);
  if (!unit) malformed(path_, "found the unit '", printable(name), "', expected one as um or mm");
  if (*unit == Unit::pixel) return {1, 1};
  if (image.unit == Unit::pixel) {
    throw InvalidArgument(message(path_, ": coordinates in ", name,
                                  ", but the image has no spacing in a unit of length"));
  }
  const double ratio = metres_per(*unit) / metres_per(image.unit);
  return {ratio / image.x, ratio / image.y};
}

}  // namespace meander::outline_io
