// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "session/output_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "meander/io.hpp"
#include "system/file_names.hpp"

namespace meander::app {
namespace {

bool is_output(const Verb& verb, const OptionEntry& option) {
  return std::ranges::find(verb.other_outputs, option.name) != verb.other_outputs.end();
}

std::vector<std::string> files_of(const std::string& in) {
  if (!io::is_sequence(in)) return {in};
  std::vector<std::string> files{in};  // the pattern too, which OUT may repeat
  for (const auto& file : io::sequence_files(in)) files.push_back(file.string());
  return files;
}

bool is_one_of(const std::vector<std::string>& files, const std::string& output) {
  return std::ranges::any_of(files,
                             [&](const std::string& file) { return is_same_file(file, output); });
}

bool can_be_compressed(const std::string& path) {
  const auto format = format_of(path);
  return format && format->compresses;
}

bool is_compressed(const std::string& path) {
  return can_be_compressed(path) || (format_of(path) && suffix_of(path) == ".gz");
}

}  // namespace

io::WriteOptions write_options(const Verb& verb, const std::string& path) {
  return {.compress = verb.invocation->output.compress && can_be_compressed(path)};
}

void refuse_vain_compression(const Verb& verb) {
  if (!verb.invocation->output.compress) return;
  const std::string& out = verb.arguments.at(1).value;
  if (is_compressed(out)) return;
  for (const OptionEntry& option : verb.options) {
    if (option.given && is_output(verb, option) && is_compressed(option.get())) return;
  }
  throw Unsupported(out + ": --compress found nothing to compress, expected NRRD or MetaImage");
}

std::vector<std::string> texts_read(const Verb& verb) {
  std::vector<std::string> texts;
  for (const OptionEntry& option : verb.options) {
    if (!option.given || option.said.empty() || option.takes_number || is_output(verb, option))
      continue;
    texts.push_back(option.said);
  }
  return texts;
}

std::string in_place_advice(const Verb& verb) {
  const bool has_it =
      std::ranges::find(verb.options, "in-place", &OptionEntry::name) != verb.options.end();
  return has_it && !verb.invocation->in_place.in_place ? ", or --in-place to write over it" : "";
}

void check_written_over(const Verb& verb) {
  if (!takes_many(verb) || verb.arguments.size() < 2) return;
  const std::vector<std::string> images = files_of(verb.arguments.front().value);
  const std::string& out = verb.arguments.back().value;
  if (!verb.invocation->in_place.in_place && is_one_of(images, out)) {
    throw InvalidArgument(
        fmt::format("{}: is IN too, expected another OUT{}", out, in_place_advice(verb)));
  }
  const std::vector<std::string> texts = texts_read(verb);
  if (is_one_of(texts, out)) throw InvalidArgument(out + ": an input too, expected another OUT");
  for (const OptionEntry& option : verb.options) {
    if (!option.given || !option.is_text || !is_output(verb, option)) continue;
    if (!is_one_of(images, option.said) && !is_one_of(texts, option.said)) continue;
    throw InvalidArgument(
        fmt::format("--{}: {} is an input too, expected another name", option.name, option.said));
  }
}

}  // namespace meander::app
