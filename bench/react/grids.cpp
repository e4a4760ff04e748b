// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/react/grids.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/image_state.hpp"
#include "core/parallel_for.hpp"
#include "engine/backend.hpp"
#include "filter/react/cell.hpp"
#include "meander/error.hpp"
#include "meander/phantom.hpp"

namespace meander::bench {
namespace {

Description layers_of(const Shape& shape, PixelType type) {
  return {.shape = shape, .channels = 2, .type = type};
}

/// Images have no 32-bit integers; floats are as long.
template <class Number>
constexpr PixelType storage_of = sizeof(Number) == 2 ? PixelType::i16 : PixelType::f32;

template <class Number>
Number* row_of(const Image& image, int layer, std::int64_t y) {
  return reinterpret_cast<Number*>(image.state().view.host_row(layer * image.shape().y + y));
}

/// Puts u and v, times their scales, into both layers.
template <class Number>
void fill(const Image& image, const ReactStart& start, const FixedScales& scales) {
  for (std::int64_t y = 0; y < start.shape.y; ++y) {
    for (int layer = 0; layer < 2; ++layer) {
      const double scale = layer == 0 ? scales.u : scales.v;
      for (std::int64_t x = 0; x < start.shape.x; ++x) {
        const double state = start.states[static_cast<std::size_t>(y * start.shape.x + x)] * scale;
        row_of<Number>(image, layer, y)[x] =
            static_cast<Number>(std::is_integral_v<Number> ? std::round(state) : state);
      }
    }
  }
}

template <class Number>
std::vector<double> u_of(const Image& image, double scale) {
  std::vector<double> values;
  for (std::int64_t y = 0; y < image.shape().y; ++y) {
    const Number* row = row_of<Number>(image, 0, y);
    for (std::int64_t x = 0; x < image.shape().x; ++x) {
      values.push_back(static_cast<double>(row[x]) / scale);
    }
  }
  return values;
}

ReactOptions options_of(const ReactNetwork& network) {
  const auto [a, b, c, e, d1, d2, dt] = network;
  return {.genes = {.a = a, .b = b, .c = c, .e = e}, .diffusion = {d1, d2}, .dt = dt};
}

FixedScales scales_of_rule(const ReactNetwork& network) {
  const auto [u, v] = state_scales(options_of(network));
  return {u, v};
}

}  // namespace

ReactStart react_start(const Shape& shape) {
  const Image picture = phantom({.kind = PhantomKind::blobs,
                                 .size = shape,
                                 .type = PixelType::u8,
                                 .noise = {NoiseFamily::gaussian},
                                 .levels = std::array{64.0, 192.0}});
  ReactStart start{.shape = shape, .states = {}};
  for (std::int64_t y = 0; y < shape.y; ++y) {
    const auto* row = picture.row<std::uint8_t>(y);
    for (std::int64_t x = 0; x < shape.x; ++x) {
      start.states.push_back(static_cast<float>(row[x]) / 255.0f - 0.5f);
    }
  }
  return start;
}

engine::Iteration iteration_of(const ReactNetwork& network) {
  return react_iteration({}, options_of(network));
}

EngineGrid::EngineGrid(const ReactNetwork& network, const ReactStart& start, PixelType type,
                       const Device& device)
    : network_(network),
      device_(device),
      iteration_(iteration_of(network)),
      state_(Image::allocate(layers_of(start.shape, type))),
      other_(device_.allocate(layers_of(start.shape, type))) {
  if (type == PixelType::f64) {
    fill<double>(state_, start, scales_of_rule(network));
  } else {
    fill<float>(state_, start, scales_of_rule(network));
  }
  state_ = device_.upload(state_);
}

void EngineGrid::run(std::int64_t steps, const std::stop_token& stop) {
  if (steps % 2 != 0) throw LogicError("a benchmark's engine takes an even number of steps");
  iteration_.steps = steps;
  iteration_.stop = stop;
  device_.backend().iterate(iteration_, state_.state().view, other_.state().view, {});
  device_.synchronize();
}

void EngineGrid::copy() {
  device_.backend().convert(state_.state().view, other_.state().view, {});
  device_.synchronize();
}

std::string EngineGrid::notes() const { return device_.backend().iteration_notes(); }

std::vector<double> EngineGrid::u() const {
  const double scale = scales_of_rule(network_).u;
  const Image host = state_.download();
  return host.type() == PixelType::f64 ? u_of<double>(host, scale) : u_of<float>(host, scale);
}

template <class Number>
LoopGrid<Number>::LoopGrid(const ReactStart& start, const FixedScales& scales, Loop loop,
                           bool on_all_threads)
    : loop_(std::move(loop)),
      on_all_threads_(on_all_threads),
      scales_(scales),
      now_(Image::allocate(layers_of(start.shape, storage_of<Number>))),
      next_(Image::allocate(layers_of(start.shape, storage_of<Number>))) {
  fill<Number>(now_, start, scales);
}

template <class Number>
void LoopGrid<Number>::run(std::int64_t steps, const std::stop_token& stop) {
  for (std::int64_t i = 0; i < steps && !stop.stop_requested(); ++i) {
    step();
    std::swap(now_, next_);
  }
}

template <class Number>
void LoopGrid<Number>::step() {
  const Shape& shape = now_.shape();
  const ReactLayers<Number> layers{row_of<Number>(now_, 0, 0),
                                   row_of<Number>(now_, 1, 0),
                                   row_of<Number>(next_, 0, 0),
                                   row_of<Number>(next_, 1, 0),
                                   shape.x,
                                   shape.y,
                                   now_.pitch().row / static_cast<std::int64_t>(sizeof(Number))};
  if (!on_all_threads_) return loop_(layers, 0, shape.y);
  constexpr std::int64_t cells_per_task = std::int64_t{1} << 15;  // as the engine does
  const std::int64_t rows = std::max<std::int64_t>(1, cells_per_task / shape.x);
  parallel_for((shape.y + rows - 1) / rows, [&](std::int64_t task) {
    loop_(layers, task * rows, std::min((task + 1) * rows, shape.y));
  });
}

template <class Number>
std::vector<double> LoopGrid<Number>::u() const {
  return u_of<Number>(now_, scales_.u);
}

LoopGrid<float> plain_grid(const ReactNetwork& network, const ReactStart& start,
                           ReactLoops::Plain loop) {
  const auto rows = [network, loop](const ReactLayers<float>& layers, std::int64_t begin,
                                    std::int64_t end) { loop(layers, network, begin, end); };
  return {start, {1, 1}, rows, false};
}

template <class Number>
LoopGrid<Number> fixed_grid(const ReactNetwork& network, const ReactStart& start) {
  const FixedNumbers<Number> numbers = fixed_numbers<Number>(network);
  const ReactLoops& loops = vectorised_loops();
  const auto rows = [numbers, &loops](const ReactLayers<Number>& layers, std::int64_t begin,
                                      std::int64_t end) {
    if constexpr (sizeof(Number) == 2) {
      loops.fixed16(layers, numbers, begin, end);
    } else {
      loops.fixed32(layers, numbers, begin, end);
    }
  };
  return {start, fixed_scales<Number>(network), rows, true};
}

template class LoopGrid<float>;
template class LoopGrid<std::int16_t>;
template class LoopGrid<std::int32_t>;
template LoopGrid<std::int16_t> fixed_grid(const ReactNetwork&, const ReactStart&);
template LoopGrid<std::int32_t> fixed_grid(const ReactNetwork&, const ReactStart&);

}  // namespace meander::bench
