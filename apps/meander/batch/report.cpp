// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "batch/report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "meander/version.hpp"
#include "session/out_of_memory.hpp"

namespace meander::app {
namespace {

/// Without the name of the program in front.
std::vector<std::string> lines_of(const std::string& text) {
  constexpr std::string_view program = "meander: ";
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    lines.push_back(line.starts_with(program) ? line.substr(program.size()) : line);
    begin = end + 1;
  }
  return lines;
}

std::string named(const BatchFile& file, const std::string& line) {
  return line.starts_with(file.input) ? line : file.input + ": " + line;
}

}  // namespace

BatchReport::BatchReport(const Verb& verb, const CommonOptions& common,
                         const std::vector<BatchFile>& files, bool in_words)
    : verb_(verb),
      common_(common),
      files_(files),
      in_words_(in_words),
      texts_(files.size()),
      bar_(!common.quiet && isatty(STDERR_FILENO) != 0) {}

void BatchReport::log(const std::string& line) {
  if (!common_.verbose) return;
  bar_.clear();
  print_error(line.c_str());
}

void BatchReport::add_skipped(std::size_t file) {
  log(files_[file].input + ": complete, left out");
  Json report = begin_of_report(files_[file]);
  report["skipped"] = true;
  print_in_order(file, common_.json ? report.dump() + "\n" : "");
}

void BatchReport::add(std::size_t file, const ChildProcess& run) {
  std::vector<std::string> lines = lines_of(run.err());
  std::string fault;
  if (run.code() < 0) {
    fault = fmt::format("ended by signal {} ({})", -run.code(), ::strsignal(-run.code()));
  } else if (run.code() > 0) {
    fault = fmt::format("ended with exit code {}", run.code());
    if (!lines.empty()) fault = lines.back();
    if (!lines.empty()) lines.pop_back();
  }
  tell(files_[file], lines);
  if (run.code() != done) return add_failure(file, run, fault);
  print_in_order(file, common_.json ? Json::parse(run.out()).dump() + "\n"
                                    : words_of(files_[file], run.out()));
}

/// A run that failed may have had something to say: unsettled curves that are kept.
void BatchReport::add_failure(std::size_t file, const ChildProcess& run, const std::string& fault) {
  failures_.emplace(file, named(files_[file], fault));
  Json report = Json::parse(run.out());
  if (!report.is_object()) report = begin_of_report(files_[file]);
  report["error"] = {{"code", run.code()}, {"message", fault}};
  print_in_order(file, common_.json ? report.dump() + "\n" : words_of(files_[file], run.out()));
}

Json BatchReport::begin_of_report(const BatchFile& file) const {
  Json inputs = Json::array(), input = {{"path", file.input}};
  inputs.push_back(std::move(input));
  return {{"verb", verb_.name}, {"version", version()}, {"inputs", std::move(inputs)}};
}

/// Each line with its file; but `info` begins with that.
std::string BatchReport::words_of(const BatchFile& file, const std::string& out) const {
  if (!in_words_ || out.starts_with(file.input + ":")) return in_words_ ? out : "";
  std::string text;
  for (const std::string& line : lines_of(out)) text += named(file, line) + "\n";
  return text;
}

/// Warnings, and with --verbose what was done.
void BatchReport::tell(const BatchFile& file, const std::vector<std::string>& lines) {
  if (!lines.empty()) bar_.clear();
  for (const std::string& line : lines) print_error(named(file, line).c_str());
}

void BatchReport::print_in_order(std::size_t file, std::string text) {
  texts_[file] = std::move(text);
  ++finished_;
  for (; printed_ < texts_.size() && texts_[printed_]; ++printed_) {
    std::string& next = *texts_[printed_];
    if (next.empty()) continue;
    bar_.clear();
    fmt::print("{}", next);
    next = {};
  }
  std::fflush(stdout);
}

void BatchReport::show_progress() {
  bar_.show(static_cast<double>(finished_) / static_cast<double>(files_.size()),
            fmt::format("  {} of {} files{}", finished_, files_.size(),
                        failures_.empty() ? "" : fmt::format(", {} failed", failures_.size())));
}

void BatchReport::print_failures() {
  bar_.clear();
  for (const auto& [file, line] : failures_) print_error(line.c_str());
}

std::vector<const BatchFile*> BatchReport::files_done() const {
  std::vector<const BatchFile*> done_files;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (texts_[i] && !failures_.contains(i)) done_files.push_back(&files_[i]);
  }
  return done_files;
}

}  // namespace meander::app
