// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/react.hpp"

#include "core/image_state.hpp"
#include "core/message.hpp"
#include "core/parallel_for.hpp"
#include "filter/check.hpp"
#include "filter/react/cell.hpp"
#include "filter/react/check.hpp"
#include "filter/react/network.hpp"
#include "meander/statistics.hpp"

namespace meander {
namespace {

/// From states of a layer (0 is u, 1 is v) to pixels.
engine::Affine pixel_map(const ReactOptions& options, const ReactFigures& figures, int layer,
                         PixelType type) {
  if (options.output_map.kind == ReactMap::Kind::input) {
    const auto [low, high] = figures.window;
    const double half = (high - low) / 2;
    return {.scale = half / options.gain, .offset = low + half};
  }
  if (!is_integer(type)) return {};
  const bool own = options.output_map.kind == ReactMap::Kind::range;
  const auto [low, high] = !own ? options.output_map.window : layer == 0 ? figures.u : figures.v;
  if (!(high > low)) return {.scale = 0, .offset = 0};
  const double scale = highest_of(type) / (high - low);
  return {.scale = scale, .offset = -low * scale};
}

}  // namespace

Reactor::Reactor(const Device& device, const Description& image, const ReactOptions& options)
    : network_(std::make_unique<Network>(device, image, options)) {}
Reactor::Reactor(Reactor&&) noexcept = default;
Reactor& Reactor::operator=(Reactor&&) noexcept = default;
Reactor::~Reactor() = default;

Image Reactor::run(const Image& image, const ReactSnapshots& snapshots, const Control& control) {
  return network_->run(image, control, snapshots);
}

const ReactFigures& Reactor::figures() const { return network_->figures(); }

ReactResult react(const Image& image, const ReactOptions& options, const ReactSnapshots& snapshots,
                  const Control& control) {
  Reactor reactor(image.device(), image.description(), options);
  Image layers = reactor.run(image, snapshots, control);
  return {std::move(layers), reactor.figures()};
}

Image react_pixels(const Image& layers, const ReactOptions& options, const ReactFigures& figures,
                   PixelType type, const Control& control) {
  const Device device = layers.device();
  check_device(type, device);
  const std::vector<int> kinds = layers_of(options.layer);
  const int count = static_cast<int>(kinds.size());
  if (layers.channels() % count != 0) {
    throw InvalidArgument(
        message("the layers have ", layers.channels(), " channels, expected pairs of u and v"));
  }
  Description description = layers.description();
  description.type = type;
  Image pixels = device.allocate(description);
  const StopScope scope(control.stop);
  for (int i = 0; i < layers.channels(); ++i) {
    control.step(static_cast<double>(i) / layers.channels());
    const int layer = kinds[static_cast<std::size_t>(i % count)];
    device.backend().convert(layers.channel(i).state().view, pixels.channel(i).state().view,
                             pixel_map(options, figures, layer, type));
  }
  control.step(1);
  return pixels;
}

std::int64_t estimate_bytes(const Description& image, const ReactOptions& options,
                            const Device& device) {
  check_react(device, image, options);
  const Description result = react_layers(image, options);
  Description states = result;
  states.channels = 2;
  Description state = result;
  state.channels = 1;
  const std::int64_t reductions = 2 * (estimate_statistics_bytes(state) - padded_bytes(state));
  return padded_bytes(image) + padded_bytes(result) + 2 * image.channels * padded_bytes(states) +
         reductions;
}

Work estimate_work(const Description& image, const ReactOptions& options) {
  const Description result = react_layers(image, options);
  const auto steps = static_cast<double>(options.steps);
  Work work;
  work.upload_bytes = static_cast<double>(padded_bytes(image));
  work.download_bytes = static_cast<double>(padded_bytes(result));
  work.needs_float64 = result.type == PixelType::f64;
  work[WorkKind::steps] = {.units = 2 * static_cast<double>(image.numbers()) * steps,
                           .launches = steps * image.channels};
  return work;
}

}  // namespace meander
