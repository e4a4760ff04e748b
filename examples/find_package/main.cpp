// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cstdio>

#include "meander/meander.hpp"

int main() {
  meander::Image image =
      meander::Image::allocate({.shape = {2, 1}, .type = meander::PixelType::u8});
  image.mutable_row<std::uint8_t>(0)[0] = 2;
  image.mutable_row<std::uint8_t>(0)[1] = 4;
  std::printf("mean %g\n", meander::statistics(image).mean);
}
