// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "batch/plan.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include "batch/file_pattern.hpp"
#include "session/output_checks.hpp"
#include "system/file_names.hpp"

namespace meander::app {
namespace {

namespace fs = std::filesystem;

bool has_out(const Verb& verb) { return verb.arguments.size() > 1; }

const OptionEntry* given_option(const Verb& verb, const std::string& name) {
  for (const auto* options : {&verb.options, &verb.many}) {
    for (const OptionEntry& option : *options) {
      if (option.given && option.name == name) return &option;
    }
  }
  return nullptr;
}

bool has_star(const OptionEntry& option) { return option.said.find('*') != std::string::npos; }

/// The table that is one for all files; with a * each has one, as it has other outputs.
std::string one_table(const Verb& verb) {
  const OptionEntry* table = given_option(verb, "table");
  if (table == nullptr || has_star(*table)) return "";
  check_table_name(table->said);
  return table->said;
}

/// Those that name a file written beside OUT, one for each input.
std::vector<const OptionEntry*> outputs_beside(const Verb& verb) {
  std::vector<const OptionEntry*> found;
  for (const std::string& name : verb.other_outputs) {
    const OptionEntry* option = given_option(verb, name);
    if (option == nullptr || !option->is_text || (name == "table" && !has_star(*option))) continue;
    found.push_back(option);
  }
  return found;
}

void check_options(const Verb& verb, const CommonOptions& common) {
  const BatchOptions& given = verb.invocation->batch;
  for (const auto* options : {&verb.options, &verb.many}) {
    for (const OptionEntry& option : *options) option.check();
  }
  if (!common.sweep.empty()) {
    throw InvalidArgument("--sweep: shows what becomes of one image, expected one IN beside it");
  }
  if (given.resume && verb.invocation->in_place.in_place) {
    throw InvalidArgument(
        "--resume: files that are written over do not tell whether they were, expected no "
        "--in-place beside it");
  }
  if (given.table.find('*') != std::string::npos) {
    throw InvalidArgument("--table: one of all files, expected no * in its name");
  }
  for (const OptionEntry* option : outputs_beside(verb)) {
    if (has_star(*option)) continue;
    throw InvalidArgument(
        fmt::format("--{}: every file would write {}, expected a * for the input's name, as '*{}'",
                    option->name, option->said, suffix_of(option->said)));
  }
}

void check_folder(const std::string& folder) {
  std::error_code ignored;
  if (fs::is_directory(folder, ignored)) return;
  const std::string bare = folder.substr(0, folder.find_last_not_of('/') + 1);
  if (fs::exists(bare, ignored) || bare == folder) {
    throw FileSystemError(fmt::format(
        "{}: no folder, expected one for the outputs of many files, or a name with / at its end "
        "to make it",
        folder));
  }
}

std::vector<std::string> expanded(const std::string& input) {
  if (is_pattern(input)) return files_matching(input);
  std::error_code fault;
  const fs::file_status status = fs::status(input, fault);
  if (fs::is_directory(status)) {
    throw FileSystemError(fmt::format("{}: a folder, expected files as '{}'", input,
                                      (fs::path(input) / "*.tif").string()));
  }
  if (!fs::exists(status)) throw FileSystemError(fmt::format("{}: {}", input, fault.message()));
  return {input};
}

/// A format that is only read would fail for each of the files.
void check_written(const std::string& who, const std::string& name) {
  const auto format = format_of(name);
  if (!format || format->writable) return;
  throw Unsupported(fmt::format("{}: {} is only read, expected --suffix .png or another for OUT",
                                who, format->name));
}

/// What names a file or a folder, with or without a slash at its end, lies in.
fs::path folder_of(const std::string& output) {
  return (fs::path(output) / "").parent_path().parent_path();
}

/// Asks the folders only: a file that cannot be written over is a fault of that one.
void check_writable(const std::vector<BatchFile>& files, const std::string& made_later) {
  std::set<fs::path> folders;
  for (const BatchFile& file : files) {
    for (const std::string& output : file.outputs) folders.insert(folder_of(output) / "");
  }
  for (const fs::path& folder : folders) {
    const std::string name = folder.empty() ? "./" : folder.string();
    std::error_code ignored;
    if (is_same_file(name, made_later) && !fs::exists(name, ignored)) continue;
    if (::access(name.c_str(), W_OK | X_OK) == 0) continue;
    throw FileSystemError(
        fmt::format("{}: cannot be written: {}", name, std::generic_category().message(errno)));
  }
}

}  // namespace

bool is_batch(const Verb& verb, const std::vector<std::string>& inputs) {
  if (inputs.empty()) return false;
  const bool has_folder = has_out(verb) && verb.arguments.back().value.ends_with('/');
  return inputs.size() > 1 || has_folder || is_pattern(inputs.front());
}

void add_batch_options(Verb& verb) {
  verb.many = entries_of(verb.invocation->batch);
  std::erase_if(verb.many, [&](const OptionEntry& entry) {
    const bool is_of_outputs = entry.name == "suffix" || entry.name == "resume";
    return (is_of_outputs && !has_out(verb)) ||
           std::ranges::find(verb.options, entry.name, &OptionEntry::name) != verb.options.end();
  });
}

void refuse_batch_options(const Verb& verb) {
  for (const OptionEntry& option : verb.many) {
    if (!option.given) continue;
    throw InvalidArgument(
        fmt::format("--{}: goes with many files, expected several of them or a pattern{}",
                    option.name, has_out(verb) ? ", and a folder for OUT" : ""));
  }
}

std::string text_for(const BatchFile& file, const std::string& text) {
  std::string replaced;
  for (const char c : text) c == '*' ? replaced += file.name : replaced += c;
  return replaced;
}

BatchPlan::BatchPlan(const Verb& verb, const std::vector<std::string>& inputs,
                     const CommonOptions& common)
    : verb_(verb),
      folder_(has_out(verb) ? verb.arguments.back().value : ""),
      table_(one_table(verb)) {
  check_options(verb, common);
  if (has_out(verb)) check_folder(folder_);
  check_suffix();
  for (const std::string& input : inputs) {
    for (const std::string& file : expanded(input)) add(file);
  }
  check_outputs();
  if (has_out(verb)) check_writable(files_, folder_);
  if (!table_.empty()) io::check_text_target(table_);
}

void BatchPlan::check_suffix() const {
  const std::string& suffix = verb_.invocation->batch.suffix;
  if (suffix.empty()) return;
  if (suffix.find('/') != std::string::npos) {
    throw InvalidArgument(fmt::format("--suffix: found '{}', expected no folder in it", suffix));
  }
  check_written("--suffix " + suffix, "*" + suffix);
  if (verb_.check_out) return verb_.check_out("*" + suffix);
  if (!format_of("*" + suffix)) {
    throw Unsupported(fmt::format("--suffix: no format of this build ends in '{}'", suffix));
  }
}

void BatchPlan::add(const std::string& input) {
  const std::string whole = fs::path(input).filename().string();
  BatchFile file{.input = input, .name = without_suffix(whole), .outputs = {}, .key = {}};
  if (has_out(verb_)) {
    const std::string& suffix = verb_.invocation->batch.suffix;
    file.key = suffix.empty() ? whole : file.name + suffix;
    file.outputs.push_back((fs::path(folder_) / file.key).string());
    check_written(file.outputs.back(), file.key);
  } else {
    file.key = std::to_string(files_.size());
  }
  for (const OptionEntry* option : outputs_beside(verb_)) {
    file.outputs.push_back(text_for(file, option->said));
  }
  files_.push_back(std::move(file));
}

void BatchPlan::check_outputs() const {
  std::set<std::string> images, others;
  std::map<std::string, std::string> makers;
  const std::vector<std::string> texts = texts_read(verb_);
  for (const BatchFile& file : files_) {
    images.insert(identity_of(file.input));
    for (const std::string& text : texts) others.insert(identity_of(text_for(file, text)));
  }
  const auto check = [&](const std::string& output, const std::string& maker) {
    const std::string identity = identity_of(output);
    const bool is_own = verb_.invocation->in_place.in_place && identity == identity_of(maker);
    if (others.contains(identity) || (images.contains(identity) && !is_own)) {
      throw InvalidArgument(output + ": an input too, expected another folder or suffix" +
                            in_place_advice(verb_));
    }
    const auto [other, is_new] = makers.emplace(place_of(output), maker);
    if (is_new) return;
    throw InvalidArgument(
        fmt::format("{}: would be made of {} and of {}, expected a name of its "
                    "own for each output",
                    output, other->second, maker));
  };
  for (const BatchFile& file : files_) {
    for (const std::string& output : file.outputs) check(output, file.input);
  }
  if (!table_.empty()) check(table_, "all files");
}

}  // namespace meander::app
