// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "options/entry.hpp"
#include "session/invocation.hpp"

namespace meander::app {

class Session;

struct Argument {
  std::string name, help;
  std::vector<std::string> choices = {};
  std::string value = {};
  bool optional = false;
};

/// What --sweep shows of a result.
enum class Showing {
  nothing,  ///< There is no image to show.
  values,   ///< Grey, or colours, by the values of OUT.
  field,    ///< Directions of OUT's vectors as colours.
  overlay   ///< The picture that --overlay makes.
};

/// What a verb does with an input, its first argument, that is a film.
enum class Films {
  none,   ///< It reads no image.
  each,   ///< It works on one frame; over many it is run once for each.
  itself  ///< It goes over the frames by itself.
};

/// What a verb takes the pages of a stack for, when neither the file nor --pages says what they
/// are.
enum class UnknownPages {
  kept,    ///< Slices, as which they come out again.
  frames,  ///< It works on images of 2 axes.
  asked    ///< Nothing: the result would be another one.
};

/// What the command line knows of a verb. `options` refer to what `run` and `invocation` hold.
struct Verb {
  std::string name, summary;
  std::string details;  ///< A paragraph for the man page and `--help`.
  std::string example;
  std::vector<Argument> arguments;
  std::vector<OptionEntry> options;
  Films films = Films::none;
  UnknownPages unknown_pages = UnknownPages::kept;
  std::string follows = {};  ///< An option with which it goes over the frames by itself.
  std::vector<std::string> of_following = {};  ///< Options that go with that one.
  Showing showing = Showing::nothing;
  std::vector<std::string> other_outputs = {};  ///< Options that name files written beside OUT.
  /// Throws Unsupported for a name of OUT whose suffix it does not know; none: the formats of
  /// images.
  std::function<void(const std::string&)> check_out = {};
  std::function<int(Session&)> run;    ///< Returns the exit code when nothing was thrown.
  std::vector<OptionEntry> many = {};  ///< Options of many files, where it takes them.
  std::shared_ptr<Invocation> invocation = std::make_shared<Invocation>();
};

/// Whether it may be given many files and a folder for what it makes of them.
inline bool takes_many(const Verb& verb) {
  return !verb.arguments.empty() && verb.arguments.front().name == "IN";
}

Verb bench_verb();
Verb compare_verb();
Verb convert_verb();
Verb devices_verb();
Verb docs_verb();
Verb flow_verb();
Verb info_verb();
Verb phantom_verb();
Verb react_verb();
Verb segment_verb();
Verb smooth_verb();
Verb verify_verb();

/// All of them, in the order of the help.
std::vector<Verb> all_verbs();

}  // namespace meander::app
