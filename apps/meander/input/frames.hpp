// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string>

#include "meander/film.hpp"
#include "session/session.hpp"

namespace meander::app {

using io::check_holds_frames;
using io::FrameRange;
using io::FrameSource;
using io::numbered_example;

/// How the frames of IN are gone through that --frame, --slice and --axis choose.
io::FrameSourceOptions frame_options(const Session& session, bool takes_grey = false);
/// What --frame chooses of a film, all of it by default, or --slice of the volume of one frame.
/// Throws InvalidArgument, with the file, for what it does not have and for several of both.
FrameRange chosen_frames(const Invocation& invocation, const std::string& path,
                         const io::Reader& reader);

/// The frames that a verb is run for one by one; nothing where one run is all. Throws
/// InvalidArgument for a film of which --frame must choose and does not.
std::optional<FrameRange> frames_to_run(const Verb& verb);

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
