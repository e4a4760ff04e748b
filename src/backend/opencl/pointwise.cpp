// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/engines.hpp"
#include "backend/opencl/pointwise_text.hpp"
#include "core/message.hpp"

namespace meander::opencl {

void pointwise(Session& session, engine::Pointwise operation, const engine::View& a,
               const engine::View& b, const engine::View& c, const engine::View& out) {
  constexpr const char* name = "pointwise";
  require_type(session, out.type);
  const Kernel kernel = session.programs.kernel(
      name, pointwise_text, {static_cast<int>(out.type)}, "combine_pixels",
      [&] { return message(common_options(session), " -D REAL=", real_name(out.type)); });
  const engine::View& third = c.memory != nullptr ? c : a;  // an argument must be some buffer
  launch(session, name, kernel, items_for(out), static_cast<cl_int>(operation), buffer_of(a.memory),
         Layout(a), buffer_of(b.memory), Layout(b), buffer_of(third.memory), Layout(third),
         buffer_of(out.memory), Layout(out), cl_long{out.shape.x}, cl_long{out.rows()});
}

}  // namespace meander::opencl
