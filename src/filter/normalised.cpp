// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/normalised.hpp"

#include "core/image_state.hpp"

namespace meander {
namespace {

using engine::Pointwise;

Image as_type(const Image& image, PixelType type) {
  if (image.type() == type) return image;
  Description description = image.description();
  description.type = type;
  Image out = image.device().allocate(description);
  image.state().backend->convert(image.state().view, out.state().view, {});
  return out;
}

/// 1 where the mask is above 0, else 0. A number divided by itself is 1, or NaN where there is
/// nothing to divide by, whose weight is 0.
engine::View counting(const Image& mask, const Description& image, PixelType type,
                      const Device& device) {
  if (mask.empty()) return constant_view(device, type, 1, image.shape, 1);
  Description description = mask.description();
  description.type = type;
  const Image out = device.allocate(description);
  const engine::View view = out.state().view;
  engine::Backend& backend = device.backend();
  backend.convert(mask.state().view, view, {});
  backend.pointwise(Pointwise::quotient, view, view, {}, view);
  backend.pointwise(Pointwise::weight, view, view, {}, view);
  return view;
}

}  // namespace

WeightedImage weighted_image(const Image& image, const Image& mask, PixelType type,
                             const Image& values) {
  const Device device = image.device();
  Description description = image.description();
  description.type = type;
  WeightedImage out{values.empty() ? device.allocate(description) : values,
                    device.allocate(description)};
  const engine::View counts = counting(mask, description, type, device);
  for (int channel = 0; channel < image.channels(); ++channel) {
    const Image x = as_type(image.channel(channel), type);
    for (const auto& [operation, result] : {std::pair(Pointwise::weight, out.weights),
                                            std::pair(Pointwise::weighted, out.values)}) {
      device.backend().pointwise(operation, x.state().view, counts, {},
                                 result.channel(channel).state().view);
    }
  }
  return out;
}

void divide_by_weights(const WeightedImage& smoothed, const Image& image, const Image& mask,
                       Nonfinite nonfinite) {
  const Device device = image.device();
  engine::Backend& backend = device.backend();
  const PixelType type = smoothed.values.type();
  const engine::View counts = counting(mask, image.description(), type, device);
  for (int channel = 0; channel < image.channels(); ++channel) {
    const Image original = as_type(image.channel(channel), type);
    const engine::View x = original.state().view;
    const engine::View average = smoothed.values.channel(channel).state().view;
    const engine::View chosen = smoothed.weights.channel(channel).state().view;
    backend.pointwise(Pointwise::quotient, average, chosen, {}, average);
    backend.pointwise(Pointwise::weight, average, counts, {}, chosen);
    if (nonfinite != Nonfinite::ignore) {
      backend.pointwise(Pointwise::weight, x, chosen, {}, chosen);
    }
    backend.pointwise(Pointwise::select, average, x, chosen, average);
  }
}

BorderRule border_of_weights(const BorderRule& border) {
  // What stands beyond a constant border counts in full.
  return {border.kind, 1};
}

}  // namespace meander
