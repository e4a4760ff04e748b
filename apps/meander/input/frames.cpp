// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "input/frames.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "input/input_image.hpp"
#include "system/file_names.hpp"

namespace meander::app {
namespace {

/// The verb's input as its header describes it, opened once for all checks; null for one that
/// cannot be opened: the verb says what is wrong with it.
const io::Reader* input_of(const Verb& verb) {
  if (verb.films == Films::none) return nullptr;
  std::optional<io::Reader>& header = verb.invocation->header;
  if (header) return &*header;
  io::ReadOptions options = options_to_read(verb);
  options.grey.reset();
  options.frame.reset();  // what --frame names is checked against all frames
  options.roi.reset();
  try {
    header.emplace(verb.arguments.front().value, options);
  } catch (const Error&) {
    return nullptr;
  }
  return &*header;
}

std::string must_choose(const Verb& verb, const FrameRange& all) {
  return fmt::format("{}: holds {} {}s: choose one with --{} N", verb.arguments.front().value,
                     all.count, all.word(), all.word());
}

io::FrameSourceOptions choices(const InputOptions& given) {
  io::FrameSourceOptions options{.frames = given.frame, .slices = given.slice};
  options.axis = given.axis.value_or(io::Slice::Across::z);
  options.words = {.frames = "--frame", .slices = "--slice", .grey_advice = channel_advice(3)};
  return options;
}

bool goes_over_frames_itself(const Verb& verb) {
  return std::ranges::any_of(verb.options, [&](const OptionEntry& option) {
    return option.given && option.name == verb.follows;
  });
}

}  // namespace

io::FrameSourceOptions frame_options(const Session& session, bool takes_grey) {
  io::FrameSourceOptions options = choices(session.invocation().input);
  options.read = session.read_options();
  options.grey = takes_grey;
  return options;
}

FrameRange chosen_frames(const Invocation& invocation, const std::string& path,
                         const io::Reader& reader) {
  return io::chosen_frames(path, reader, choices(invocation.input));
}

std::optional<FrameRange> frames_to_run(const Verb& verb) {
  if (verb.films != Films::each || goes_over_frames_itself(verb)) return {};
  const io::Reader* const input = input_of(verb);
  if (input == nullptr) return {};
  const auto out = std::ranges::find(verb.arguments, "OUT", &Argument::name);
  const bool has_out = out != verb.arguments.end();
  const InputOptions& given = verb.invocation->input;
  const FrameRange range = chosen_frames(*verb.invocation, verb.arguments.front().value, *input);
  if (range.count > 1 && !range.are_slices && !given.frame && !(has_out && format_of(out->value))) {
    throw InvalidArgument(must_choose(verb, range) + ", or all with --frame all");
  }
  const bool has_chosen = given.frame || given.slice;
  const bool is_numbered = has_out && has_chosen && io::is_sequence(out->value);
  if (range.count == 1 && !is_numbered) return {};
  return range;
}

void check_pages(const Verb& verb) {
  const InputOptions& given = verb.invocation->input;
  if (given.axis && !given.slice && !goes_over_frames_itself(verb)) {
    throw InvalidArgument("--axis goes with slices, expected --slice or no --axis");
  }
  if (verb.unknown_pages != UnknownPages::asked || given.frame || given.slice) {
    return;
  }
  const io::Reader* const input = input_of(verb);
  if (input == nullptr || !input->pages_unknown()) return;
  throw InvalidArgument(
      fmt::format("{}: does not say whether its {} pages are frames or slices, expected --pages "
                  "frames or --pages slices",
                  verb.arguments.front().value, input->slices()));
}

void check_following(const Verb& verb) {
  if (goes_over_frames_itself(verb)) return;
  for (const OptionEntry& option : verb.options) {
    if (!option.given || std::ranges::count(verb.of_following, option.name) == 0) continue;
    throw InvalidArgument(fmt::format("--{} goes with --{}, expected that or no --{}", option.name,
                                      verb.follows, option.name));
  }
}

void check_grey(const Verb& verb) {
  const auto grey = verb.invocation->input.grey;
  if (!grey || *grey == io::Grey::max || *grey == io::Grey::mean) return;
  const io::Reader* const input = input_of(verb);
  if (input == nullptr || input->whole_colours() == 1 || input->whole_colours() == 3) return;
  throw InvalidArgument(fmt::format(
      "{}: found {} channels, expected red, green and blue for --grey {}; of others --grey max or "
      "mean makes one, --channel N takes one",
      verb.arguments.front().value, input->whole_colours(), OptionText<io::Grey>::format(*grey)));
}

void refuse_sweep_of_film(const Verb& verb) {
  if (goes_over_frames_itself(verb)) {
    throw InvalidArgument(
        fmt::format("--sweep: shows single images, expected no --{} beside it", verb.follows));
  }
  const io::Reader* const input = input_of(verb);
  if (input == nullptr) return;
  const FrameRange range = chosen_frames(*verb.invocation, verb.arguments.front().value, *input);
  if (range.count > 1) throw InvalidArgument("--sweep: " + must_choose(verb, range));
}

}  // namespace meander::app
