// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "core/image_state.hpp"
#include "meander/convert.hpp"
#include "meander/flow.hpp"

namespace meander {
namespace {

const engine::View& view_of(const Image& image) { return image.state().view; }

/// Of a type that can be computed with: f64 or f32.
Image as_reals(const Image& image) {
  const bool is_real = image.type() == PixelType::f64 || image.type() == PixelType::f32;
  return is_real ? image : convert(image, {.type = PixelType::f32});
}

}  // namespace

Image magnitude_of(const Field& field) {
  const Image vectors = as_reals(field.components());
  const Device device = vectors.device();
  Description description = vectors.description();
  description.channels = 1;
  const Image result = device.allocate(description);
  device.backend().pointwise(engine::Pointwise::norm, view_of(vectors.channel(0)),
                             view_of(vectors.channel(1)), {}, view_of(result));
  if (field.dimensions() == 3) {
    device.backend().pointwise(engine::Pointwise::norm, view_of(result),
                               view_of(vectors.channel(2)), {}, view_of(result));
  }
  return result;
}

Field unit_vectors_of(const Field& field) {
  const Image vectors = as_reals(field.components());
  const Device device = vectors.device();
  const Image magnitude = magnitude_of(Field(vectors));
  const Image result = device.allocate(vectors.description());
  for (int i = 0; i < field.dimensions(); ++i) {
    device.backend().pointwise(engine::Pointwise::direction, view_of(vectors.channel(i)),
                               view_of(magnitude), {}, view_of(result.channel(i)));
  }
  return Field(result);
}

}  // namespace meander
