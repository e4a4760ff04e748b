// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/engines.hpp"
#include "backend/opencl/prefix_text.hpp"
#include "core/message.hpp"
#include "engine/view_lines.hpp"

namespace meander::opencl {

void prefix(Session& session, const engine::View& in, const engine::View& out, engine::Axis axis,
            engine::Prefix kind) {
  constexpr const char* operation = "prefix sums";
  const bool integer = is_integer(in.type);
  // Sums of integers are no doubles, even though they lie in an image of such.
  if (!integer) require_type(session, PixelType::f64);
  const Kernel kernel = session.programs.kernel(
      operation, prefix_text, {static_cast<int>(in.type)}, "sum_lines", [&] {
        return message(common_options(session), " -D IN=", name_of(in.type),
                       " -D SUM=", integer ? "ulong" : "double");
      });
  const cl_long count = engine::line_count(in, axis);
  launch(session, operation, kernel, {count, 1}, buffer_of(in.memory), engine::lines_of(in, axis),
         buffer_of(out.memory), engine::lines_of(out, axis),
         cl_long{engine::length_along(in, axis)}, count, cl_int{kind == engine::Prefix::inclusive});
}

}  // namespace meander::opencl
