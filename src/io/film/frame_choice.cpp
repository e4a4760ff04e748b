// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <limits>

#include "core/message.hpp"
#include "io/format.hpp"
#include "io/image/volume_header.hpp"
#include "meander/film.hpp"

namespace meander {

io::FrameChoice OptionText<io::FrameChoice>::parse(std::string_view text) {
  const auto refuse = [&] { detail::refuse_text(text, syntax()); };
  if (text == "all") return {};
  io::FrameChoice choice;
  try {
    const auto colon = text.find(':');
    choice.first = OptionText<std::int64_t>::parse(text.substr(0, colon));
    choice.end = colon == std::string_view::npos
                     ? choice.first
                     : OptionText<std::int64_t>::parse(text.substr(colon + 1));
    const bool is_one = colon == std::string_view::npos;
    if (is_one && choice.first < std::numeric_limits<std::int64_t>::max()) ++*choice.end;
  } catch (const InvalidArgument&) {
    refuse();
  }
  if (choice.first < 0 || *choice.end <= choice.first) refuse();
  return choice;
}

std::string OptionText<io::FrameChoice>::format(const io::FrameChoice& choice) {
  if (!choice.end) return "all";
  const std::string first = std::to_string(choice.first);
  return *choice.end == choice.first + 1 ? first : first + ":" + std::to_string(*choice.end);
}

namespace io {

namespace fs = std::filesystem;

FrameRange chosen_frames(const fs::path& path, const Reader& reader,
                         const FrameSourceOptions& options) {
  const FrameWords& words = options.words;
  const auto choose = [&](const std::optional<FrameChoice>& choice, std::int64_t all,
                          bool are_slices) {
    const FrameChoice chosen = choice.value_or(FrameChoice{});
    const std::int64_t end = chosen.end.value_or(all);
    if (chosen.first >= 0 && chosen.first < end && end <= all) {
      return FrameRange{chosen.first, end - chosen.first, reader.film(), are_slices};
    }
    throw InvalidArgument(
        message(path.string(), ": found ", are_slices ? words.slices : words.frames, " ",
                OptionText<FrameChoice>::format(chosen), " of a ", are_slices ? "volume" : "film",
                " of ", all, ", expected 0 to ", all - 1),
        {.path = path.string()});
  };
  const FrameRange frames = choose(options.frames, reader.film().frames, false);
  if (!options.slices) return frames;
  const FrameRange slices = choose(options.slices, reader.slices(), true);
  if (frames.count > 1 && slices.count > 1) {
    throw InvalidArgument(message(path.string(), ": found ", frames.count, " frames with ",
                                  slices.count, " slices each, expected one of them with ",
                                  words.frames, " N or ", words.slices, " N"),
                          {.path = path.string()});
  }
  return frames.count > 1 ? frames : slices;
}

std::string numbered_example(const fs::path& path) {
  const std::string name = path.string();
  std::size_t length = path.extension().string().size();
  if (const Format* const format = known_format(path)) {
    for (const std::string& suffix : format->suffixes) {
      if (lower_case(name).ends_with(suffix)) length = std::max(length, suffix.size());
    }
  }
  const std::size_t stem = name.size() - length;
  return name.substr(0, stem) + "%03d" + lower_case(name.substr(stem));
}

void check_holds_frames(const fs::path& path, std::int64_t count, bool are_slices) {
  const Format* const format = known_format(path);
  if (format != nullptr && (format->films || are_slices)) return;  // the writer knows the rest
  if (is_sequence(path)) {
    throw InvalidArgument(
        message(path.string(), ": found numbered files, expected one of a format that has films"),
        {.path = path.string()});
  }
  throw InvalidArgument(
      message(path.string(), ": found ", count, are_slices ? " slices" : " frames",
              " for it, expected numbered files as ", numbered_example(path),
              format != nullptr ? " or a format that has films" : ""),
      {.path = path.string()});
}

}  // namespace io
}  // namespace meander
