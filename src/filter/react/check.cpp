// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/react/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/image_state.hpp"
#include "core/message.hpp"
#include "filter/check.hpp"
#include "filter/react/cell.hpp"
#include "meander/react.hpp"
#include "meander/window.hpp"

namespace meander {
namespace {

void check_window(std::string_view name, const std::array<double, 2>& window) {
  const auto [low, high] = window;
  if (std::isfinite(low) && std::isfinite(high) && low < high) return;
  throw InvalidArgument(
      message(name, " is ", low, ",", high, ", expected two finite numbers, the first smaller"));
}

std::array<double, 2> range_of(const Image& image) {
  engine::Backend& backend = *image.state().backend;
  const engine::Sums sums = backend.reduced(image.state().view, engine::Wanted::range);
  if (sums.nonfinite > 0) {
    throw InvalidArgument(
        message("the image holds ", sums.nonfinite, " numbers that are not finite, expected none"));
  }
  return {sums.min, sums.max};
}

/// Pixels beyond a given window begin beyond the gain, and a state that is large enough leaps
/// further out with every step.
void check_start(const Shape& shape, ReactOptions options, const std::array<double, 2>& pixels) {
  const auto [low, high] = options.window.ends;
  const double gain = options.gain;
  for (const double pixel : pixels) {
    options.gain = std::max(options.gain, gain * std::abs(2 * (pixel - low) / (high - low) - 1));
  }
  const double limit = react_dt_limit(shape, options);
  if (options.dt < limit || options.force) return;
  throw InvalidArgument(message("window is ", low, ",", high, " for pixels from ", pixels[0],
                                " to ", pixels[1], ", which begin at states of up to ",
                                options.gain, ": expected a wider one, or a dt below ", limit),
                        {.option = "window"});
}

StartWindow robust_window(const Image& image, const ReactWindow& asked,
                          const std::array<double, 2>& range) {
  if (asked.ends[0] < asked.ends[1]) return {.ends = asked.ends, .clamps = true};
  const FoundWindow found = find_window(image);
  if (asked.kind == ReactWindow::Kind::fit && !found.is_range_of_few()) return {.ends = range};
  return {.ends = found.window, .beyond = found.beyond, .clamps = found.beyond > 0};
}

bool is_normal_in(PixelType type, double value) {
  return type == PixelType::f64 ? std::isnormal(value) : std::isnormal(static_cast<float>(value));
}

bool can_resolve(PixelType type, const engine::Affine& map) {
  return is_normal_in(type, map.scale) && std::abs(map.offset) <= highest_of(type);
}

}  // namespace

void check_react(const Device& device, const Description& image, const ReactOptions& options) {
  validate(options);
  check_device(state_type(image.type, options), device);
  if (options.window.kind == ReactWindow::Kind::given) check_window("window", options.window.ends);
  if (options.output_map.kind == ReactMap::Kind::window)
    check_window("output-map", options.output_map.window);
  if (image.shape.rank() == 3 && options.laplacian == ReactLaplacian::nine) {
    throw InvalidArgument(message("laplacian is 9 for a volume of ", to_string(image.shape),
                                  ", expected 5: volumes have the 7-point Laplacian"),
                          {.option = "laplacian"});
  }
  const double limit = react_dt_limit(image.shape, options);
  if (options.dt < limit || options.force) return;
  throw InvalidArgument(message("dt is ", options.dt, ", expected less than ", limit,
                                ", from where on steps grow without bound"),
                        {.option = "dt"});
}

void check_image(const Device& device, const Description& expected, const Image& image) {
  if (!(image.device() == device)) {
    throw InvalidArgument(message("the image is on ", image.device().name(), ", expected it on ",
                                  device.name(), " with the network"));
  }
  const Description& found = image.description();
  if (found.shape == expected.shape && found.channels == expected.channels &&
      found.type == expected.type)
    return;
  throw InvalidArgument(message("the image is ", to_string(found.shape), " with ", found.channels,
                                " channels of ", name_of(found.type), ", expected ",
                                to_string(expected.shape), " with ", expected.channels, " of ",
                                name_of(expected.type)));
}

void check_snapshots(const ReactSnapshots& snapshots, std::int64_t steps) {
  std::int64_t before = -1;
  for (const std::int64_t step : snapshots.at) {
    if (step <= before || step > steps) {
      throw InvalidArgument(message("a snapshot is asked for at step ", step,
                                    ", expected steps that rise from 0 to at most ", steps));
    }
    before = step;
  }
  if (!snapshots.at.empty() && !snapshots.take)
    throw InvalidArgument("snapshots are asked for, expected a function that takes them");
}

StartWindow window_of(const Image& image, const ReactOptions& options) {
  const PixelType type = image.type();
  const ReactWindow::Kind kind = options.window.kind;
  StartWindow window{.ends = {lowest_of(type), highest_of(type)}};
  // Floats are gone through in any case, for they may hold what is not finite.
  if (!is_integer(type) || kind != ReactWindow::Kind::full) window.ends = range_of(image);
  if (kind == ReactWindow::Kind::given) {
    check_start(image.shape(), options, window.ends);
    window.ends = options.window.ends;
  }
  if (kind == ReactWindow::Kind::automatic || kind == ReactWindow::Kind::fit) {
    window = robust_window(image, options.window, window.ends);
  }
  const auto [low, high] = window.ends;
  for (const engine::Affine& map : start_maps(options, window.ends)) {
    if (low == high || can_resolve(state_type(type, options), map)) continue;
    throw InvalidArgument(message("window is ", low, ",", high,
                                  ", expected one that is neither too wide nor too narrow for ",
                                  name_of(state_type(type, options)), " states"),
                          {.option = "window"});
  }
  return window;
}

namespace {

/// The largest eigenvalue of -Δ: that of the chessboard, where it has one.
double steepest(const Shape& shape, ReactLaplacian laplacian) {
  if (shape.rank() == 3) return 12;
  return laplacian == ReactLaplacian::nine ? 16.0 / 3 : 8;
}

/// The dt at which a mode that decays at `rate` begins to overshoot by more than it had.
double limit_of(double rate) {
  return rate > 0 ? 2 / rate : std::numeric_limits<double>::infinity();
}

}  // namespace

double react_dt_limit(const Shape& shape, const ReactOptions& options) {
  const auto& [a, b, c, e] = options.genes;
  const auto [d1, d2] = options.diffusion;
  if (e * b > 0) {
    throw InvalidArgument(message("genes are b=", b, ",e=", e, ", whose product is ", e * b,
                                  ", expected at most 0: v would grow without end"),
                          {.option = "genes"});
  }
  const double k = steepest(shape, options.laplacian);
  const double largest_square = std::max(4 * std::max(1.0, c), options.gain * options.gain);
  return std::min(limit_of(k * d2 - e * b), limit_of(k * d1 + largest_square - c));
}

ReactOptions with_stable_dt(const Shape& shape, ReactOptions options) {
  const double limit = react_dt_limit(shape, options);
  if (options.dt < limit) return options;
  const double time = static_cast<double>(options.steps) * options.dt;
  const double largest = 0.9 * limit;
  options.steps = static_cast<std::int64_t>(std::ceil(time / largest));
  options.dt = options.steps > 0 ? time / static_cast<double>(options.steps) : largest;
  return options;
}

}  // namespace meander
