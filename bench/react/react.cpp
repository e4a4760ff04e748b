// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/react/react.hpp"

#include "backend/cpu/stencil/stencil.hpp"
#include "bench/react/grids.hpp"
#include "bench/react/paper.hpp"
#include "core/image_state.hpp"
#include "core/message.hpp"
#include "core/parallel_for.hpp"
#include "meander/error.hpp"

namespace meander::bench {
namespace {

constexpr std::int64_t least_loop_steps = 4;  // of a timing; the engine's are 200 at a time
constexpr std::int64_t scaling_steps = 60;    // four rounds of the engine's longest ring

/// Bytes that a cell and step reads and writes, at least: two layers each way.
template <class Number>
constexpr int moved = 4 * static_cast<int>(sizeof(Number));

/// Something to be timed: a number of steps, each over so many cells.
struct Work {
  ReactWay way;
  int bytes;
  double cells;
  std::int64_t least_steps;
  std::function<void(std::int64_t steps)> run;
};

Candidate candidate_of(const Work& work, Clock clock) {
  return repeated(
      name_of(work.way), work.bytes, clock, work.cells * static_cast<double>(work.least_steps),
      [work] { work.run(work.least_steps); }, static_cast<std::size_t>(ReactWay::ours));
}

/// While it lives the engine goes one way.
class WithPath {
 public:
  explicit WithPath(cpu::StencilPath path) { cpu::set_stencil_path(path); }
  ~WithPath() { cpu::set_stencil_path(cpu::StencilPath::automatic); }
  WithPath(const WithPath&) = delete;
  WithPath& operator=(const WithPath&) = delete;
};

/// The engine's row function on six lines of 4 KiB for each thread.
class InCore {
 public:
  explicit InCore(const ReactNetwork& network) {
    const ReactStart start = react_start({width, 3, 1});
    for (int i = 0; i < threads(); ++i) grids_.emplace_back(network, start, PixelType::f32);
  }

  double cells() const { return static_cast<double>(width * lines) * threads(); }
  /// A step is so many lines on every thread.
  void run(std::int64_t steps) {
    parallel_for(threads(), [&](std::int64_t thread) {
      EngineGrid& grid = grids_[static_cast<std::size_t>(thread)];
      const engine::View &in = grid.state().state().view, &out = grid.other().state().view;
      const cpu::Grid<float> middle(grid.iteration(), in, {});
      const auto numbers = middle.numbers_of_step(0);
      const auto line = middle_line(in, out);
      for (std::int64_t i = 0; i < steps * lines; ++i) middle.function()(line, numbers);
    });
  }

 private:
  static constexpr std::int64_t width = 1024, lines = 256;

  static cpu::StencilLine<float> middle_line(const engine::View& in, const engine::View& out) {
    cpu::StencilLine<float> line{};
    line.end = line.length = width;
    for (int layer = 0; layer < 2; ++layer) {
      const auto row = [layer](const engine::View& view, std::int64_t y) {
        return cpu::Grid<float>::line_of(view, layer, y, 0);
      };
      line.before[0][layer] = row(in, 0);
      line.centre[layer] = row(in, 1);
      line.after[0][layer] = row(in, 2);
      line.next[layer] = row(out, 1);
    }
    return line;
  }

  std::vector<EngineGrid> grids_;
};

/// Everything that is measured on one plane.
struct Place {
  Place(const Shape& shape, const Device& device)
      : start(react_start(shape)),
        ours(network, start, PixelType::f32, device),
        host(network, start, PixelType::f32),
        plain(plain_grid(network, start, scalar_loop())),
        vectorised(plain_grid(network, start, vectorised_loops().plain)),
        fixed16(fixed_grid<std::int16_t>(network, start)),
        fixed32(fixed_grid<std::int32_t>(network, start)),
        core(network),
        cells(static_cast<double>(shape.x * shape.y)) {}

  const ReactNetwork network;
  const ReactStart start;
  EngineGrid ours, host;
  LoopGrid<float> plain, vectorised;
  LoopGrid<std::int16_t> fixed16;
  LoopGrid<std::int32_t> fixed32;
  InCore core;
  const double cells;
  std::string notes;
};

Work engine_work(Place& place, ReactWay way, cpu::StencilPath path, const std::stop_token& stop) {
  return {way, moved<float>, place.cells, paper_steps,
          [&place, way, path, stop](std::int64_t steps) {
            const WithPath with(path);
            EngineGrid& grid = way == ReactWay::ours ? place.ours : place.host;
            grid.run(steps, stop);
            if (way == ReactWay::ours) place.notes = grid.notes();
          }};
}

template <class Number>
Work loop_work(LoopGrid<Number>& grid, ReactWay way, double cells, const std::stop_token& stop) {
  return {way, moved<Number>, cells, least_loop_steps,
          [&grid, stop](std::int64_t steps) { grid.run(steps, stop); }};
}

/// In the order of ReactWay.
std::vector<Work> all_work(Place& place, const std::stop_token& stop) {
  return {engine_work(place, ReactWay::ours, cpu::StencilPath::automatic, stop),
          engine_work(place, ReactWay::rows, cpu::StencilPath::rows, stop),
          engine_work(place, ReactWay::ring, cpu::StencilPath::ring, stop),
          {ReactWay::copy, moved<float>, place.cells, least_loop_steps,
           [&place](std::int64_t steps) {
             for (std::int64_t i = 0; i < steps; ++i) place.ours.copy();
           }},
          {ReactWay::core, 0, place.core.cells(), least_loop_steps,
           [&place](std::int64_t steps) { place.core.run(steps); }},
          loop_work(place.plain, ReactWay::plain, place.cells, stop),
          loop_work(place.vectorised, ReactWay::vectorised, place.cells, stop),
          loop_work(place.fixed16, ReactWay::fixed16, place.cells, stop),
          loop_work(place.fixed32, ReactWay::fixed32, place.cells, stop)};
}

/// One thread and all of them, where there are several.
std::optional<Scaling> scaling_on(Place& place, double seconds_of_step, int runs,
                                  const Device& device, const Control& control) {
  if (threads() == 1 || device.name() != "cpu") return std::nullopt;
  const std::int64_t repeats = repeats_of(seconds_of_step * static_cast<double>(scaling_steps));
  const auto work = [&] {
    for (std::int64_t i = 0; i < repeats; ++i) place.ours.run(scaling_steps, control.stop);
  };
  return scaling_of(work, runs, control);
}

}  // namespace

const char* name_of(ReactWay way) {
  constexpr const char* names[] = {"ours",  "rows",       "ring",  "copy", "in-core",
                                   "plain", "vectorised", "int16", "int32"};
  return names[static_cast<std::size_t>(way)];
}

ReactWay ReactResult::larger_bound() const {
  const bool copy = row(ReactWay::copy).nanoseconds.median > row(ReactWay::core).nanoseconds.median;
  return copy ? ReactWay::copy : ReactWay::core;
}

Quartiles ReactResult::ours_over(ReactWay way) const {
  const Quartiles& inverse = row(way).over_ours;
  return {1 / inverse.high, 1 / inverse.median, 1 / inverse.low};
}

ReactResult bench_react(const Shape& size, const Device& device, int runs, const Control& control) {
  if (size.z != 1) {
    throw InvalidArgument(message("size is ", to_string(size), ", expected a plane for react"));
  }
  Place place(size, device);
  const bool is_serial = threads() == 1 && device.name() == "cpu";
  ReactResult result{.size = size, .clock = is_serial ? Clock::process : Clock::wall};
  result.level = cpu::kernels().level;
  std::vector<Candidate> candidates;
  for (const Work& work : all_work(place, control.stop)) {
    control.step(0);
    candidates.push_back(candidate_of(work, result.clock));
  }
  for (const Row& row : compare_in_turn(candidates, runs, control)) {
    result.rows.push_back({.way = static_cast<ReactWay>(result.rows.size()),
                           .nanoseconds = scaled(row.seconds, 1e9),
                           .over_ours = row.ratio,
                           .bytes = static_cast<int>(candidates[result.rows.size()].bytes),
                           .gigabytes_per_second = row.gigabytes_per_second});
  }
  result.notes = place.notes;
  const double step = result.row(ReactWay::ours).nanoseconds.median * 1e-9 * place.cells;
  result.seconds = step * static_cast<double>(paper_steps);
  result.scaling = scaling_on(place, step, runs, device, {.stop = control.stop, .progress = {}});
  return result;
}

}  // namespace meander::bench
