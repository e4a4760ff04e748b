// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <utility>

#include "input/frames.hpp"
#include "words/report.hpp"

namespace meander::app {

/// The report of several runs, each for a frame or a slice: that of the first, with the outputs and
/// the seconds of all, the largest memory, and their results one after the other.
class FrameReport {
 public:
  /// "frame" or "slice".
  explicit FrameReport(std::string word = "frame") : word_(std::move(word)) {}
  void add(std::int64_t frame, Json report);
  /// The film or the stack that they wrote together.
  void set_film(const std::string& path, const io::Film& film, std::int64_t slices = 1);
  Json& options() { return json_["options"]; }
  std::string text();

 private:
  std::string word_;
  Json json_;
  Json results_ = Json::array();
};

}  // namespace meander::app
