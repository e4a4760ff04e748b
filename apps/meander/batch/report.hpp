// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "batch/plan.hpp"
#include "system/child_process.hpp"
#include "words/json.hpp"

namespace meander::app {

/// What is said of many files: results on stdout in the order of the files, as one object a line
/// with --json; warnings on stderr, one line of progress, and at the end a line for each file that
/// failed.
class BatchReport {
 public:
  /// `in_words`: whether runs print results in words.
  BatchReport(const Verb& verb, const CommonOptions& common, const std::vector<BatchFile>& files,
              bool in_words);

  /// A line with --verbose.
  void log(const std::string& line);
  void add_skipped(std::size_t file);
  /// A run that has ended, well or not.
  void add(std::size_t file, const ChildProcess& run);
  void show_progress();
  /// To be called once, when nothing else is to be said.
  void print_failures();

  bool has_failures() const { return !failures_.empty(); }
  /// Those that are done now or were before, in their order.
  std::vector<const BatchFile*> files_done() const;

 private:
  void add_failure(std::size_t file, const ChildProcess& run, const std::string& fault);
  void tell(const BatchFile& file, const std::vector<std::string>& lines);
  Json begin_of_report(const BatchFile& file) const;
  std::string words_of(const BatchFile& file, const std::string& out) const;
  void print_in_order(std::size_t file, std::string text);

  const Verb& verb_;
  const CommonOptions& common_;
  const std::vector<BatchFile>& files_;
  const bool in_words_;
  std::vector<std::optional<std::string>> texts_;  ///< Of files that are finished.
  std::size_t finished_ = 0, printed_ = 0;
  std::map<std::size_t, std::string> failures_;  ///< By file, with what is to be said of it.
  ProgressBar bar_;
};

}  // namespace meander::app
