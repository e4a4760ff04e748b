// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "film/frame_loop.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <deque>

#include "film/frame_report.hpp"
#include "meander/film.hpp"
#include "system/file_names.hpp"
#include "words/error_text.hpp"

namespace meander::app {
namespace {

/// What says nothing of the input is not the fault of one frame, unless the machine failed at it.
bool is_of_command(const Error& error) {
  return dynamic_cast<const InvalidArgument*>(&error) != nullptr ||
         dynamic_cast<const Unsupported*>(&error) != nullptr ||
         dynamic_cast<const Cancelled*>(&error) != nullptr;
}

/// `place` is "frame 3" or "slice 3".
std::string with_place(const Error& error, const std::string& input, const std::string& place) {
  const std::string text = error.what();
  if (text.starts_with(input + ":")) {
    return fmt::format("{}, {}{}", input, place, text.substr(input.size()));
  }
  return is_of_command(error) ? text : fmt::format("{}: {}", place, text);
}

/// Files that every frame writes; `rename` tells the verb where.
struct NumberedOutput {
  NumberedOutput(const std::string& pattern, std::function<void(const std::string&)> renaming)
      : files(pattern), rename(std::move(renaming)) {}
  const io::NumberedFiles files;
  const std::function<void(const std::string&)> rename;
};

class FrameLoop {
 public:
  FrameLoop(Verb& verb, const FrameRange& frames, const CommonOptions& common,
            const std::vector<OptionEntry>& common_entries, const std::stop_token& stop)
      : verb_(verb),
        frames_(frames),
        common_(common),
        common_entries_(common_entries),
        stop_(stop),
        film_{.film = {frames.are_slices ? 1 : frames.count, frames.film.seconds},
              .slices = frames.are_slices ? frames.count : 1},
        report_(frames.word()),
        bar_(!common.quiet && isatty(STDERR_FILENO) != 0) {
    for (Argument& argument : verb_.arguments) {
      if (argument.name == "OUT") add_out(argument);
    }
    for (OptionEntry& option : verb_.options) add_other_output(option);
  }

  int run() {
    for (std::int64_t i = 0; i < frames_.count; ++i) run_one(i);
    bar_.clear();
    if (!common_.dry_run) finish_outputs();
    print_report();
    if (!unconverged_.empty()) throw NotConverged(unconverged_);
    warn(*verb_.invocation, common_, left_out_);
    warn(*verb_.invocation, common_, losses_.warnings(verb_.arguments.front().value));
    return code_;
  }

 private:
  void add_out(Argument& out) {
    if (io::is_sequence(out.value)) {
      return add_numbered(out.value, [&out](const std::string& path) { out.value = path; });
    }
    check_holds_frames(out.value, frames_.count, frames_.are_slices);
    joined_ = out.value;
  }

  void add_other_output(OptionEntry& option) {
    const auto& others = verb_.other_outputs;
    const bool is_output = std::find(others.begin(), others.end(), option.name) != others.end();
    if (!option.given || !is_output) return;
    const std::string path = option.get();
    if (!io::is_sequence(path)) {
      throw InvalidArgument(
          fmt::format("--{}: every {} would write {}, expected numbered files as {}", option.name,
                      frames_.word(), path, numbered_example(path)));
    }
    add_numbered(path, option.set);
    numbered_options_.emplace_back(option.name, path);
  }

  void add_numbered(const std::string& pattern, std::function<void(const std::string&)> rename) {
    for (const NumberedOutput& other : numbered_) {
      if (!is_same_file(other.files.pattern(), pattern)) continue;
      throw InvalidArgument(pattern + ": named twice, expected files of its own for each output");
    }
    numbered_.emplace_back(pattern, std::move(rename));
  }

  std::string told(std::string text) const {
    for (const NumberedOutput& output : numbered_) text = output.files.told(std::move(text));
    return text;
  }

  void tell_places_in(Json& json) const {
    if (json.is_text()) json = told(json.text());
    for (Json& member : json) tell_places_in(member);
  }

  void run_one(std::int64_t index) {
    const std::int64_t frame = frames_.first + index;
    for (const NumberedOutput& output : numbered_) output.rename(output.files.waiting(frame));
    const auto count = static_cast<double>(frames_.count);
    const FrameRun part{
        .frame = frame,
        .is_slice = frames_.are_slices,
        .input = &input_,
        .film = joined_.empty() ? nullptr : &film_,
        .progress = [&](double share) { bar_.show((static_cast<double>(index) + share) / count); }};
    Session session(verb_, common_, common_entries_, stop_, &part);
    session.set_runs(frames_.count);
    session.control().step(0);
    run_named_by_frame(session, frame);
    if (index == 0) {  // of later frames the same could be said
      for (const std::string& line : session.left_out()) left_out_.push_back(told(line));
    }
    losses_.add(session.losses());
    Json report = session.report().object(common_.dry_run);
    tell_places_in(report);
    report_.add(frame, std::move(report));
  }

  void run_named_by_frame(Session& session, std::int64_t frame) {
    const std::string& input = verb_.arguments.front().value;
    const std::string place = fmt::format("{} {}", frames_.word(), frame);
    try {
      const int code = verb_.run(session);
      if (code_ == done) code_ = code;
    } catch (const NotConverged& fault) {
      const std::string text = told(with_place(fault, input, place));
      if (!session.given("keep")) throw NotConverged(text);
      if (unconverged_.empty()) unconverged_ = text;
    } catch (const Error& fault) {
      throw_again(fault, told(with_place(fault, input, place)));
    }
  }

  /// The film last, so that it is not left behind alone.
  void finish_outputs() {
    for (const NumberedOutput& output : numbered_) output.files.finish();
    if (film_.writer) film_.writer->finish();
  }

  void print_report() {
    if (!joined_.empty()) report_.set_film(joined_, film_.film, film_.slices);
    for (const auto& [name, pattern] : numbered_options_) report_.options()[name] = pattern;
    if (common_.json) fmt::print("{}\n", report_.text());
  }

  Verb& verb_;
  const FrameRange frames_;
  const CommonOptions& common_;
  const std::vector<OptionEntry>& common_entries_;
  const std::stop_token stop_;
  std::optional<io::Reader> input_;
  OutImage film_;
  std::string joined_;  ///< OUT, when it is one film.
  std::deque<NumberedOutput> numbered_;
  std::vector<std::pair<std::string, std::string>> numbered_options_;
  FrameReport report_;
  ProgressBar bar_;
  std::vector<std::string> left_out_;
  ValueLosses losses_;
  int code_ = done;
  std::string unconverged_;  ///< What was said of the first such frame that was kept.
};

}  // namespace

int run_frames(Verb& verb, const FrameRange& frames, const CommonOptions& common,
               const std::vector<OptionEntry>& common_entries, const std::stop_token& stop) {
  return FrameLoop(verb, frames, common, common_entries, stop).run();
}

}  // namespace meander::app
