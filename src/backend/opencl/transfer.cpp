// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/engines.hpp"

namespace meander::opencl {
namespace {

/// Rows, slices and their distances in the terms of OpenCL's rectangular copies, which want
/// distances even where there is nothing to be distant from, and slices a whole number of rows
/// apart.
struct Box {
  explicit Box(const engine::View& view)
      : width(static_cast<std::size_t>(view.shape.x) * size_of(view.type)),
        height(static_cast<std::size_t>(view.shape.y)),
        depth(static_cast<std::size_t>(view.shape.z)),
        row(height > 1  ? static_cast<std::size_t>(view.pitch.row)
            : depth > 1 ? static_cast<std::size_t>(view.pitch.slice)
                        : width),
        slice(depth > 1 ? static_cast<std::size_t>(view.pitch.slice) : height * row) {}

  bool rows_are_packed() const { return row == width; }
  /// One long row in place of rows without gaps.
  void merge_rows() {
    width *= height;
    height = 1;
    row = slice;
  }
  bool is_one_copy() const { return slice % row == 0; }

  std::size_t width, height, depth, row, slice;
};

/// Calls `copy(host bytes, device origin, region, host box, device box)` for the fewest pieces that
/// both layouts allow: one per channel, or one per slice.
template <class Copy>
cl_int copy_pieces(const engine::View& host, const engine::View& device, Copy copy) {
  Box there(device), here(host);
  if (there.rows_are_packed() && here.rows_are_packed()) {
    there.merge_rows();
    here.merge_rows();
  }
  const bool whole = there.is_one_copy() && here.is_one_copy();
  const std::int64_t step = whole ? device.shape.z : 1;
  const std::size_t region[] = {there.width, there.height, static_cast<std::size_t>(step)};
  if (!whole) {
    there.slice = there.height * there.row;
    here.slice = here.height * here.row;
  }
  for (int c = 0; c < device.channels; ++c) {
    for (std::int64_t z = 0; z < device.shape.z; z += step) {
      const auto start = static_cast<std::size_t>(device.offset + c * device.pitch.channel +
                                                  z * device.pitch.slice);
      const std::size_t origin[] = {start % there.row, start % there.slice / there.row,
                                    start / there.slice};
      std::byte* bytes =
          host.memory->host + host.offset + c * host.pitch.channel + z * host.pitch.slice;
      if (const cl_int code = copy(bytes, origin, region, here, there)) return code;
    }
  }
  return CL_SUCCESS;
}

constexpr std::size_t no_origin[] = {0, 0, 0};

}  // namespace

void write(Session& session, const engine::View& host, const engine::View& device) {
  session.queue.wait_and("write", [&](cl_command_queue queue) {
    return copy_pieces(host, device,
                       [&](std::byte* bytes, const std::size_t* origin, const std::size_t* region,
                           const Box& here, const Box& there) {
                         return api().clEnqueueWriteBufferRect(
                             queue, buffer_of(device.memory), CL_TRUE, origin, no_origin, region,
                             there.row, there.slice, here.row, here.slice, bytes, 0, nullptr,
                             nullptr);
                       });
  });
}

void read(Session& session, const engine::View& device, const engine::View& host) {
  session.queue.wait_and("read", [&](cl_command_queue queue) {
    return copy_pieces(host, device,
                       [&](std::byte* bytes, const std::size_t* origin, const std::size_t* region,
                           const Box& here, const Box& there) {
                         return api().clEnqueueReadBufferRect(
                             queue, buffer_of(device.memory), CL_TRUE, origin, no_origin, region,
                             there.row, there.slice, here.row, here.slice, bytes, 0, nullptr,
                             nullptr);
                       });
  });
}

}  // namespace meander::opencl
