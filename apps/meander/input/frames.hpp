// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string>

#include "meander/io.hpp"
#include "options/frame.hpp"
#include "session/verb.hpp"

namespace meander::app {

/// Frames of a film, or slices of a volume, that follow each other.
struct FrameRange {
  std::int64_t first = 0;
  std::int64_t count = 1;
  io::Film film;  ///< All of it.
  bool are_slices = false;

  std::string word() const { return are_slices ? "slice" : "frame"; }
};

/// What --frame chooses of a film, all of it by default, or --slice of the volume of one frame.
/// Throws InvalidArgument, with the file, for what it does not have and for several of both.
FrameRange chosen_frames(const std::string& path, const io::Reader& reader);

/// The frames that a verb is run for one by one; nothing where one run is all. Throws
/// InvalidArgument for a film of which --frame must choose and does not.
std::optional<FrameRange> frames_to_run(const Verb& verb);

/// Throws InvalidArgument for a file whose format cannot hold so many.
void check_holds_frames(const std::string& path, std::int64_t count, bool are_slices = false);
/// "out.tif" as "out%03d.tif".
std::string numbered_example(const std::string& path);

/// Throws InvalidArgument for pages of which nobody says what they are, where that must be known,
/// and for --axis without slices.
void check_pages(const Verb& verb);

/// Throws InvalidArgument for options of a verb that goes over the frames by itself, which it is
/// not asked to do.
void check_following(const Verb& verb);

/// Throws InvalidArgument for a --grey of red, green and blue where the input has other colours.
void check_grey(const Verb& verb);

/// Throws InvalidArgument when the verb's input is a film and --frame does not choose one frame,
/// and when it is to follow objects through the frames.
void refuse_sweep_of_film(const Verb& verb);

}  // namespace meander::app
