// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/engines.hpp"
#include "backend/opencl/fir_text.hpp"
#include "core/message.hpp"
#include "engine/view_lines.hpp"

namespace meander::opencl {

void fir(Session& session, const engine::View& in, const engine::View& out, engine::Axis axis,
         const engine::View& weights, const BorderRule& border) {
  constexpr const char* operation = "fir";
  require_type(session, in.type);
  require_type(session, out.type);
  const cl_long length = engine::length_along(in, axis);
  const cl_long count = engine::line_count(in, axis);
  const bool along_x = axis == engine::Axis::x;
  // Of filter_tiles; processors, on which barriers are slow, take a pixel an item.
  constexpr std::int64_t group = 256;
  const std::int64_t lines = along_x ? 8 : 32, places = group / lines * 8;
  const std::int64_t across = (count + lines - 1) / lines, along = (length + places - 1) / places;
  Kernel kernel;
  const auto find = [&](const char* entry) {
    kernel = session.programs.kernel(
        operation, fir_text,
        {static_cast<int>(in.type), static_cast<int>(out.type), along_x ? 1 : 0}, entry, [&] {
          return message(line_options(session, in.type, out.type), " -D ALONG_X=", along_x ? 1 : 0);
        });
  };
  if (session.context->facts.info.is_gpu) find("filter_tiles");
  const bool in_tiles = kernel.largest >= group;
  if (in_tiles) {
    kernel.group = group;
  } else {
    find("filter_lines");
  }
  const std::array<std::int64_t, 2> items =
      in_tiles ? std::array<std::int64_t, 2>{across * along * group, 1}
               : std::array<std::int64_t, 2>{along_x ? length : count, along_x ? count : length};
  const auto start = [&](auto second, auto border_value) {
    launch(session, operation, kernel, items, buffer_of(in.memory), engine::lines_of(in, axis),
           buffer_of(out.memory), engine::lines_of(out, axis), second, length, count,
           buffer_of(weights.memory), cl_long{weights.offset}, cl_long{weights.shape.x / 2},
           static_cast<cl_long>(border.kind), border_value);
  };
  const auto filter = [&](auto border_value) {
    if (in_tiles) {
      start(cl_long{along_x ? along : across}, border_value);
    } else {
      start(cl_int{along_x}, border_value);
    }
  };
  if (out.type == PixelType::f64) {
    filter(cl_double{border.value});
  } else {
    filter(static_cast<cl_float>(border.value));
  }
}

}  // namespace meander::opencl
