// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meander/image.hpp"

namespace meander::outline_io {

/// A CSV file whose first line names its columns; views into its text. Cells have no quotes.
class CsvTable {
 public:
  using Cells = std::vector<std::string_view>;
  CsvTable(const std::string& path, std::string_view text);

  std::string_view header() const { return header_; }
  const Cells& columns() const { return columns_; }
  std::optional<std::size_t> column(std::string_view name) const;
  std::size_t rows() const { return lines_.size(); }
  /// Throws MalformedFile when there are more or fewer than columns.
  Cells cells(std::size_t row) const;
  /// Throws MalformedFile for what is no number.
  double number(std::string_view cell) const;
  /// What takes coordinates of a row to pixels: by its cell of the column `unit`, where there is
  /// one, and the spacing of the image.
  std::array<double, 2> pixels_per_unit(const Cells& cells, const Spacing& image) const;

 private:
  const std::string& path_;
  std::string_view header_;
  Cells columns_;
  std::vector<std::string_view> lines_;  ///< After the header.
  std::optional<std::size_t> unit_;
};

}  // namespace meander::outline_io
