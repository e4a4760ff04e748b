// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/react/cell.hpp"

#include <cmath>

namespace meander {
namespace {

BorderRule border_of(ReactBorder border) {
  switch (border) {
    case ReactBorder::clamp:
      return {Border::clamp};
    case ReactBorder::mirror:
      return {Border::mirror};
    case ReactBorder::periodic:
      return {Border::periodic};
    case ReactBorder::fixed:
      return {Border::constant, 0};
  }
  throw LogicError("border out of its enumeration");
}

engine::Neighbours neighbours_of(const Shape& shape, const ReactOptions& options) {
  engine::Neighbours neighbours{.border = border_of(options.border)};
  if (shape.rank() == 3) {
    neighbours.axis = {1, 1, 1};
  } else if (options.laplacian == ReactLaplacian::nine) {
    neighbours.axis = {2.0 / 3, 2.0 / 3, 0};
    neighbours.corner = 1.0 / 6;
  }
  return neighbours;
}

}  // namespace

std::array<double, 2> state_scales(const ReactOptions& options) {
  const double s = std::sqrt(options.dt / 3);
  return {s, -options.dt * s};
}

engine::Iteration react_iteration(const Shape& shape, const ReactOptions& options) {
  const auto& [a, b, c, e] = options.genes;
  const auto [d1, d2] = options.diffusion;
  const double dt = options.dt;
  const double s = state_scales(options)[0];
  engine::Iteration work;
  work.rule = d1 == 0 ? engine::Rule::fitzhugh_nagumo_still : engine::Rule::fitzhugh_nagumo;
  work.neighbours = neighbours_of(shape, options);
  const double weight = work.neighbours.weight();
  work.parameters = {
      1 + dt * (c - weight * d1), dt * d1, 1 + dt * (e * b - weight * d2), dt * dt * e,
      dt * dt * s * e * a,        dt * d2};
  return work;
}

std::array<engine::Affine, 2> start_maps(const ReactOptions& options,
                                         const std::array<double, 2>& window) {
  const auto [low, high] = window;
  std::array<engine::Affine, 2> maps;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const double top = options.gain * state_scales(options)[i];
    const double scale = high > low ? 2 * top / (high - low) : 0;
    maps[i] = {.scale = scale, .offset = high > low ? -top - low * scale : 0};
  }
  return maps;
}

PixelType state_type(PixelType image, const ReactOptions& options) {
  const bool wide = image == PixelType::f64 || options.precision == Precision::float64;
  return wide ? PixelType::f64 : PixelType::f32;
}

std::vector<int> layers_of(ReactLayer layer) {
  if (layer == ReactLayer::both) return {0, 1};
  return {layer == ReactLayer::u ? 0 : 1};
}

Description react_layers(const Description& image, const ReactOptions& options) {
  Description layers = image;
  layers.type = state_type(image.type, options);
  layers.channels = image.channels * static_cast<int>(layers_of(options.layer).size());
  return layers;
}

}  // namespace meander
