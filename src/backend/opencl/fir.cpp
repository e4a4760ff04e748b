// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/engines.hpp"
#include "backend/opencl/fir_pixels_text.hpp"
#include "backend/opencl/fir_tiles_text.hpp"
#include "core/message.hpp"
#include "engine/view_lines.hpp"

namespace meander::opencl {
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

constexpr const char* operation = "fir";

template <class Real>
engine::MemoryPtr table_of(Session& session, engine::MemoryPool& pool,
                           std::span<const double> weights) {
  const std::vector<Real> typed(weights.begin(), weights.end());
  return session.tables.on_device(
      session.queue, pool, operation,
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
        operation, text, {static_cast<int>(in.type), static_cast<int>(out.type), variant}, entry,
        [&] { return message(line_options(session, in.type, out.type), " -D ALONG_X=", variant); });
    if (group > 0) kernel.group = group;
    const auto filter = [&](auto border_value) {
      launch(session, operation, kernel, items, buffer_of(in.memory), engine::lines_of(in, axis),
             buffer_of(out.memory), engine::lines_of(out, axis), second, length, count,
             buffer_of(table), static_cast<cl_long>(weights.size() / 2),
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

}  // namespace meander::opencl
