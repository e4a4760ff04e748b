// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "parse.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "docs.hpp"
#include "meander/version.hpp"

namespace meander::app {
namespace {

void add_option(CLI::App& app, OptionEntry& entry) {
  if (entry.is_flag) {
    app.add_flag_callback("--" + entry.name, [&entry] {
      entry.set("true");
      entry.given = true;
    });
    return;
  }
  const auto set = [&entry](const std::string& text) {
    if (text.empty()) {
      throw InvalidArgument(
          fmt::format("--{}: found nothing, expected {}", entry.name, entry.syntax));
    }
    try {
      entry.set(text);
      entry.given = true;
      entry.said = text;
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(fmt::format("--{}: {}", entry.name, error.what()));
    }
    try {
      entry.check();
    } catch (const InvalidArgument& error) {  // which begins with the option's name
      throw InvalidArgument(fmt::format("--{}", error.what()));
    }
  };
  CLI::Option* option = app.add_option_function<std::string>("--" + entry.name, set);
  if (entry.is_repeatable) option->join(',');
}

/// `names` takes the arguments of a verb that may have any number of them.
void add_verb(CLI::App& app, Verb& verb, std::vector<OptionEntry>& common,
              std::vector<std::string>& names) {
  CLI::App* sub = app.add_subcommand(verb.name);
  sub->set_help_flag("--help,-h");
  if (takes_many(verb)) {
    sub->add_option(verb.arguments.front().name, names);
  } else {
    for (Argument& argument : verb.arguments) sub->add_option(argument.name, argument.value);
  }
  for (OptionEntry& entry : verb.options) add_option(*sub, entry);
  for (OptionEntry& entry : verb.many) add_option(*sub, entry);
  for (OptionEntry& entry : common) add_option(*sub, entry);
}

Verb* verb_named(std::vector<Verb>& verbs, const std::string& name) {
  for (Verb& verb : verbs) {
    if (verb.name == name) return &verb;
  }
  return nullptr;
}

/// CLI11's sentences, made one line.
InvalidArgument usage_error(const CLI::ParseError& error) {
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return InvalidArgument(text + "; see `meander --help`");
}

void check_arguments(const Verb& verb) {
  for (const Argument& argument : verb.arguments) {
    if (argument.value.empty() && !argument.optional) {
      throw InvalidArgument(fmt::format("{}: {} is missing; see `meander {} --help`", verb.name,
                                        argument.name, verb.name));
    }
    const auto& choices = argument.choices;
    const bool known = choices.empty() ||
                       std::find(choices.begin(), choices.end(), argument.value) != choices.end();
    if (!argument.value.empty() && !known) {
      throw InvalidArgument(fmt::format("{}: {} is '{}', expected one of {}", verb.name,
                                        argument.name, argument.value, fmt::join(choices, ", ")));
    }
  }
}

/// The last of several names is OUT, where the verb has one. Returns the others.
std::vector<std::string> share_out(Verb& verb, std::vector<std::string> names) {
  if (verb.arguments.size() > 1 && names.size() > 1) {
    verb.arguments.back().value = names.back();
    names.pop_back();
  }
  if (!names.empty()) verb.arguments.front().value = names.front();
  return names;
}

bool needs_arguments(const Verb& verb) {
  return std::any_of(verb.arguments.begin(), verb.arguments.end(),
                     [](const Argument& a) { return !a.optional; });
}

}  // namespace

Request parse(int argc, char** argv, std::vector<Verb>& verbs, std::vector<OptionEntry>& common) {
  CLI::App app("", "meander");
  app.set_help_flag("--help,-h");
  app.set_version_flag("--version", "");
  Verb* asked = argc > 1 ? verb_named(verbs, argv[1]) : nullptr;
  std::vector<std::string> names;
  for (Verb& verb : verbs) {
    // Alone, so that an argument may have the name of another verb.
    if (asked == nullptr || &verb == asked) add_verb(app, verb, common, names);
  }
  if (argc > 1 && asked == nullptr && argv[1][0] != '-') {
    throw InvalidArgument(fmt::format("unknown verb '{}'; see `meander --help`", argv[1]));
  }
  try {
    if (argc == 1 || (argc == 2 && asked != nullptr && needs_arguments(*asked)))
      throw CLI::CallForHelp();
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", asked == nullptr ? overview(verbs) : help_of(*asked, common));
    return {};
  } catch (const CLI::CallForVersion&) {
    fmt::print("meander {}\n", version());
    return {};
  } catch (const CLI::ExtrasError&) {
    // CLI11 names them from the last to the first.
    const std::vector<std::string> extra = app.remaining(true);
    throw InvalidArgument(fmt::format(
        "{} not expected: {}; see `meander --help`",
        extra.size() > 1 ? "The following arguments were" : "The following argument was",
        fmt::join(extra, " ")));
  } catch (const CLI::ParseError& error) {
    throw usage_error(error);
  }
  if (asked == nullptr) throw InvalidArgument("a verb must come first; see `meander --help`");
  Request request{.verb = asked};
  if (takes_many(*asked)) request.inputs = share_out(*asked, std::move(names));
  check_arguments(*asked);
  return request;
}

}  // namespace meander::app
