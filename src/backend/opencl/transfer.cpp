// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cstring>
#include <vector>

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
void copy_pieces(const engine::View& host, const engine::View& device, Copy copy) {
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
      copy(bytes, origin, region, here, there);
    }
  }
}

constexpr std::size_t no_origin[] = {0, 0, 0};

const char* name_of_copy(bool is_upload) { return is_upload ? "write" : "read"; }

cl_int copy_box(cl_command_queue queue, cl_mem buffer, bool is_upload, cl_bool blocks, char* host,
                const std::size_t* origin, const std::size_t* region,
                std::array<std::size_t, 2> host_pitches, std::array<std::size_t, 2> pitches,
                cl_event* event) {
  return is_upload ? api().clEnqueueWriteBufferRect(queue, buffer, blocks, origin, no_origin,
                                                    region, pitches[0], pitches[1], host_pitches[0],
                                                    host_pitches[1], host, 0, nullptr, event)
                   : api().clEnqueueReadBufferRect(queue, buffer, blocks, origin, no_origin, region,
                                                   pitches[0], pitches[1], host_pitches[0],
                                                   host_pitches[1], host, 0, nullptr, event);
}

/// Rows that lie one after the other in host memory, a copy for each slice; does not wait. Calls
/// `added(event)` for each.
template <class Added>
void copy_rows(Session& session, const engine::View& device, std::int64_t row, std::int64_t count,
               char* host, bool is_upload, const std::shared_ptr<const void>& keep, Added added) {
  const std::size_t width = engine::row_bytes(device);
  // Of a slice of one row the pitch says nothing.
  const std::size_t pitch = device.shape.y > 1 ? static_cast<std::size_t>(device.pitch.row) : width;
  for (const std::int64_t end = row + count; row < end;) {
    const std::int64_t slice_end = (row / device.shape.y + 1) * device.shape.y;
    const auto rows = static_cast<std::size_t>(std::min(end, slice_end) - row);
    const auto start = static_cast<std::size_t>(device.row_offset(row));
    const std::size_t origin[] = {start % pitch, start / pitch, 0}, region[] = {width, rows, 1};
    session.queue.transfer(name_of_copy(is_upload), rows * width, false, keep,
                           [&](cl_command_queue queue, cl_event* event) {
                             const cl_int code =
                                 copy_box(queue, buffer_of(device.memory), is_upload, CL_FALSE,
                                          host, origin, region, {width, 0}, {pitch, 0}, event);
                             if (code == CL_SUCCESS) added(*event);
                             return code;
                           });
    host += rows * width;
    row += static_cast<std::int64_t>(rows);
  }
}

/// Uploads that do not wait are copied on the host before.
constexpr std::size_t small_bytes = std::size_t{64} << 10;

void upload_small(Session& session, const engine::View& host, const engine::View& device) {
  const std::size_t width = engine::row_bytes(host);
  const auto packed = std::make_shared<std::vector<char>>(engine::pixel_bytes(host));
  for (std::int64_t row = 0; row < host.rows(); ++row) {
    std::memcpy(packed->data() + static_cast<std::size_t>(row) * width, host.host_row(row), width);
  }
  copy_rows(session, device, 0, host.rows(), packed->data(), true, packed, [](cl_event) {});
}

}  // namespace

CopyLink::Buffer CopyLink::make(std::size_t bytes) {
  Buffer buffer;
  cl_int code = CL_SUCCESS;
  buffer.memory = api().clCreateBuffer(
      session_.context->handle(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &code);
  if (code != CL_SUCCESS) return {};
  session_.queue.transfer("map", 0, true, nullptr, [&](cl_command_queue queue, cl_event* event) {
    buffer.bytes = static_cast<char*>(api().clEnqueueMapBuffer(queue, buffer.memory, CL_TRUE,
                                                               CL_MAP_READ | CL_MAP_WRITE, 0, bytes,
                                                               0, nullptr, event, &code));
    return code;
  });
  return buffer;
}

void CopyLink::free(Buffer& buffer) {
  if (buffer.arrived != nullptr) api().clReleaseEvent(buffer.arrived);
  api().clReleaseMemObject(buffer.memory);  // which ends the mapping too
}

void CopyLink::start(Buffer& buffer, const engine::View& device, std::int64_t row,
                     std::int64_t count, bool is_upload) {
  copy_rows(session_, device, row, count, buffer.bytes, is_upload, nullptr, [&](cl_event event) {
    if (buffer.arrived != nullptr) api().clReleaseEvent(buffer.arrived);
    api().clRetainEvent(event);
    buffer.arrived = event;
  });
}

void CopyLink::wait(Buffer& buffer) {
  if (buffer.arrived == nullptr) return;
  session_.queue.wait_for(std::exchange(buffer.arrived, nullptr));
}

void CopyLink::copy(const engine::View& host, const engine::View& device, bool is_upload) {
  if (is_upload && engine::pixel_bytes(host) <= small_bytes) {
    return upload_small(session_, host, device);
  }
  copy_pieces(host, device,
              [&](std::byte* bytes, const std::size_t* origin, const std::size_t* region,
                  const Box& here, const Box& there) {
                session_.queue.transfer(
                    name_of_copy(is_upload), region[0] * region[1] * region[2], true, nullptr,
                    [&](cl_command_queue queue, cl_event* event) {
                      return copy_box(queue, buffer_of(device.memory), is_upload, CL_TRUE,
                                      reinterpret_cast<char*>(bytes), origin, region,
                                      {here.row, here.slice}, {there.row, there.slice}, event);
                    });
              });
}

}  // namespace meander::opencl
