// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "batch/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <system_error>

#include "batch/csv_text.hpp"

namespace meander::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_column = "file";

std::string read_whole(const fs::path& path) {
  return io::read_text(path, std::numeric_limits<std::int64_t>::max());
}

/// Figures and words; what is made of several is left to --json.
bool is_plain(const Json& value) { return !value.is_object() && !value.is_array(); }

std::string cell_of(const Json& value) {
  if (value.is_null()) return "";
  return value.is_text() ? value.text() : value.dump();
}

/// A later line may have figures that the first has not.
std::size_t column_of(std::vector<std::string>& columns, const std::string& name) {
  const auto found = std::ranges::find(columns, name);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  columns.push_back(name);
  return columns.size() - 1;
}

void put(std::vector<std::string>& line, std::size_t column, std::string cell) {
  if (line.size() <= column) line.resize(column + 1);
  line[column] = std::move(cell);
}

/// All lines get as many cells as there are columns.
std::string text_of(std::vector<std::vector<std::string>> lines) {
  const std::size_t columns = lines.front().size();
  std::string text;
  for (auto& line : lines) {
    line.resize(columns);
    text += csv_line(line);
  }
  return text;
}

}  // namespace

BatchTable::BatchTable(const std::string& path, bool resumes)
    : path_(path),
      folder_(fs::path(path).parent_path() /
              (".meander-rows-" + fs::path(path).filename().string())) {
  std::error_code fault;
  if (!resumes) fs::remove_all(folder_, fault);
  fs::create_directory(folder_, fault);
  if (fault) {
    throw FileSystemError(
        fmt::format("{}: the folder cannot be made: {}", folder_.string(), fault.message()));
  }
  if (!resumes || !fs::exists(path)) return;
  const Lines lines = csv_cells(read_whole(path));
  if (lines.empty() || lines.front().front() != file_column) return;
  for (auto line = lines.begin() + 1; line != lines.end(); ++line) {
    Lines& known = earlier_[line->front()];
    if (known.empty()) known.push_back({lines.front().begin() + 1, lines.front().end()});
    known.push_back({line->begin() + 1, line->end()});
  }
}

BatchTable::~BatchTable() {
  std::error_code is_not_empty;
  fs::remove(folder_, is_not_empty);
}

std::string BatchTable::part_of(const BatchFile& file) const {
  return (folder_ / (file.key + ".csv")).string();
}

void BatchTable::add_figures(const BatchFile& file, const Json& report) const {
  Json result = report.contains("result") ? report["result"] : Json();
  Json rows = Json::array();
  if (result.is_object() && result.contains("per_frame")) {
    rows = result["per_frame"];
  } else {
    rows.push_back(std::move(result));
  }
  Lines lines(1);
  for (const Json& row : rows) {
    std::vector<std::string> line;
    for (const std::string& name : row.names()) {
      if (is_plain(row[name])) put(line, column_of(lines.front(), name), cell_of(row[name]));
    }
    lines.push_back(std::move(line));
  }
  io::write_text(part_of(file), text_of(std::move(lines)));
}

bool BatchTable::holds(const BatchFile& file) const {
  std::error_code ignored;
  return fs::exists(part_of(file), ignored) || earlier_.contains(file.input);
}

BatchTable::Lines BatchTable::lines_of(const BatchFile& file) const {
  if (fs::exists(part_of(file))) return csv_cells(read_whole(part_of(file)));
  const auto known = earlier_.find(file.input);
  return known == earlier_.end() ? Lines() : known->second;
}

void BatchTable::write(const std::vector<const BatchFile*>& files) {
  Lines table{{file_column}};
  for (const BatchFile* file : files) {
    Lines lines = lines_of(*file);
    if (lines.size() < 2) lines.resize(2);
    std::vector<std::size_t> places;
    for (const std::string& name : lines.front()) places.push_back(column_of(table.front(), name));
    for (auto line = lines.begin() + 1; line != lines.end(); ++line) {
      table.push_back({file->input});
      for (std::size_t i = 0; i < std::min(line->size(), places.size()); ++i) {
        put(table.back(), places[i], std::move((*line)[i]));
      }
    }
  }
  io::write_text(path_, text_of(std::move(table)));
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace meander::app
