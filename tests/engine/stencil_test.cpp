// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// How the cpu goes through a grid must not show in what comes out: rings, rows, threads and pieces
// of a run give the same bits. That the numbers are right is for the conformance suite to say.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "backend/cpu/stencil/stencil.hpp"
#include "conformance/line_samples.hpp"
#include "core/image_state.hpp"
#include "engine/backend.hpp"

namespace meander {
namespace {

using cpu::StencilPath;
using engine::Iteration;
using engine::Rule;

const engine::View& view_of(const Image& image) { return image.state().view; }

Image states_of(const Shape& shape, int channels, PixelType type) {
  return conformance::line_image({.shape = shape, .channels = channels, .type = type}, 0.25);
}

/// Contracting parameters, other ones at each step if asked for.
Iteration work_of(Rule rule, std::int64_t steps, bool per_step) {
  Iteration work{.rule = rule, .steps = steps};
  const int count = engine::facts_of(rule).parameters;
  for (std::int64_t step = 0; step < (per_step ? steps : 1); ++step) {
    for (int i = 0; i < count; ++i) {
      work.parameters.push_back(0.01 * (i + 1) + 0.001 * static_cast<double>(step % 7));
    }
  }
  return work;
}

class Stencil : public testing::Test {
 protected:
  ~Stencil() override {
    cpu::set_stencil_path(StencilPath::automatic);
    set_threads(0);
  }

  /// The state after all steps.
  Image outcome(const Iteration& work, const Image& start, const Image& fields, StencilPath path) {
    cpu::set_stencil_path(path);
    const Image state = start.clone(), scratch = start.clone();
    backend.iterate(work, view_of(state), view_of(scratch),
                    fields.empty() ? engine::View{} : view_of(fields));
    backend.finish();
    return work.steps % 2 == 0 ? state : scratch;
  }

  const Device device = Device::open("cpu");
  engine::Backend& backend = device.backend();
};

bool same_bits(const Image& a, const Image& b) {
  const engine::View &left = view_of(a), &right = view_of(b);
  const auto bytes = static_cast<std::size_t>(left.shape.x) * size_of(left.type);
  for (std::int64_t row = 0; row < left.rows(); ++row) {
    if (std::memcmp(left.host_row(row), right.host_row(row), bytes) != 0) return false;
  }
  return true;
}

TEST_F(Stencil, RingsEqualRows) {
  const Rule rules[] = {Rule::fitzhugh_nagumo, Rule::fitzhugh_nagumo_still, Rule::probe_one,
                        Rule::probe_four};
  const Shape shapes[] = {{1, 1, 1},   {2, 2, 1},   {5, 1, 1},    {1, 70, 1},    {9, 40, 1},
                          {31, 33, 1}, {33, 31, 3}, {37, 520, 1}, {1023, 65, 1}, {8500, 140, 1}};
  set_threads(2);  // so that tiles have edges inside the grid and are high enough for many steps
  std::size_t turn = 0;
  for (const Shape& shape : shapes) {
    for (const Border border : conformance::all_borders) {
      for (const Rule rule : rules) {
        const PixelType type = ++turn % 3 == 0 ? PixelType::f64 : PixelType::f32;
        const engine::RuleFacts& facts = engine::facts_of(rule);
        const Image start = states_of(shape, facts.states, type);
        const Image fields = facts.fields > 0 ? states_of(shape, facts.fields, type) : Image();
        for (const std::int64_t steps : {1, 2, 15, 16, 33}) {
          if (shape.x > 1000 && steps % 16 != 0) continue;
          Iteration work = work_of(rule, steps, turn % 2 == 0);
          work.neighbours.border = {border, 0.3};
          if (turn % 4 == 1) work.neighbours.axis = {0.5, 1.25, 0};
          if (turn % 4 == 2) work.neighbours = {{0.75, 0.75, 0}, 0.125, {border, 0.3}};
          EXPECT_TRUE(same_bits(outcome(work, start, fields, StencilPath::rows),
                                outcome(work, start, fields, StencilPath::ring)))
              << facts.name << ' ' << to_string(shape) << " border " << static_cast<int>(border)
              << " steps " << steps;
        }
      }
    }
  }
}

/// Three steps at a time, with tiles that meet inside the volume.
TEST_F(Stencil, RingsOfVolumesEqualRows) {
  const Shape shapes[] = {{33, 31, 3}, {17, 40, 20}, {40, 64, 5}, {130, 33, 4}, {9, 8, 2}};
  std::size_t turn = 0;
  for (const Shape& shape : shapes) {
    for (const Border border : conformance::all_borders) {
      const Rule rule = ++turn % 3 == 0 ? Rule::probe_four : Rule::vector_flow_volume;
      const PixelType type = turn % 4 == 0 ? PixelType::f64 : PixelType::f32;
      const engine::RuleFacts& facts = engine::facts_of(rule);
      const Image start = states_of(shape, facts.states, type);
      const Image fields = states_of(shape, facts.fields, type);
      set_threads(static_cast<int>(1 + turn % 2));
      for (const std::int64_t steps : {1, 2, 3, 8}) {
        Iteration work = work_of(rule, steps, turn % 2 == 0);
        work.neighbours = {{1, turn % 3 == 1 ? 1 : 0.75, 1}, 0, {border, 0.3}};
        const cpu::RingPlan plan =
            type == PixelType::f32
                ? cpu::plan_ring(cpu::Grid<float>(work, view_of(start), view_of(fields)))
                : cpu::plan_ring(cpu::Grid<double>(work, view_of(start), view_of(fields)));
        EXPECT_EQ(plan.steps, border == Border::periodic || shape.z < 3 ? 1 : 3);
        EXPECT_TRUE(same_bits(outcome(work, start, fields, StencilPath::rows),
                              outcome(work, start, fields, StencilPath::ring)))
            << facts.name << ' ' << to_string(shape) << " border " << static_cast<int>(border)
            << " steps " << steps;
      }
    }
  }
}

/// With more threads there are more and lower tiles.
TEST_F(Stencil, ThreadsDoNotShow) {
  const Image start = states_of({300, 517, 1}, 2, PixelType::f32);
  const Iteration work = work_of(Rule::fitzhugh_nagumo, 31, false);
  set_threads(1);
  const Image expected = outcome(work, start, Image(), StencilPath::rows);
  for (const int count : {1, 2, 3, 7}) {
    set_threads(count);
    for (const StencilPath path : {StencilPath::rows, StencilPath::ring, StencilPath::automatic}) {
      EXPECT_TRUE(same_bits(expected, outcome(work, start, Image(), path))) << count << " threads";
    }
  }
}

TEST_F(Stencil, PiecesOfARunDoNotShow) {
  const Image start = states_of({200, 150, 1}, 2, PixelType::f32);
  const Image whole =
      outcome(work_of(Rule::fitzhugh_nagumo, 50, false), start, Image(), StencilPath::automatic);
  Image state = start;
  for (const std::int64_t steps : {1, 16, 3, 30}) {
    state = outcome(work_of(Rule::fitzhugh_nagumo, steps, false), state, Image(),
                    StencilPath::automatic);
  }
  EXPECT_TRUE(same_bits(whole, state));
}

/// The trial is made of the run's own steps, and its outcome is told in figures.
TEST_F(Stencil, TheChoiceIsMeasuredAndTold) {
  set_threads(2);  // with many more the tiles would be too low for a ring
  const Image start = states_of({256, 300, 1}, 2, PixelType::f32);
  const Iteration work = work_of(Rule::fitzhugh_nagumo_still, 100, false);
  const Image chosen = outcome(work, start, Image(), StencilPath::automatic);
  const std::string notes = backend.iteration_notes();
  EXPECT_TRUE(notes.starts_with("ring: measured") || notes.starts_with("rows: measured")) << notes;
  EXPECT_NE(notes.find(" ns a cell and step"), std::string::npos) << notes;
  EXPECT_TRUE(same_bits(chosen, outcome(work, start, Image(), StencilPath::rows)));
  EXPECT_EQ(backend.iteration_notes(), "rows: as asked for");
}

TEST_F(Stencil, StopsWhenAsked) {
  const Image state = states_of({64, 64, 1}, 2, PixelType::f32), scratch = state.clone();
  std::stop_source source;
  source.request_stop();
  for (const StencilPath path : {StencilPath::rows, StencilPath::ring, StencilPath::automatic}) {
    cpu::set_stencil_path(path);
    // Without the stop this would take days.
    Iteration work = work_of(Rule::fitzhugh_nagumo, std::int64_t{1} << 40, false);
    work.stop = source.get_token();
    backend.iterate(work, view_of(state), view_of(scratch), {});
    backend.finish();
  }
}

TEST_F(Stencil, RingsSuitTheirGrids) {
  const auto plan_for = [&](const Shape& shape, Border border) {
    Iteration work = work_of(Rule::fitzhugh_nagumo, 1, false);
    work.neighbours.border.kind = border;
    const Image state = Image::allocate({.shape = shape, .channels = 2});
    const engine::View fields;
    return cpu::plan_ring(cpu::Grid<float>(work, view_of(state), fields));
  };
  set_threads(2);
  const cpu::RingPlan large = plan_for({4096, 4096, 1}, Border::clamp);
  EXPECT_EQ(large.tiles_x, 1);
  EXPECT_EQ(plan_for({9000, 4096, 1}, Border::clamp).tiles_x, 3);
  EXPECT_GE(large.tiles_y, 4);
  EXPECT_GT(large.steps, 1);
  EXPECT_EQ(large.steps % 2, 1);
  // A periodic line looks at its own other end, so it is not cut; a long one leaves room for less.
  const cpu::RingPlan periodic = plan_for({20000, 64, 1}, Border::periodic);
  EXPECT_EQ(periodic.tiles_x, 1);
  EXPECT_LT(periodic.steps, large.steps);
  // Low tiles would be computed twice over.
  EXPECT_EQ(plan_for({512, 20, 1}, Border::clamp).steps, 1);
}

}  // namespace
}  // namespace meander
