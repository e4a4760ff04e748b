// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "batch/plan.hpp"
#include "words/json.hpp"

namespace meander::app {

/// One table of all files, with a column for the file. Until it is written, each file's part of it
/// lies in a hidden folder beside it, and stays there when the batch is interrupted: a resumed one
/// would otherwise have to do again what is done.
class BatchTable {
 public:
  /// With `resumes` what an earlier batch has left is used, otherwise it is removed.
  BatchTable(const std::string& path, bool resumes);
  /// Keeps the parts, if there are any.
  ~BatchTable();
  BatchTable(const BatchTable&) = delete;
  BatchTable& operator=(const BatchTable&) = delete;

  /// Where a verb that makes a table of its own writes that of this file.
  std::string part_of(const BatchFile& file) const;
  /// The figures of a report: those of each frame, where there are several.
  void add_figures(const BatchFile& file, const Json& report) const;
  /// Whether the lines of this file are there.
  bool holds(const BatchFile& file) const;
  /// The lines of these files, in their order. A file without any has one with empty cells.
  void write(const std::vector<const BatchFile*>& files);

 private:
  using Lines = std::vector<std::vector<std::string>>;  ///< The first names the columns.
  Lines lines_of(const BatchFile& file) const;

  const std::string path_;
  const std::filesystem::path folder_;
  std::map<std::string, Lines> earlier_;  ///< By input, out of an older table.
};

}  // namespace meander::app
