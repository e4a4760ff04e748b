// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "input_image.hpp"

#include <fmt/format.h>

#include <cstring>
#include <memory>

namespace meander::app {
namespace {

bool are_equal(const Image& a, const Image& b) {
  const auto bytes = static_cast<std::size_t>(a.shape().x) * size_of(a.type());
  for (std::int64_t z = 0; z < a.shape().z; ++z) {
    for (std::int64_t y = 0; y < a.shape().y; ++y) {
      if (std::memcmp(a.row_bytes(y, z), b.row_bytes(y, z), bytes) != 0) return false;
    }
  }
  return true;
}

}  // namespace

void follow_frame(io::Reader& opened, const std::string& path, const io::Reader& image,
                  const Session& session) {
  if (opened.film().frames == 1) return;
  if (opened.film().frames != image.film().frames) {
    throw InvalidArgument(fmt::format("{}: a film of {} frames, expected {} as beside it, or one",
                                      path, opened.film().frames, image.film().frames));
  }
  if (const auto frame = session.read_options().frame) opened.select_frame(*frame);
}

io::Reader open_like(const io::Reader& image, const std::string& path, io::ReadOptions options) {
  options.unknown_pages = image.film().frames > 1 ? io::Pages::frames : io::Pages::slices;
  if (!options.slice) return io::Reader(path, options);
  io::ReadOptions header{.channels_last = options.channels_last,
                         .pages = options.pages,
                         .unknown_pages = options.unknown_pages};
  if (io::Reader(path, header).description().shape.z == 1) options.slice.reset();
  io::Reader opened(path, options);
  if (options.slice && opened.slices() != image.slices()) {
    throw InvalidArgument(fmt::format("{}: a volume of {} slices, expected {} as beside it, or one",
                                      path, opened.slices(), image.slices()));
  }
  return opened;
}

io::Reader open_beside(const Session& session, const io::Reader& image, const std::string& path,
                       bool channels_last) {
  io::ReadOptions options = session.read_options();
  options.channels_last = channels_last;
  options.channel.reset();  // of the image itself
  options.grey.reset();
  options.frame.reset();
  io::Reader opened = open_like(image, path, options);
  follow_frame(opened, path, image, session);
  if (options.roi && opened.whole_shape() != image.whole_shape()) {
    throw InvalidArgument(fmt::format("{}: an image of {}, expected {} as the image beside it has",
                                      path, to_string(opened.whole_shape()),
                                      to_string(image.whole_shape())));
  }
  return opened;
}

Description without_alpha(const io::Reader& reader) {
  Description description = reader.description();
  const bool is_picture = reader.format() == "PNG" || reader.format() == "BMP";
  if (is_picture && description.channels % 2 == 0) --description.channels;
  return description;
}

Image first_channels(const Image& image, int count) {
  if (image.channels() == count) return image;
  const auto owner = std::make_shared<Image>(image);
  Description description = image.description();
  description.channels = count;
  return Image::wrap(owner->mutable_row_bytes(0), description, image.pitch(), owner);
}

Description as_grey(const io::Reader& reader) {
  Description description = reader.description();
  const bool may_be_grey = reader.whole_colours() == 1 || reader.whole_colours() == 3;
  if (may_be_grey) description.channels = 1;
  return description;
}

Image grey_of(const Image& image, const std::string& path, std::string_view advice) {
  const int colours = image.channels() < 3 ? 1 : 3;  // what is beyond is opacity
  for (int c = 1; c < colours; ++c) {
    if (are_equal(image.channel(0), image.channel(c))) continue;
    throw InvalidArgument(fmt::format(
        "{}: an image with 3 channels that differ, expected 1 or a grey one{}", path, advice));
  }
  return first_channels(image, 1);
}

}  // namespace meander::app
