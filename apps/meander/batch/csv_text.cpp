// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "batch/csv_text.hpp"

#include <utility>

namespace meander::app {
namespace {

std::string cell_of(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? "\"\"" : std::string(1, c);
  return cell + "\"";
}

}  // namespace

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += cell_of(cell) + ",";
  if (!line.empty()) line.pop_back();
  return line + "\n";
}

std::vector<std::vector<std::string>> csv_cells(std::string_view text) {
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> line(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_doubled = is_quoted && c == '"' && text.substr(i + 1).starts_with('"');
    if (is_doubled || (is_quoted && c != '"')) {
      line.back() += c;
      i += is_doubled ? 1 : 0;
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == ',') {
      line.emplace_back();
    } else if (c == '\n') {
      lines.push_back(std::exchange(line, std::vector<std::string>(1)));
    } else if (c != '\r') {
      line.back() += c;
    }
  }
  if (line.size() > 1 || !line.front().empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace meander::app
