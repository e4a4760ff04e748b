// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>
#include <system_error>

#include "parse.hpp"
#include "session.hpp"
#include "signals.hpp"
#include "sweep.hpp"

namespace meander::app {

std::vector<Verb> all_verbs() {
  std::vector<Verb> verbs;
  for (const auto& make :
       {smooth_verb, flow_verb, react_verb, segment_verb, info_verb, convert_verb, phantom_verb,
        compare_verb, verify_verb, devices_verb, bench_verb, docs_verb}) {
    verbs.push_back(make());
  }
  return verbs;
}

namespace {

ExitCode code_of(const std::exception& error) {
  const auto is = [&]<class Kind>(std::type_identity<Kind>) {
    return dynamic_cast<const Kind*>(&error) != nullptr;
  };
  if (is(std::type_identity<InvalidArgument>{})) return usage;
  if (is(std::type_identity<MalformedFile>{})) return malformed;
  // The second is thrown when what is printed cannot be written.
  if (is(std::type_identity<FileSystemError>{}) || is(std::type_identity<std::system_error>{}))
    return file_system;
  if (is(std::type_identity<Unsupported>{})) return unsupported;
  if (is(std::type_identity<OutOfMemory>{}) || is(std::type_identity<std::bad_alloc>{}))
    return memory;
  if (is(std::type_identity<DeviceError>{})) return device_failed;
  if (is(std::type_identity<NotConverged>{})) return not_met;
  if (is(std::type_identity<Cancelled>{})) return interrupted;
  return internal;
}

int run(int argc, char** argv) {
  const std::stop_token stop = stop_on_signals();
  std::vector<Verb> verbs = all_verbs();
  static CommonOptions common;
  std::vector<OptionEntry> common_entries = entries_of(common);
  const Request request = parse(argc, argv, verbs, common_entries);
  if (request.verb == nullptr) return done;
  validate(common);
  if (!common.sweep.empty()) return run_sweep(*request.verb, common, common_entries, stop);
  Session session(*request.verb, common, common_entries, stop);
  const int code = request.verb->run(session);
  session.finish();
  return code;
}

/// Arguments and file names may hold line breaks; an error is one line.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

/// Results that nobody could read are not done: a full disk behind `> report.json`, a closed pipe.
int checked_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  fmt::print(stderr, "meander: stdout: the output could not be written\n");
  return file_system;
}

}  // namespace
}  // namespace meander::app

int main(int argc, char** argv) {
  using namespace meander::app;
  try {
    return checked_output(run(argc, argv));
  } catch (const std::exception& error) {
    // Not by fmt, which throws when nobody reads what it prints.
    std::fputs(("meander: " + one_line(error.what()) + "\n").c_str(), stderr);
    return code_of(error);
  }
}
