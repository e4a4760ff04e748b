// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "session/compression.hpp"

#include <algorithm>

#include "session/session.hpp"
#include "system/file_names.hpp"

namespace meander::app {
namespace {

bool can_be_compressed(const std::string& path) {
  const auto format = format_of(path);
  return format && format->compresses;
}

bool is_compressed(const std::string& path) {
  return can_be_compressed(path) || (format_of(path) && suffix_of(path) == ".gz");
}

}  // namespace

io::WriteOptions write_options(const std::string& path) {
  return {.compress = output_options.compress && can_be_compressed(path)};
}

void refuse_vain_compression(const Verb& verb) {
  if (!output_options.compress) return;
  const std::string& out = verb.arguments.at(1).value;
  if (is_compressed(out)) return;
  for (const OptionEntry& option : verb.options) {
    const bool is_output =
        std::ranges::find(verb.other_outputs, option.name) != verb.other_outputs.end();
    if (option.given && is_output && is_compressed(option.get())) return;
  }
  throw Unsupported(out + ": --compress found nothing to compress, expected NRRD or MetaImage");
}

}  // namespace meander::app
