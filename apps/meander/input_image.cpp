// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "input_image.hpp"

#include <memory>

namespace meander::app {

Description without_alpha(const io::Reader& reader) {
  Description description = reader.description();
  if (reader.format() == "PNG" && description.channels % 2 == 0) --description.channels;
  return description;
}

Image first_channels(const Image& image, int count) {
  if (image.channels() == count) return image;
  const auto owner = std::make_shared<Image>(image);
  Description description = image.description();
  description.channels = count;
  return Image::wrap(owner->mutable_row_bytes(0), description, image.pitch(), owner);
}

}  // namespace meander::app
