// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/tiff/stack.hpp"

namespace meander::io {

TiffStack::TiffStack(const Description& image, const Film& film)
    : image_(image), film_(film), page_(image) {
  const bool is_single = image.shape.z == 1 && film.frames == 1;
  page_.shape.z = 1;
  if (!is_single && !is_colour()) page_.channels = 1;
}

bool TiffStack::is_colour() const {
  return (image_.channels == 3 || image_.channels == 4) &&
         (image_.type == PixelType::u8 || image_.type == PixelType::u16);
}

}  // namespace meander::io
