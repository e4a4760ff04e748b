// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "docs.hpp"

#include <fmt/format.h>

#include <cmath>

#include "meander/version.hpp"
#include "session/session.hpp"

namespace meander::app {
namespace {

struct CodeMeaning {
  ExitCode code;
  const char* meaning;
};
constexpr CodeMeaning codes[] = {
    {done, "done"},
    {internal, "an error inside Meander"},
    {usage, "wrong usage, or a value out of its range"},
    {malformed, "malformed input"},
    {unsupported, "valid, but not supported by this build, format or device"},
    {memory, "beyond the memory budget"},
    {device_failed, "a device that was named failed or has no memory left"},
    {file_system, "the file system refused"},
    {not_met, "a tolerance was not met"},
    {some_failed, "some of many files failed, each with a line on stderr; the others are done"},
    {interrupted, "interrupted"}};

std::string usage_line(const Verb& verb) {
  std::string line = "meander " + verb.name;
  for (const Argument& argument : verb.arguments) {
    line += argument.optional ? " [" + argument.name + "]" : " " + argument.name;
  }
  return line + " [options]";
}

std::string range_of(const OptionEntry& option) {
  if (std::isfinite(option.min) && std::isfinite(option.max))
    return fmt::format("{} to {}", option.min, option.max);
  if (std::isfinite(option.min)) return fmt::format("at least {}", option.min);
  if (std::isfinite(option.max)) return fmt::format("at most {}", option.max);
  return "";
}

/// "number, 0 to 1, pixels, default 0.1": whatever applies.
std::string facts_of(const OptionEntry& option) {
  if (option.is_flag) return "flag";
  std::string facts = option.syntax;
  for (const std::string& fact : {range_of(option), option.unit}) {
    if (!fact.empty()) facts += "; " + fact;
  }
  if (!option.initial.empty()) facts += "; default " + option.initial;
  return facts;
}

std::string option_lines(const std::vector<OptionEntry>& options) {
  std::string text;
  for (const OptionEntry& option : options) {
    text += fmt::format("  --{:<12} {}\n  {:<14} ({})\n", option.name, option.help, "",
                        facts_of(option));
  }
  return text;
}

/// roff takes a leading dot or quote, and every backslash and hyphen, as its own.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string roff_options(const std::vector<OptionEntry>& options) {
  std::string text;
  for (const OptionEntry& option : options) {
    text += fmt::format(".TP\n\\fB\\-\\-{}\\fR\n{}\n({})\n", roff(option.name), roff(option.help),
                        roff(facts_of(option)));
  }
  return text;
}

std::string words_of(const std::vector<OptionEntry>& options) {
  std::string words;
  for (const OptionEntry& option : options) words += (words.empty() ? "--" : " --") + option.name;
  return words;
}

std::string choice_cases(const std::string& verb, const std::vector<OptionEntry>& options) {
  std::string text;
  for (const OptionEntry& option : options) {
    if (option.choices.empty()) continue;
    text += fmt::format("    {}:--{}) _meander_offer '{}'; return ;;\n", verb, option.name,
                        fmt::join(option.choices, " "));
  }
  return text;
}

constexpr const char* of_many_files =
    "IN may be several files, or patterns in quotes as 'in/*.tif', which the program expands by "
    "itself; OUT is then a folder, with / at its end where it is to be made, and outputs are named "
    "after inputs. In every option of the verb a * stands for the input's name without folder and "
    "suffix: --overlay 'overlays/*.png'. Each file has a process of its own. One that fails does "
    "not stop the others: at the end each has a line on stderr, and the exit code is 9. Names that "
    "meet each other or an input are refused before any work. With --json every file has one "
    "object on a line of its own, with an \"error\" where it failed. --table is one table of all "
    "files with a column for the file; a batch that is interrupted keeps its lines in a hidden "
    "folder beside it, for --resume.";

std::string table_of(const std::vector<OptionEntry>& options) {
  std::string text = "| option | meaning | value |\n|---|---|---|\n";
  for (const OptionEntry& option : options) {
    text += fmt::format("| `--{}` | {} | {} |\n", option.name, option.help, facts_of(option));
  }
  return text;
}

std::string names_of_many(const std::vector<Verb>& verbs) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs) {
    if (!verb.many.empty()) names.push_back(verb.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string format_names() {
  std::string names;
  for (const io::Format& format : io::formats()) {
    names += (names.empty() ? "" : ", ") + format.name +
             (format.readable ? format.writable ? "" : " (in only)" : " (out only)");
  }
  return names;
}

}  // namespace

std::string overview(const std::vector<Verb>& verbs) {
  std::string text =
      "Meander turns noisy 2-D and 3-D scientific images into smooth images, fields and "
      "outlines.\nFormats of images: " +
      format_names() +
      ".\n\n"
      "usage: meander VERB ARGUMENTS [options]\n\n";
  for (const Verb& verb : verbs) text += fmt::format("  {:<10} {}\n", verb.name, verb.summary);
  return text +
         "\n`meander VERB --help` says more of each; `meander --version` prints the version.\n";
}

std::string help_of(const Verb& verb, const std::vector<OptionEntry>& common) {
  std::string text = fmt::format("usage: {}\n", usage_line(verb));
  if (!verb.many.empty()) {
    text += fmt::format("       meander {} IN...{} [options]\n", verb.name,
                        verb.arguments.size() > 1 ? " FOLDER/" : "");
  }
  text += fmt::format("\n{}. {}\n\n", verb.summary, verb.details);
  for (const Argument& argument : verb.arguments) {
    text += fmt::format("  {:<14} {}\n", argument.name, argument.help);
    if (!argument.choices.empty())
      text += fmt::format("  {:<14} ({})\n", "", fmt::join(argument.choices, ", "));
  }
  if (!verb.options.empty()) text += "\nOptions:\n" + option_lines(verb.options);
  if (!verb.many.empty()) {
    text += fmt::format("\nMany files:\n  {}\n{}", of_many_files, option_lines(verb.many));
  }
  text += "\nOptions of every verb:\n" + option_lines(common);
  if (!verb.example.empty()) text += "\nExample:\n  " + verb.example + "\n";
  return text;
}

std::string man_page(const std::vector<Verb>& verbs, const std::vector<OptionEntry>& common) {
  std::string text = fmt::format(
      ".TH MEANDER 1 \"\" \"meander {}\" \"User Commands\"\n.SH NAME\nmeander \\- smooth images, "
      "fields and outlines "
      "from noisy scientific images\n.SH SYNOPSIS\n.B meander\nVERB ARGUMENTS [options]\n.SH "
      "VERBS\n",
      version());
  for (const Verb& verb : verbs) {
    text += fmt::format(".SS {}\n{}. {}\n", roff(usage_line(verb)), roff(verb.summary),
                        roff(verb.details));
    for (const Argument& argument : verb.arguments) {
      text += fmt::format(".TP\n\\fI{}\\fR\n{}\n", roff(argument.name), roff(argument.help));
    }
    text += roff_options(verb.options);
    if (!verb.example.empty())
      text += fmt::format(".PP\nExample: \\fB{}\\fR\n", roff(verb.example));
  }
  BatchOptions batch;
  text += fmt::format(".SH MANY FILES\nOf {}. {}\n{}", names_of_many(verbs), roff(of_many_files),
                      roff_options(entries_of(batch)));
  text += ".SH OPTIONS OF EVERY VERB\n" + roff_options(common) + ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : codes)
    text += fmt::format(".TP\n{}\n{}\n", static_cast<int>(code), meaning);
  return text;
}

std::string bash_completion(const std::vector<Verb>& verbs,
                            const std::vector<OptionEntry>& common) {
  std::string names, values, options;
  for (const Verb& verb : verbs) {
    names += (names.empty() ? "" : " ") + verb.name;
    values += choice_cases(verb.name, verb.options);
    options += fmt::format("    {}) options='{} {} {}' ;;\n", verb.name, words_of(verb.options),
                           words_of(verb.many), words_of(common));
    if (!verb.arguments.empty() && !verb.arguments[0].choices.empty()) {
      values += fmt::format("    {0}:{0}) _meander_offer '{1}'; return ;;\n", verb.name,
                            fmt::join(verb.arguments[0].choices, " "));
    }
  }
  return fmt::format(R"bash(# bash completion for meander, made by `meander docs bash`
_meander_offer() {{ mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }}
_meander() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} last=${{COMP_WORDS[COMP_CWORD-1]}} verb=${{COMP_WORDS[1]}} options=
  if [ "$COMP_CWORD" -eq 1 ]; then _meander_offer '{}'; return; fi
  case "$verb:$last" in
{}    *:--device) _meander_offer "auto $(meander devices --names 2>/dev/null)"; return ;;
  esac
  case "$verb" in
{}  esac
  case "$word" in
    -*) _meander_offer "$options" ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
  esac
}}
complete -o filenames -F _meander meander
)bash",
                     names, values, options);
}

std::string markdown(const std::vector<Verb>& verbs, const std::vector<OptionEntry>& common) {
  std::string text = "# Options\n\nMade by `meander docs options`.\n";
  for (const Verb& verb : verbs) {
    text += fmt::format("\n## {}\n\n`{}`: {}. {}\n", verb.name, usage_line(verb), verb.summary,
                        verb.details);
    if (!verb.options.empty()) text += "\n" + table_of(verb.options);
  }
  BatchOptions batch;
  text += fmt::format("\n## Many files\n\nOf {}. {}\n\n{}", names_of_many(verbs), of_many_files,
                      table_of(entries_of(batch)));
  text += "\n## Every verb\n\n" + table_of(common) +
          "\n## Exit codes\n\n| code | meaning |\n|---|---|\n";
  for (const auto& [code, meaning] : codes)
    text += fmt::format("| {} | {} |\n", static_cast<int>(code), meaning);
  return text;
}

Verb docs_verb() {
  return {.name = "docs",
          .summary = "Prints the man page, the bash completion or the tables of options",
          .details =
              "All three are made from the descriptions that the flags themselves are made from.",
          .example = "meander docs man | man -l -",
          .arguments = {{.name = "KIND",
                         .help = "what to print",
                         .choices = {"man", "bash", "options"}}},
          .options = {},
          .run = [](Session& session) {
            if (session.common().dry_run) {
              session.say("would print " + session.argument(0));
              return done;
            }
            CommonOptions options;
            const auto verbs = all_verbs();
            const auto common = entries_of(options);
            const std::string& kind = session.argument(0);
            const std::string text = kind == "man"    ? man_page(verbs, common)
                                     : kind == "bash" ? bash_completion(verbs, common)
                                                      : markdown(verbs, common);
            session.report().result()["text"] = text;
            if (!session.common().json) fmt::print("{}", text);
            return done;
          }};
}

}  // namespace meander::app
