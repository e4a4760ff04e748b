// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>

#include "session.hpp"

namespace meander::app {

/// Chooses the frame of the image's film in a film beside it; a file of one frame goes with all of
/// them. Throws InvalidArgument for films of different lengths.
void follow_frame(io::Reader& opened, const std::string& path, const io::Reader& image,
                  const Session& session);

/// Opens a file that has the shape of the image beside it and is cropped with it. Throws
/// InvalidArgument where --roi would hide that the shapes differ.
io::Reader open_beside(const Session& session, const io::Reader& image, const std::string& path,
                       bool channels_last = false);

/// The last of two or four channels of a PNG says how opaque a pixel is: it is left out.
Description without_alpha(const io::Reader& reader);
/// A host image that shares the pixels.
Image first_channels(const Image& image, int count);

/// Calls `work`; what it throws of pixels then begins with the name of their file.
template <class Work>
auto run_named(const std::string& file, Work&& work) {
  try {
    return work();
  } catch (const InvalidArgument& fault) {
    throw InvalidArgument(file + ": " + fault.what());
  } catch (const NotConverged& fault) {
    throw NotConverged(file + ": " + fault.what());
  }
}

}  // namespace meander::app
