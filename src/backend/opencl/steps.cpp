// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <bit>
#include <string>

#include "backend/opencl/cells.hpp"
#include "backend/opencl/step_blocks_text.hpp"
#include "backend/steps/step_numbers_of.hpp"

namespace meander::opencl {
namespace {

constexpr const char* operation = "iterate";

/// `grid_facts` in cells.h of src/backend/steps.
struct GridFacts {
  cl_int width, height, depth, is_aligned;
};

/// What a group of work items takes: each of them runs of so many columns, of `rows` rows; of a
/// plane there are `strips` of such rows.
struct Tile {
  int columns = 0, rows = 1, strips = 1, items = 0;
  std::size_t local_numbers = 0;
};

/// Rows of a thread, and the strips of them that fit into local memory, or none.
Tile plane_tile(const Facts& facts, const engine::RuleFacts& rule, bool is_large) {
  constexpr std::size_t lanes = 32, sides = 2;
  const std::size_t around = std::popcount(rule.around & 0b1111u);
  const std::size_t columns = is_large ? 4 : 2, numbers = rule.states + rule.fields;
  // 7 rows and 8 strips leave registers, and local memory of 48 KB, for rules of two states.
  const std::size_t rows = !is_large ? 4 : numbers <= 2 ? 7 : numbers <= 4 ? 4 : 2;
  const std::size_t most_strips = is_large && numbers <= 2 ? 8 : 16;
  const std::size_t of_strip = around * lanes * (2 * columns + sides * rows);
  const std::size_t strips = std::min(
      {facts.local_bytes / sizeof(float) / of_strip, facts.largest_group / lanes, most_strips});
  return {.columns = static_cast<int>(columns),
          .rows = static_cast<int>(rows),
          .strips = static_cast<int>(strips),
          .items = static_cast<int>(lanes * strips),
          .local_numbers = of_strip * strips};
}

Tile volume_tile(const Facts& facts, const engine::RuleFacts& rule) {
  constexpr std::size_t columns = 2, buffers = 2, most = 448;  // of 144 registers each
  const std::size_t around = std::popcount(rule.around & 0b1111u);
  const std::size_t of_item = buffers * steps::most_volume_steps * columns * around;
  const std::size_t fitting = facts.local_bytes / sizeof(float) / of_item;
  const std::size_t items = std::min({fitting, facts.largest_group, most}) / 32 * 32;
  return {.columns = static_cast<int>(columns),
          .items = static_cast<int>(items),
          .local_numbers = of_item * items};
}

bool is_small(const engine::View& view) {
  return view.memory == nullptr || (view.pitch.row < std::int64_t{1} << 31 &&
                                    view.shape.y * view.pitch.row < std::int64_t{1} << 32);
}

bool is_aligned(const engine::View& view, std::int64_t bytes) {
  return view.memory == nullptr ||
         (view.offset | view.pitch.row | view.pitch.slice | view.pitch.channel) % bytes == 0;
}

/// How a run of passes is done; one step at most: not so.
struct Plan {
  std::int64_t most_steps = 1;
  Tile tile{};
  bool is_volume = false;
};

/// Processors run work items one after the other and keep rows in their caches.
Plan plan_of(const Facts& facts, const engine::Iteration& work, const engine::View& state,
             const engine::View& scratch, const engine::View& fields) {
  const engine::RuleFacts& rule = engine::facts_of(work.rule);
  const steps::StepNumbers n = steps::step_numbers_of(work, 0, 1);
  const bool is_volume = steps::is_volume(n), is_large = state.shape.x * state.shape.y > 1 << 19;
  constexpr std::int64_t most_cells = std::int64_t{1} << 30;
  if (!facts.info.is_gpu || state.type == PixelType::f64) return {};
  if (!steps::is_fused(static_cast<steps::RuleIndex>(work.rule), state.type == PixelType::f32,
                       is_volume)) {
    return {};
  }
  if (!is_small(state) || !is_small(scratch) || !is_small(fields)) return {};
  if (state.shape.x >= most_cells || state.shape.y >= most_cells || state.shape.z >= most_cells) {
    return {};
  }
  Plan plan{.is_volume = is_volume};
  plan.tile = is_volume ? volume_tile(facts, rule) : plane_tile(facts, rule, is_large);
  if (is_volume) {
    plan.most_steps = steps::most_volume_steps;
    if (plan.tile.items < 64 || state.shape.y * 8 > most_groups) return {};
    return plan;
  }
  const int height = plan.tile.strips * plan.tile.rows;
  plan.most_steps = std::min<std::int64_t>(steps::most_steps, height / 4);
  if (plan.most_steps < 2) return {};
  const auto useful = static_cast<int>(height - 2 * plan.most_steps);
  if ((state.shape.y + useful - 1) / useful * state.shape.z > most_groups) return {};
  return plan;
}

std::string options_of(const Session& session, const engine::Iteration& work,
                       const engine::View& state, const Plan& plan, bool is_unit,
                       bool is_constant) {
  const int words = plan.tile.columns * static_cast<int>(size_of(state.type)) / 4;
  // NVIDIA's compiler expects 256 work items unless it is told; with 128 registers a processor has
  // room for two groups of so many. Others say by themselves how many a kernel can have.
  std::string size;
  if (session.context->facts.has_registers_option) {
    size = plan.tile.items > 256 ? " -D IS_OF_SIZE" : " -cl-nv-maxrregcount=128";
    // What it makes of two slices side by side is faster, but not of float32.
    if (size_of(state.type) == 2) size += " -D TWO_TURNS";
  }
  return message(rule_options(session, work.rule, state.type), " -D IS_UNIT=", is_unit ? 1 : 0,
                 " -D IS_CONSTANT=", is_constant ? 1 : 0, " -D IS_VOLUME=", plan.is_volume ? 1 : 0,
                 " -D COLUMNS=", plan.tile.columns, " -D ROWS=", plan.tile.rows,
                 " -D STRIPS=", plan.tile.strips, " -D STAGES=", steps::most_volume_steps,
                 " -D ITEMS=", plan.tile.items, " -D RUN=uint",
                 words > 1 ? std::to_string(words) : "", size);
}

}  // namespace

std::int64_t iterate_fused(Session& session, engine::MemoryPool& pool,
                           const engine::Iteration& work, const engine::View& state,
                           const engine::View& scratch, const engine::View& fields) {
  if (work.steps <= 0) return 1;
  const Facts& facts = session.context->facts;
  const Plan plan = plan_of(facts, work, state, scratch, fields);
  if (plan.most_steps < 2) return 1;
  const steps::StepNumbers first = steps::step_numbers_of(work, 0, 1);
  const bool is_unit = steps::is_unit(first);
  const bool is_constant = work.neighbours.border.kind == Border::constant;
  const int kind = (plan.is_volume ? 4 : 0) + (is_unit ? 2 : 0) + (is_constant ? 1 : 0);
  Kernel kernel = session.programs.kernel(
      operation, step_blocks_text,
      {static_cast<int>(work.rule), static_cast<int>(state.type), 8 * plan.tile.columns + kind},
      "step_blocks", [&] { return options_of(session, work, state, plan, is_unit, is_constant); });
  if (kernel.largest < static_cast<std::size_t>(plan.tile.items)) return 1;
  kernel.group = static_cast<std::size_t>(plan.tile.items);
  const std::int64_t bytes = std::min<std::int64_t>(
      16, plan.tile.columns * static_cast<std::int64_t>(size_of(state.type)));
  const engine::View& third = or_some(fields, state);
  const GridFacts grid{.width = static_cast<cl_int>(state.shape.x),
                       .height = static_cast<cl_int>(state.shape.y),
                       .depth = static_cast<cl_int>(state.shape.z),
                       .is_aligned = is_aligned(state, bytes) && is_aligned(scratch, bytes) &&
                                     is_aligned(fields, bytes)};
  const steps::Passes passes(work.steps, plan.most_steps);
  for (std::int64_t i = 0; i < passes.count && !work.stop.stop_requested(); ++i) {
    const auto count = static_cast<int>(passes.before(i + 1) - passes.before(i));
    const steps::StepNumbers n = steps::step_numbers_of(work, passes.before(i), count);
    const engine::MemoryPtr table = session.tables.on_device(
        session.queue, pool, operation, {reinterpret_cast<const char*>(&n), sizeof(n)});
    steps::Column tile{.lanes = 32,
                       .strips = plan.tile.strips * plan.tile.rows,
                       .slices = 1,
                       .margin_x = steps::whole(count, plan.tile.columns),
                       .margin_y = count};
    if (plan.is_volume) {
      tile = steps::column_of(grid.width, grid.height, grid.depth, count, plan.tile.columns,
                              plan.tile.items, static_cast<int>(facts.compute_units));
    }
    const std::int64_t across =
        steps::parts(grid.width, tile.lanes * plan.tile.columns - 2 * tile.margin_x);
    const int down = steps::parts(grid.height, tile.strips - 2 * tile.margin_y);
    const engine::View& in = i % 2 == 0 ? state : scratch;
    const engine::View& out = i % 2 == 0 ? scratch : state;
    launch(session, operation, kernel,
           {across * static_cast<std::int64_t>(kernel.group),
            std::int64_t{down} * steps::parts(grid.depth, tile.slices)},
           buffer_of(in.memory), Layout(in), buffer_of(third.memory), Layout(third),
           buffer_of(out.memory), Layout(out), grid,
           cl_int4{{tile.lanes, tile.strips, tile.slices, 0}},
           cl_int2{{tile.margin_x, tile.margin_y}}, cl_int{down}, buffer_of(table),
           LocalBytes{plan.tile.local_numbers * sizeof(float)});
  }
  return plan.most_steps;
}

}  // namespace meander::opencl
