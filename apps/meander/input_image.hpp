// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <string_view>

#include "session.hpp"

namespace meander::app {

/// A file beside the image: sliced as the image is, where it is a volume, and its pages are what
/// those of the image are, where it does not say. Throws InvalidArgument for another number of
/// slices.
io::Reader open_like(const io::Reader& image, const std::string& path, io::ReadOptions options);

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

/// For verbs that take one channel: RGB is described as the grey that it is when its channels are
/// equal. That is seen when the pixels are read (`grey_of`), so that nothing is read twice.
Description as_grey(const io::Reader& reader);
/// The first channel of an image or slab that was announced so; shares the pixels. Throws
/// InvalidArgument, with the file and `advice`, for colours.
Image grey_of(const Image& image, const std::string& path, std::string_view advice = "");
/// What helps where the image itself has several channels.
inline constexpr std::string_view channel_advice =
    "; --channel N takes one of them, --grey luminance makes one";

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
