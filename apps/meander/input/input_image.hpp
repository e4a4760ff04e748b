// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <string_view>

#include "meander/grey.hpp"
#include "session/session.hpp"

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
                       bool channels_last = false, std::optional<int> channel = {});

/// Calls `goes_on` with all parts of all frames or slices that are chosen, until it says no;
/// whether it never did. Of films and slices another is then selected than before.
bool every_chosen_slab(Session& session, const std::string& file, io::Reader& reader,
                       const SlabPlan& plan, const std::function<bool(const Image&)>& goes_on);

/// A mask beside the image, of one channel: of RGB that is grey, the first. Throws InvalidArgument,
/// with the file, for another shape and for colours.
io::Reader open_grey_mask(const Session& session, const io::Reader& image, const std::string& path);
/// Throws InvalidArgument for a mask, as_grey, that does not go with an image of this shape.
void check_mask(const std::string& path, const Description& mask, const Shape& image);

/// For verbs that take any number of channels: lets --channel be 0 when the colours of IN, all its
/// frames that are chosen, are equal. Their output has one channel then, so that it must be known
/// before. A file with opacity only counts for verbs that leave it out.
void take_grey_as_one_channel(Session& session, bool leaves_out_alpha);

/// What helps where the image itself has several channels.
std::string channel_advice(int channels);
/// What helps where a file beside it has.
inline constexpr std::string_view advice_beside =
    "; `meander convert` with --channel or --grey makes one";

using io::first_channels;
/// See io::grey_of.
inline Image grey_of(const Image& image, const std::string& path,
                     std::string_view advice = advice_beside) {
  return io::grey_of(image, path, advice);
}

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
