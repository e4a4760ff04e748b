// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/flow/flow.hpp"

#include "backend/cpu/isa.hpp"
#include "bench/flow/grids.hpp"
#include "engine/backend.hpp"

namespace meander::bench {
namespace {

constexpr std::int64_t engine_steps = 32;  // at a time: two rounds of the engine's longest ring
constexpr std::int64_t loop_steps = 2;     // at a time
struct Solver {
  bool has_noise;
  FlowOptions options;
};
constexpr FlowOptions multigrid{.solver = FlowSolver::multigrid, .tolerance = 1e-6};
constexpr Solver solvers[] = {
    {true, multigrid}, {false, multigrid}, {true, {.solver = FlowSolver::fed, .iterations = 64}}};

std::int64_t plain_steps_of(const Shape& size) { return size.rank() == 3 ? 100 : 512; }

/// Everything that is measured on one image.
struct Place {
  Place(const Shape& size, const Device& on, const Control& control)
      : device(on),
        image(device.upload(flow_image(flow_kind(size), size, NoiseFamily::gaussian, control))),
        clean(device.upload(flow_image(flow_kind(size), size, NoiseFamily::none,
                                       {.stop = control.stop, .progress = {}}))),
        gradient(flow_gradient(image, {}, {.stop = control.stop, .progress = {}})),
        f32(gradient, step, FlowStorage::f32),
        f16(gradient, step, FlowStorage::f16),
        snorm16(gradient, step, FlowStorage::snorm16),
        plain(Field(gradient.components().download()), step),
        pixels(static_cast<double>(size.x * size.y * size.z)) {}

  /// Whether the number of threads counts.
  bool is_cpu() const { return device.name() == "cpu"; }

  const Device device;
  const FlowStep step;
  const Image image, clean;
  const Field gradient;
  EngineFlow f32, f16, snorm16;
  PlainFlow plain;
  const double pixels;
  FlowFigures figures[std::size(solvers)];
  std::string notes;
};

/// What is timed, with its clock and stop.
class Course {
 public:
  Course(Place& place, Clock clock, const Control& control)
      : place_(place), clock_(clock), control_(control) {
    engine(FlowWay::f32, place.f32);
    engine(FlowWay::f16, place.f16);
    engine(FlowWay::snorm16, place.snorm16);
    add(FlowWay::copy, 2 * place.f32.bytes_of_step() / 3, 1, [&place] { place.f32.copy(); });
    loop(FlowWay::plain, scalar_flow_loop());
    loop(FlowWay::vectorised, vectorised_flow_loop());
    for (std::size_t i = 0; i < std::size(solvers); ++i) solver(i);
  }
  const std::vector<Candidate>& candidates() const { return candidates_; }

 private:
  void add(FlowWay way, int bytes, std::int64_t steps, const std::function<void()>& work) {
    control_.step(0);
    candidates_.push_back(repeated(name_of(way), bytes, clock_,
                                   place_.pixels * static_cast<double>(steps), work,
                                   static_cast<std::size_t>(FlowWay::f32)));
  }
  void engine(FlowWay way, EngineFlow& grid) {
    add(way, grid.bytes_of_step(), engine_steps, [this, way, &grid, stop = control_.stop] {
      grid.run(engine_steps, stop);
      if (way == FlowWay::f32) place_.notes = grid.notes();
    });
  }
  void loop(FlowWay way, FlowLoop text) {
    add(way, place_.f32.bytes_of_step(), loop_steps,
        [this, text, stop = control_.stop] { place_.plain.run(text, loop_steps, stop); });
  }
  /// Its unit is that of the plain steps it is compared with.
  void solver(std::size_t index) {
    control_.step(0);
    const FlowOptions& options = solvers[index].options;
    const Image& image = solvers[index].has_noise ? place_.image : place_.clean;
    const auto work = [this, index, &image, &options, stop = control_.stop] {
      place_.figures[index] = flow(image, options, {}, {.stop = stop, .progress = {}}).figures;
      place_.device.synchronize();
    };
    const auto steps = static_cast<double>(plain_steps_of(image.shape()));
    candidates_.push_back(repeated(OptionText<FlowSolver>::format(options.solver), 0, clock_,
                                   place_.pixels * steps, work,
                                   static_cast<std::size_t>(FlowWay::plain)));
  }

  Place& place_;
  const Clock clock_;
  const Control& control_;
  std::vector<Candidate> candidates_;
};

void add_scaling(FlowBench& result, Place& place, int runs, const Control& control) {
  result.scaling = scaling_on(
      place.device, result.seconds_of_steps(engine_steps),
      [&] { place.f32.run(engine_steps, control.stop); }, runs, control);
  const auto solve = [&] {
    flow(place.image, multigrid, {}, {.stop = control.stop, .progress = {}});
    place.device.synchronize();
  };
  FlowSolverRow& row = result.solvers[0];
  row.scaling = scaling_on(place.device, row.seconds.median, solve, runs, control);
}

FlowSolverRow solver_row(const FlowBench& result, const Row& row, std::size_t index,
                         const FlowFigures& figures) {
  const double units = result.pixels() * static_cast<double>(result.plain_steps);
  const Quartiles seconds = scaled(row.seconds, units);
  return {.solver = solvers[index].options.solver,
          .has_noise = solvers[index].has_noise,
          .seconds = seconds,
          .over_plain = row.ratio,
          .nanoseconds = seconds.median / result.pixels() * 1e9,
          .figures = figures,
          .scaling = {}};
}

}  // namespace

const char* name_of(FlowWay way) {
  constexpr const char* names[] = {"f32", "f16", "snorm16", "copy", "plain", "vectorised"};
  return names[static_cast<std::size_t>(way)];
}

double FlowBench::seconds_of_steps(std::int64_t count) const {
  return row(FlowWay::f32).nanoseconds.median * 1e-9 * pixels() * static_cast<double>(count);
}

FlowBench bench_flow(const Shape& size, const Device& device, int runs, const Control& control) {
  Place place(size, device, part_of(control, 0, 0.05));
  FlowBench result{.size = size, .device = device.name(), .clock = Clock::wall};
  if (place.is_cpu() && threads() == 1) result.clock = Clock::process;
  result.level = cpu::kernels().level;
  result.plain_steps = plain_steps_of(size);
  const Control rest = part_of(control, 0.05, 1);
  const Course course(place, result.clock, rest);
  for (const Row& row : compare_in_turn(course.candidates(), runs, rest)) {
    const std::size_t done = result.steps.size();
    if (done <= static_cast<std::size_t>(FlowWay::vectorised)) {
      result.steps.push_back({.way = static_cast<FlowWay>(done),
                              .nanoseconds = scaled(row.seconds, 1e9),
                              .over_ours = row.ratio,
                              .bytes = static_cast<int>(course.candidates()[done].bytes),
                              .gigabytes_per_second = row.gigabytes_per_second});
    } else {
      const std::size_t index = result.solvers.size();
      result.solvers.push_back(solver_row(result, row, index, place.figures[index]));
    }
  }
  result.notes = place.notes;
  add_scaling(result, place, runs, control);
  return result;
}

}  // namespace meander::bench
