// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/lines/scan_numbers_of.hpp"
#include "backend/opencl/engines.hpp"
#include "backend/opencl/fir_pixels_text.hpp"
#include "backend/opencl/fir_tiles_text.hpp"
#include "backend/opencl/prefix_text.hpp"
#include "backend/opencl/scan_blocks_text.hpp"
#include "backend/opencl/scan_lines_text.hpp"
#include "backend/opencl/scan_part_text.hpp"
#include "core/message.hpp"
#include "engine/view_lines.hpp"

namespace meander::opencl {
namespace {

using engine::Recurrence;
using lines::ScanBlock;

constexpr const char* scan_operation = "scan";

/// The numbers of a recurrence on the device.
template <class Real>
engine::MemoryPtr table_of(Session& session, engine::MemoryPool& pool, const Recurrence& of) {
  return lines::with_form(of.form == Recurrence::Form::sum, of.states, [&]<int States, bool Sum>() {
    const lines::TypedScanNumbers<Real, States, Sum> typed(lines::scan_numbers_of(of));
    return session.tables.on_device(session.queue, pool, scan_operation,
                                    {reinterpret_cast<const char*>(&typed), sizeof(typed)});
  });
}

/// A program for one pair of types and one form, and the table of the recurrence.
struct Prepared {
  Kernel kernel;
  engine::MemoryPtr table;
};
Prepared prepare(Session& session, engine::MemoryPool& pool, const char* text, const char* entry,
                 PixelType in, PixelType real, const Recurrence& recurrence,
                 const std::string& options = {}, int variant = 0) {
  require_type(session, in);
  require_type(session, real);
  const bool is_sum = recurrence.form == Recurrence::Form::sum;
  const int form = 2 * recurrence.states + (is_sum ? 1 : 0);
  Prepared made;
  made.kernel = session.programs.kernel(
      scan_operation, text, {static_cast<int>(in), static_cast<int>(real), 128 * form + variant},
      entry, [&] {
        return message(line_options(session, in, real), " -D STATES=", recurrence.states,
                       " -D SUM=", is_sum ? 1 : 0, options);
      });
  made.table = real == PixelType::f64 ? table_of<double>(session, pool, recurrence)
                                      : table_of<float>(session, pool, recurrence);
  return made;
}

/// A group of work items for lines of f32 that it holds whole; else, and for processors, whose work
/// items run one after the other, a work item takes a line.
struct Grouped {
  Prepared ready;
  ScanBlock block{};
};
Grouped grouped(Session& session, engine::MemoryPool& pool, const engine::View& in, PixelType real,
                engine::Axis axis, const Recurrence& recurrence) {
  const Facts& facts = session.context->facts;
  const bool is_sum = recurrence.form == Recurrence::Form::sum, along_x = axis == engine::Axis::x;
  if (!facts.info.is_gpu || real != PixelType::f32) return {};
  if (!is_sum && recurrence.border.kind == Border::periodic) return {};
  constexpr int sector_numbers = 8, blocks_of_unit = 2;
  const auto block_of = [&](std::size_t threads) {
    return lines::scan_block_of(engine::length_along(in, axis), engine::line_count(in, axis),
                                recurrence.states, is_sum, along_x,
                                {.threads = static_cast<int>(threads / 32 * 32),
                                 .numbers = facts.local_bytes / sizeof(float),
                                 .side_by_side = sector_numbers,
                                 .blocks = blocks_of_unit * facts.compute_units});
  };
  // As CUDA does it: so few registers that so many work items find some.
  const std::size_t registers = is_sum ? 80 : 64, of_group = 65536;
  const std::size_t most = facts.has_registers_option
                               ? std::min(facts.largest_group, of_group / registers / 32 * 32)
                               : facts.largest_group;
  const int wanted = block_of(most).threads;
  if (wanted == 0) return {};  // before anything is compiled
  // NVIDIA's compiler expects 256 work items unless it is told.
  const bool is_told = facts.has_registers_option && wanted > 256;
  std::string size = is_told ? message(" -D ITEMS=", wanted) : "";
  if (facts.has_registers_option && !is_told) {
    size = message(" -cl-nv-maxrregcount=", registers);
  }
  Grouped made;
  made.ready = prepare(session, pool, scan_blocks_text, "scan_blocks", in.type, real, recurrence,
                       message(" -D ALONG_X=", along_x ? 1 : 0, size),
                       (along_x ? 1 : 0) + (is_told ? wanted / 32 * 2 : 0));
  made.block = block_of(made.ready.kernel.largest);
  made.ready.kernel.group = static_cast<std::size_t>(made.block.threads);
  return made;
}

}  // namespace

void scan(Session& session, engine::MemoryPool& pool, const engine::View& in,
          const engine::View& out, engine::Axis axis, const Recurrence& recurrence) {
  const cl_long count = engine::line_count(in, axis), length = engine::length_along(in, axis);
  const auto start = [&](const Prepared& ready, std::int64_t items, const auto&... rest) {
    launch(session, scan_operation, ready.kernel, {items, 1}, buffer_of(in.memory),
           engine::lines_of(in, axis), buffer_of(out.memory), engine::lines_of(out, axis), length,
           count, buffer_of(ready.table), rest...);
  };
  const auto [ready, block] = grouped(session, pool, in, out.type, axis, recurrence);
  if (block.threads == 0) {
    return start(
        prepare(session, pool, scan_lines_text, "scan_lines", in.type, out.type, recurrence),
        count);
  }
  start(ready, (count + block.across - 1) / block.across * block.threads, cl_int{block.across},
        cl_int{block.parts}, LocalBytes{block.numbers * sizeof(float)});
}

void scan_part(Session& session, engine::MemoryPool& pool, const engine::View& in,
               const engine::View& out, const engine::View& state, engine::Axis axis,
               engine::Direction direction, const Recurrence& recurrence,
               const engine::LinePart& part) {
  const cl_long count = engine::line_count(in, axis);
  const bool has_out = out.memory != nullptr;
  const engine::View& target = has_out ? out : state;  // an argument must be some buffer
  const Prepared ready =
      prepare(session, pool, scan_part_text, "scan_part", in.type, state.type, recurrence);
  launch(session, scan_operation, ready.kernel, {count, 1}, buffer_of(in.memory),
         engine::lines_of(in, axis), buffer_of(target.memory), engine::lines_of(target, axis),
         cl_int{has_out}, buffer_of(state.memory), engine::lines_of(state, axis),
         cl_int{direction == engine::Direction::forward}, cl_long{part.begin}, cl_long{part.length},
         cl_long{engine::length_along(in, axis)}, count, buffer_of(ready.table));
}

void scan_state(Session& session, engine::MemoryPool& pool, const engine::View& edge,
                const engine::View& state, engine::Axis axis, engine::StateMap map,
                const Recurrence& recurrence) {
  const cl_long count = engine::line_count(edge, axis);
  const Prepared ready =
      prepare(session, pool, scan_part_text, "scan_state", edge.type, state.type, recurrence);
  launch(session, scan_operation, ready.kernel, {count, 1}, buffer_of(edge.memory),
         engine::lines_of(edge, axis), buffer_of(state.memory), engine::lines_of(state, axis),
         static_cast<cl_int>(map), count, buffer_of(ready.table));
}

namespace {

/// The numbers of fir_tiles.cl.
struct Tiles {
  static constexpr std::int64_t group = 256, outputs = 8, taps = 64;
  explicit Tiles(bool along_x)
      : lines(along_x ? 8 : 32),
        places(group / lines * outputs),
        numbers((places + taps + outputs) * lines * (along_x ? 9 : 8) / 8 + 2 * lines + taps) {}

  std::int64_t lines, places;
  std::int64_t numbers;  ///< Of local memory, at most.
};

constexpr const char* fir_operation = "fir";

template <class Real>
engine::MemoryPtr table_of(Session& session, engine::MemoryPool& pool,
                           std::span<const double> weights) {
  const std::vector<Real> typed(weights.begin(), weights.end());
  return session.tables.on_device(
      session.queue, pool, fir_operation,
      {reinterpret_cast<const char*>(typed.data()), typed.size() * sizeof(Real)});
}

}  // namespace

void fir(Session& session, engine::MemoryPool& pool, const engine::View& in,
         const engine::View& out, engine::Axis axis, std::span<const double> weights,
         const BorderRule& border) {
  require_type(session, in.type);
  require_type(session, out.type);
  const cl_long length = engine::length_along(in, axis);
  const cl_long count = engine::line_count(in, axis);
  const bool along_x = axis == engine::Axis::x;
  const Tiles tiles(along_x);
  const Facts& facts = session.context->facts;
  // Processors, on which barriers are slow, take a pixel an item.
  const bool in_tiles =
      facts.info.is_gpu && facts.largest_group >= static_cast<std::size_t>(Tiles::group) &&
      facts.local_bytes >= static_cast<std::size_t>(tiles.numbers) * size_of(out.type);
  const engine::MemoryPtr table = out.type == PixelType::f64
                                      ? table_of<double>(session, pool, weights)
                                      : table_of<float>(session, pool, weights);
  const auto start = [&](const char* text, const char* entry, std::size_t group,
                         std::array<std::int64_t, 2> items, auto second) {
    const int variant = in_tiles && along_x ? 1 : 0;  // pixels are told by an argument
    Kernel kernel = session.programs.kernel(
        fir_operation, text, {static_cast<int>(in.type), static_cast<int>(out.type), variant},
        entry,
        [&] { return message(line_options(session, in.type, out.type), " -D ALONG_X=", variant); });
    if (group > 0) kernel.group = group;
    const auto filter = [&](auto border_value) {
      launch(session, fir_operation, kernel, items, buffer_of(in.memory),
             engine::lines_of(in, axis), buffer_of(out.memory), engine::lines_of(out, axis), second,
             length, count, buffer_of(table), static_cast<cl_long>(weights.size() / 2),
             static_cast<cl_long>(border.kind), border_value);
    };
    if (out.type == PixelType::f64) {
      filter(cl_double{border.value});
    } else {
      filter(static_cast<cl_float>(border.value));
    }
  };
  if (in_tiles) {
    const std::int64_t across = (count + tiles.lines - 1) / tiles.lines;
    const std::int64_t along = (length + tiles.places - 1) / tiles.places;
    start(fir_tiles_text, "filter_tiles", Tiles::group, {across * along * Tiles::group, 1},
          cl_long{along_x ? along : across});
  } else {
    start(fir_pixels_text, "filter_lines", 0, {along_x ? length : count, along_x ? count : length},
          cl_int{along_x});
  }
}

void prefix(Session& session, const engine::View& in, const engine::View& out, engine::Axis axis,
            engine::Prefix kind) {
  constexpr const char* prefix_operation = "prefix sums";
  const bool integer = is_integer(in.type);
  // Sums of integers are no doubles, even though they lie in an image of such.
  if (!integer) require_type(session, PixelType::f64);
  const cl_long length = engine::length_along(in, axis), count = engine::line_count(in, axis);
  const bool along_x = axis == engine::Axis::x;
  const Facts& facts = session.context->facts;
  // Of a group: 1024 work items along y and z, 256 along x, where each has eight pixels at once.
  const auto items = std::min<std::int64_t>(
      along_x ? 256 : 1024, static_cast<std::int64_t>(facts.largest_group) / 16 * 16);
  const std::int64_t numbers = along_x ? 11 * items : items;
  // Processors, on which barriers are slow, take a line an item.
  const bool in_groups = facts.info.is_gpu && items > 0 &&
                         facts.local_bytes >= static_cast<std::size_t>(numbers) * sizeof(cl_ulong);
  constexpr int lines_side_by_side = 16;
  const char* entry = !in_groups ? "sum_lines" : along_x ? "sum_rows" : "sum_columns";
  Kernel kernel = session.programs.kernel(
      prefix_operation, prefix_text,
      {static_cast<int>(in.type),
       (in_groups ? static_cast<int>(items) : 0) * 2 + (along_x ? 1 : 0)},
      entry, [&] {
        return message(common_options(session), " -D IN=", name_of(in.type),
                       integer ? " -D SUM=ulong -D PART=int -D WIDE(part)=(ulong)(long)(part)"
                               : " -D SUM=double -D PART=double -D WIDE(part)=(part)",
                       in_groups ? message(" -D ITEMS=", items, " -D ALONG_X=", along_x ? 1 : 0)
                                 : std::string());
      });
  if (in_groups) kernel.group = static_cast<std::size_t>(items);
  const std::int64_t groups =
      along_x ? count : (count + lines_side_by_side - 1) / lines_side_by_side;
  launch(session, prefix_operation, kernel, {in_groups ? groups * items : count, 1},
         buffer_of(in.memory), engine::lines_of(in, axis), buffer_of(out.memory),
         engine::lines_of(out, axis), length, count, cl_int{kind == engine::Prefix::inclusive});
}

}  // namespace meander::opencl
