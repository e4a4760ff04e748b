// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/smooth/normalised.hpp"

#include "core/image_state.hpp"

namespace meander {
namespace {

using engine::Pointwise;

/// An image of that shape and type; the one that is kept if it fits.
void ensure(Image& kept, const Device& device, const Shape& shape, PixelType type) {
  if (!kept.empty() && kept.shape() == shape) return;
  kept = Image();  // given back before the next is taken
  kept = device.allocate({.shape = shape, .type = type});
}

}  // namespace

void Normaliser::set_mask(const Image& mask) {
  if (mask.empty()) return;
  ensure(counts_, device_, mask.shape(), type_);
  const engine::View& view = counts_.state().view;
  engine::Backend& backend = device_.backend();
  backend.convert(mask.state().view, view, {});
  // A number divided by itself is 1, or NaN where there is nothing to divide by; its weight is 0.
  backend.pointwise(Pointwise::quotient, view, view, {}, view);
  backend.pointwise(Pointwise::weight, view, view, {}, view);
}

engine::View Normaliser::counts_for(const Shape& shape) const {
  return counts_.empty() ? constant_view(device_, type_, 1, shape, 1) : counts_.state().view;
}

engine::View Normaliser::as_type(const Image& plane) {
  if (plane.type() == type_) return plane.state().view;
  ensure(converted_, device_, plane.shape(), type_);
  device_.backend().convert(plane.state().view, converted_.state().view, {});
  return converted_.state().view;
}

void Normaliser::weigh(const Image& image, const Image& values, const Image& weights) {
  const engine::View counts = counts_for(image.shape());
  engine::Backend& backend = device_.backend();
  for (int channel = 0; channel < image.channels(); ++channel) {
    const engine::View x = as_type(image.channel(channel));
    backend.pointwise(Pointwise::weight, x, counts, {}, weights.channel(channel).state().view);
    backend.pointwise(Pointwise::weighted, x, counts, {}, values.channel(channel).state().view);
  }
}

void Normaliser::divide(const Image& image, const Image& values, const Image& weights,
                        Nonfinite nonfinite) {
  const engine::View counts = counts_for(image.shape());
  engine::Backend& backend = device_.backend();
  for (int channel = 0; channel < image.channels(); ++channel) {
    const engine::View x = as_type(image.channel(channel));
    const engine::View average = values.channel(channel).state().view;
    const engine::View chosen = weights.channel(channel).state().view;
    // The quotient's own limit is 2^-20. Powers of two move it, and change no quotient.
    const engine::Affine scale{.scale = 0x1p-20 / least_weight_};
    if (!scale.is_identity()) {
      backend.convert(average, average, scale);
      backend.convert(chosen, chosen, scale);
    }
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
