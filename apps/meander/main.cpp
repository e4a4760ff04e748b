// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>
#include <system_error>

#include "batch/batch.hpp"
#include "film/frame_loop.hpp"
#include "parse.hpp"
#include "session/auto_device.hpp"
#include "session/out_of_memory.hpp"
#include "session/output_checks.hpp"
#include "session/session.hpp"
#include "sweep/sweep.hpp"
#include "system/signals.hpp"

namespace meander::app {

std::vector<Verb> all_verbs() {
  std::vector<Verb> verbs;
  for (const auto& make :
       {smooth_verb, flow_verb, react_verb, segment_verb, info_verb, convert_verb, phantom_verb,
        compare_verb, verify_verb, devices_verb, bench_verb, docs_verb}) {
    verbs.push_back(make());
    if (takes_many(verbs.back())) add_batch_options(verbs.back());
  }
  return verbs;
}

namespace {

bool no_thread_could_start(const std::exception& error) {
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  return system != nullptr && system->code() == std::errc::resource_unavailable_try_again;
}

ExitCode code_of(const std::exception& error) {
  if (no_thread_could_start(error)) return memory;
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

int run_one_or_several(Verb& verb, CommonOptions& common,
                       const std::vector<OptionEntry>& common_entries,
                       const std::stop_token& stop) {
  if (!common.sweep.empty()) {
    refuse_sweep_of_film(verb);
    verb.invocation->header.reset();
    return run_sweep(verb, common, common_entries, stop);
  }
  check_written_over(verb);
  refuse_vain_compression(verb);
  const auto frames = frames_to_run(verb);
  verb.invocation->header.reset();
  if (frames) {
    return run_frames(verb, *frames, common, common_entries, stop);
  }
  Session session(verb, common, common_entries, stop);
  const int code = verb.run(session);
  session.finish();
  return code;
}

int run(int argc, char** argv) {
  const std::stop_token stop = stop_on_signals();
  std::vector<Verb> verbs = all_verbs();
  CommonOptions common;
  std::vector<OptionEntry> common_entries = entries_of(common);
  const Request request = parse(argc, argv, verbs, common_entries);
  if (request.verb == nullptr) return done;
  validate(common);
  validate(request.verb->invocation->input);
  check_following(*request.verb);
  if (is_batch(*request.verb, request.inputs)) {
    return run_batch(*request.verb, request.inputs, common, common_entries, stop);
  }
  refuse_batch_options(*request.verb);
  check_grey(*request.verb);
  check_pages(*request.verb);
  return run_or_go_on_with_cpu(*request.verb, common, [&] {
    return run_one_or_several(*request.verb, common, common_entries, stop);
  });
}

void print(const std::exception& error) {
  const bool no_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  print_error(no_memory ? no_memory_left : error.what());
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
    expect_to_run_out_of_memory();
    return checked_output(run(argc, argv));
  } catch (const std::exception& error) {
    print(error);
    return code_of(error);
  }
}
