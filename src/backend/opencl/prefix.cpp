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
      operation, prefix_text,
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
  launch(session, operation, kernel, {in_groups ? groups * items : count, 1}, buffer_of(in.memory),
         engine::lines_of(in, axis), buffer_of(out.memory), engine::lines_of(out, axis), length,
         count, cl_int{kind == engine::Prefix::inclusive});
}

}  // namespace meander::opencl
