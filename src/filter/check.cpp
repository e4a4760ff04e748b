// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/check.hpp"

#include "core/image_state.hpp"
#include "core/message.hpp"
#include "meander/convert.hpp"

namespace meander {

void check_device(PixelType arithmetic, const Device& device) {
  if (arithmetic != PixelType::f64 || device.info().has_float64) return;
  throw Unsupported(message("device ", device.name(),
                            " has no 64-bit floats, which double precision and f64 images need"),
                    {.device = device.name()});
}

void check_mask(const Description& image, const Description& mask) {
  if (mask.shape == image.shape && mask.channels == 1) return;
  throw InvalidArgument(message("the mask is ", to_string(mask.shape), " with ", mask.channels,
                                " channels, expected ", to_string(image.shape), " with 1"));
}

std::int64_t count_nonfinite(const Image& image) {
  if (is_integer(image.type())) return 0;
  engine::Backend& backend = *image.state().backend;
  return backend.reduced(image.state().view, engine::Wanted::range).nonfinite;
}

void refuse_nonfinite(std::int64_t count) {
  if (count == 0) return;
  throw InvalidArgument(message("the image holds ", count,
                                " numbers that are not finite, expected none with nonfinite=error"),
                        {.option = "nonfinite"});
}

PixelType readable_type(PixelType type) { return type == PixelType::f16 ? PixelType::f32 : type; }

Image readable(const Image& image) {
  const PixelType type = readable_type(image.type());
  return type == image.type() ? image : convert(image, {.type = type});
}

}  // namespace meander
