// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/react/network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/image_state.hpp"
#include "core/message.hpp"
#include "filter/react/cell.hpp"
#include "filter/react/check.hpp"

namespace meander {
namespace {

/// A reduction costs about as much as several steps.
constexpr std::int64_t check_every = 256;
constexpr std::int64_t sample_every = 16;
constexpr double largest_state = 1000;

const engine::View& view_of(const Image& image) { return image.state().view; }

struct Extremes {
  double least, most;
  /// Infinite when anything is not finite.
  double magnitude;
};

/// Of a state, undoing its scale, which may be negative.
Extremes extremes_of(const engine::Sums& sums, double scale) {
  const double one = sums.min / scale, other = sums.max / scale;
  const double magnitude = std::max(std::abs(one), std::abs(other));
  return {std::min(one, other), std::max(one, other),
          sums.nonfinite > 0 ? std::numeric_limits<double>::infinity() : magnitude};
}

/// Of u and of v of each.
std::vector<std::array<Extremes, 2>> extremes_of(const std::vector<Image>& all,
                                                 const ReactOptions& options) {
  engine::Backend& backend = *all[0].state().backend;
  std::vector<engine::MemoryPtr> reductions;
  for (const Image& states : all) {
    for (const int layer : {0, 1}) {
      reductions.push_back(
          backend.reduce(view_of(states.channel(layer)), 0, engine::Wanted::range));
    }
  }
  std::vector<engine::Sums> sums(reductions.size());
  backend.fetch(reductions, sums.data());
  const auto scales = state_scales(options);
  std::vector<std::array<Extremes, 2>> extremes;
  for (std::size_t i = 0; i < sums.size(); i += 2) {
    extremes.push_back({extremes_of(sums[i], scales[0]), extremes_of(sums[i + 1], scales[1])});
  }
  return extremes;
}

/// To -most and most. Once a run, so it is done on the host, on any device.
void clamp(const Image& states, double most) {
  Image host = states.download();
  visit(states.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_floating_point_v<T>) {
      const T limit = static_cast<T>(most);
      for (std::int64_t z = 0; z < host.shape().z; ++z) {
        for (std::int64_t y = 0; y < host.shape().y; ++y) {
          T* row = host.mutable_row<T>(y, z);
          for (std::int64_t x = 0; x < host.shape().x; ++x) {
            row[x] = std::clamp(row[x], -limit, limit);
          }
        }
      }
    }
  });
  engine::Backend& backend = *states.state().backend;
  if (!backend.uses_host_memory()) backend.write(view_of(host), view_of(states));
}

void widen(std::array<double, 2>& range, const Extremes& by) {
  range = {std::min(range[0], by.least), std::max(range[1], by.most)};
}

}  // namespace

Reactor::Network::Network(const Device& device, const Description& image,
                          const ReactOptions& options)
    : device_(device), image_(image), options_(options), pace_(device.backend()) {
  check_react(device, image, options);
  work_ = react_iteration(image.shape, options);
  const Description states{
      .shape = image.shape, .channels = 2, .type = state_type(image.type, options)};
  for (int i = 0; i < image.channels; ++i) {
    channels_.push_back({.state = device.allocate(states), .scratch = device.allocate(states)});
  }
}

Image Reactor::Network::run(const Image& image, const Control& control,
                            const ReactSnapshots& snapshots) {
  check_image(device_, image_, image);
  check_snapshots(snapshots, options_.steps);
  start(image);
  report(control);
  std::int64_t step = 0;
  take_snapshot(snapshots, step, control);
  while (step < options_.steps && !all_settled()) {
    const std::int64_t next = next_stop(step, snapshots);
    for (Channel& channel : channels_) {
      if (channel.settled) continue;
      advance(channel, next - step, control);
      if (is_sampled(next)) sample_change(channel);
    }
    step = next;
    if (step % check_every == 0) check_states(step, control);
    take_snapshot(snapshots, step, control);
  }
  check_states(step, control);
  finish_figures();
  Image result = layers();
  control.step(1);
  return result;
}

void Reactor::Network::start(const Image& image) {
  const StartWindow window = window_of(image, options_);
  figures_ = {.dt_limit = react_dt_limit(image_.shape, options_),
              .window = window.ends,
              .beyond = window.beyond};
  spacing_ = image.spacing();
  placement_ = image.description().placement;
  checked_ = -1;
  const auto maps = start_maps(options_, figures_.window);
  for (int i = 0; i < image_.channels; ++i) {
    Channel& channel = channels_[static_cast<std::size_t>(i)];
    channel.steps = 0;
    channel.change = std::numeric_limits<double>::quiet_NaN();
    channel.settled = false;
    const Image pixels = image.channel(i);
    for (const int layer : {0, 1}) {
      device_.backend().convert(view_of(pixels), view_of(channel.state.channel(layer)),
                                maps[static_cast<std::size_t>(layer)]);
      if (window.clamps) {
        const double scale = state_scales(options_)[static_cast<std::size_t>(layer)];
        clamp(channel.state.channel(layer), std::abs(options_.gain * scale));
      }
    }
  }
}

void Reactor::Network::take_snapshot(const ReactSnapshots& snapshots, std::int64_t step,
                                     const Control& control) {
  if (!std::ranges::binary_search(snapshots.at, step)) return;
  check_states(step, control);
  snapshots.take(step, layers());
}

bool Reactor::Network::is_sampled(std::int64_t step) const {
  return options_.settle > 0 && (step % sample_every == 0 || step == options_.steps);
}

/// A sampled step is taken by itself, for that leaves the state before it.
std::int64_t Reactor::Network::next_stop(std::int64_t step, const ReactSnapshots& snapshots) const {
  const std::int64_t most = pace_.most(work_, view_of(channels_[0].state));
  std::int64_t next =
      std::min({options_.steps, step + most, (step / check_every + 1) * check_every});
  const auto snapshot = std::ranges::upper_bound(snapshots.at, step);
  if (snapshot != snapshots.at.end()) next = std::min(next, *snapshot);
  if (options_.settle > 0) {
    const std::int64_t sampled = std::min((step / sample_every + 1) * sample_every, options_.steps);
    next = std::min(next, std::max(sampled - 1, step + 1));
  }
  return next;
}

bool Reactor::Network::all_settled() const {
  return std::ranges::all_of(channels_, &Channel::settled);
}

void Reactor::Network::advance(Channel& channel, std::int64_t steps, const Control& control) {
  work_.steps = steps;
  work_.stop = control.stop;
  pace_.run(work_, view_of(channel.state), view_of(channel.scratch), {});
  if (steps % 2 != 0) std::swap(channel.state, channel.scratch);
  channel.steps += steps;
  report(control);
}

/// After a single step, which left the state before it in `scratch`.
void Reactor::Network::sample_change(Channel& channel) {
  device_.backend().pointwise(engine::Pointwise::difference, view_of(channel.state),
                              view_of(channel.scratch), {}, view_of(channel.scratch));
  const auto [u, v] = extremes_of({channel.scratch}, options_)[0];
  channel.change = std::max(u.magnitude, v.magnitude) / options_.dt;
  channel.settled = channel.change <= options_.settle;
}

void Reactor::Network::check_states(std::int64_t step, const Control& control) {
  if (std::exchange(checked_, step) == step) return;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  figures_.u = figures_.v = {infinity, -infinity};
  std::array<double, 2> largest{0, 0};
  std::vector<Image> states;
  for (const Channel& channel : channels_) states.push_back(channel.state);
  for (const auto& [u, v] : extremes_of(states, options_)) {
    widen(figures_.u, u);
    widen(figures_.v, v);
    largest = {std::max(largest[0], u.magnitude), std::max(largest[1], v.magnitude)};
  }
  pace_.has_waited();
  report(control);  // steps that were stopped leave any state
  if (std::max(largest[0], largest[1]) <= largest_state) return;
  throw NotConverged(message("the states ran away by step ", step, " (largest |u| ", largest[0],
                             ", |v| ", largest[1], "): expected them to stay below ", largest_state,
                             "; dt is ", options_.dt, ", its limit ", figures_.dt_limit));
}

void Reactor::Network::report(const Control& control) const {
  double done = 0;
  for (const Channel& channel : channels_) done += static_cast<double>(channel.steps);
  const double all = static_cast<double>(options_.steps) * static_cast<double>(channels_.size());
  control.step(all > 0 ? done / all : 0);
}

Image Reactor::Network::layers() const {
  Description description = react_layers(image_, options_);
  description.spacing = spacing_;
  description.placement = placement_;
  Image result = device_.allocate(description);
  int index = 0;
  for (const Channel& channel : channels_) {
    for (const int layer : layers_of(options_.layer)) {
      const double scale = state_scales(options_)[static_cast<std::size_t>(layer)];
      device_.backend().convert(view_of(channel.state.channel(layer)),
                                view_of(result.channel(index++)), {.scale = 1 / scale});
    }
  }
  return result;
}

void Reactor::Network::finish_figures() {
  figures_.settled = all_settled();
  figures_.change = channels_[0].change;
  for (const Channel& channel : channels_) {
    figures_.steps = std::max(figures_.steps, channel.steps);
    figures_.change = std::max(figures_.change, channel.change);
  }
  if (figures_.steps > 0) figures_.method = device_.backend().iteration_notes();
}

}  // namespace meander
