// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/engines.hpp"
#include "backend/opencl/fir_text.hpp"
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
  const Kernel kernel = session.programs.kernel(
      operation, fir_text, {static_cast<int>(in.type), static_cast<int>(out.type)}, "filter_lines",
      [&] { return line_options(session, in.type, out.type); });
  const auto filter = [&](auto border_value) {
    launch(session, operation, kernel, {along_x ? length : count, along_x ? count : length},
           buffer_of(in.memory), engine::lines_of(in, axis), buffer_of(out.memory),
           engine::lines_of(out, axis), cl_int{along_x}, length, count, buffer_of(weights.memory),
           cl_long{weights.offset}, cl_long{weights.shape.x / 2}, static_cast<cl_long>(border.kind),
           border_value);
  };
  if (out.type == PixelType::f64) {
    filter(cl_double{border.value});
  } else {
    filter(static_cast<cl_float>(border.value));
  }
}

}  // namespace meander::opencl
