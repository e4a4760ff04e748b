// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "frames.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "file_names.hpp"
#include "session.hpp"

namespace meander::app {
namespace {

/// Nothing for an input that cannot be opened: the verb says what is wrong with it.
std::optional<io::Film> film_in(const Verb& verb) {
  if (verb.films == Films::none) return {};
  const std::string& path = verb.arguments.front().value;
  try {
    return io::Reader(path, {.channels_last = input_options.channels}).film();
  } catch (const Error&) {
    return {};
  }
}

std::string must_choose(const Verb& verb, const io::Film& film) {
  return fmt::format("{}: holds {} frames: choose one with --frame N", verb.arguments.front().value,
                     film.frames);
}

bool goes_over_frames_itself(const Verb& verb) {
  return std::ranges::any_of(verb.options, [&](const OptionEntry& option) {
    return option.given && option.name == verb.follows;
  });
}

}  // namespace

FrameRange chosen_frames(const std::string& path, const io::Film& film,
                         const std::optional<FrameChoice>& choice) {
  const FrameChoice chosen = choice.value_or(FrameChoice{});
  const std::int64_t end = chosen.end.value_or(film.frames);
  if (chosen.first < end && end <= film.frames) return {chosen.first, end - chosen.first, film};
  throw InvalidArgument(fmt::format("{}: found --frame {} of a film of {}, expected 0 to {}", path,
                                    OptionText<FrameChoice>::format(chosen), film.frames,
                                    film.frames - 1));
}

std::string numbered_example(const std::string& path) {
  const std::string suffix = suffix_of(path);
  return path.substr(0, path.size() - suffix.size()) + "%03d" + suffix;
}

void check_holds_frames(const std::string& path, std::int64_t frames) {
  const auto format = format_of(path);
  if (format && format->films) return;
  if (io::is_sequence(path)) {
    throw InvalidArgument(path + ": found numbered files, expected one of a format that has films");
  }
  throw InvalidArgument(fmt::format("{}: found {} frames for it, expected numbered files as {}{}",
                                    path, frames, numbered_example(path),
                                    format ? " or a format that has films" : ""));
}

std::optional<FrameRange> frames_to_run(const Verb& verb) {
  if (verb.films != Films::each || goes_over_frames_itself(verb)) return {};
  const auto film = film_in(verb);
  if (!film) return {};
  const auto out = std::ranges::find(verb.arguments, "OUT", &Argument::name);
  const bool has_out = out != verb.arguments.end();
  if (film->frames > 1 && !input_options.frame && !(has_out && format_of(out->value))) {
    throw InvalidArgument(must_choose(verb, *film) + ", or all with --frame all");
  }
  const FrameRange range = chosen_frames(verb.arguments.front().value, *film, input_options.frame);
  const bool is_numbered = has_out && input_options.frame && io::is_sequence(out->value);
  if (range.count == 1 && !is_numbered) return {};
  return range;
}

void refuse_sweep_of_film(const Verb& verb) {
  if (goes_over_frames_itself(verb)) {
    throw InvalidArgument(
        fmt::format("--sweep: shows single images, expected no --{} beside it", verb.follows));
  }
  const auto film = film_in(verb);
  if (!film) return;
  const FrameRange range = chosen_frames(verb.arguments.front().value, *film, input_options.frame);
  if (range.count > 1) throw InvalidArgument("--sweep: " + must_choose(verb, *film));
}

}  // namespace meander::app
