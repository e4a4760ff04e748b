// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "session/session.hpp"
#include "session/verb.hpp"

namespace meander::app {

/// One of many inputs and what is made of it.
struct BatchFile {
  std::string input;
  std::string name;                  ///< The input's, without folder and suffix.
  std::vector<std::string> outputs;  ///< OUT, where there is one, then files beside it.
  std::string key;                   ///< A name that no other file of the batch has.
};

/// Whether the command line asks for many files: by several inputs, a pattern, or a folder as OUT,
/// which ends in a slash unless it is there.
bool is_batch(const Verb& verb, const std::vector<std::string>& inputs);
/// Gives a verb the options of many files, but for those that it has by itself and, where it writes
/// no files, those of outputs.
void add_batch_options(Verb& verb);
/// Throws InvalidArgument for options of many files where there is one.
void refuse_batch_options(const Verb& verb);

/// The text of an option for one file: its name stands in for each *.
std::string text_for(const BatchFile& file, const std::string& text);

/// What is to be done, with everything that can be refused before any work: inputs that are not
/// there (FileSystemError), outputs that meet each other or an input, values out of their range,
/// outputs that every file would write (InvalidArgument), an unknown suffix (Unsupported), and
/// folders that are none or cannot be written (FileSystemError).
class BatchPlan {
 public:
  BatchPlan(const Verb& verb, const std::vector<std::string>& inputs, const CommonOptions& common);

  const std::vector<BatchFile>& files() const { return files_; }
  /// For OUT of every file; empty when the verb writes none.
  const std::string& folder() const { return folder_; }
  /// The one table of all files; empty when none is asked for.
  const std::string& table() const { return table_; }

 private:
  void add(const std::string& input);
  void check_suffix() const;
  void check_outputs() const;

  const Verb& verb_;
  std::string folder_, table_;
  std::vector<BatchFile> files_;
};

}  // namespace meander::app
