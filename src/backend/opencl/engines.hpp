// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "backend/opencl/device.hpp"
#include "backend/opencl/programs.hpp"
#include "backend/opencl/queue.hpp"
#include "backend/staged_copies.hpp"
#include "engine/backend.hpp"

namespace meander::opencl {

/// Small tables that kernels read, kept on the device: the same work asks for the same ones.
class Tables {
 public:
  engine::MemoryPtr on_device(Queue& queue, engine::MemoryPool& pool, const char* operation,
                              std::string table) {
    const std::lock_guard lock(mutex_);
    // A queue that failed may have dropped what was on its way.
    if (std::exchange(failures_, queue.failures()) != queue.failures()) known_.clear();
    if (const auto found = known_.find(table); found != known_.end()) return found->second;
    if (known_.size() >= most_kept) known_.clear();
    const engine::MemoryPtr made = pool.take(table.size());
    queue.upload(operation, static_cast<cl_mem>(made->handle), table.data(), table.size());
    return known_[std::move(table)] = made;
  }

 private:
  static constexpr std::size_t most_kept = 64;
  std::mutex mutex_;
  std::int64_t failures_ = 0;
  std::map<std::string, engine::MemoryPtr> known_;
};

/// What the engines of one device work with.
struct Session {
  explicit Session(const Facts& facts)
      : context(std::make_shared<Context>(facts)), queue(context), programs(context) {}
  const std::shared_ptr<Context> context;
  Queue queue;
  Programs programs;
  Tables tables;

  const std::string& name() const { return context->name(); }
  bool has_float64() const { return context->facts.info.has_float64; }
};

/// How a view lies in its block, as kernels see it: `layout` in pixel.cl.
struct Layout {
  explicit Layout(const engine::View& view)
      : offset(view.offset),
        row(view.pitch.row),
        slice(view.pitch.slice),
        channel(view.pitch.channel),
        height(view.shape.y),
        depth(view.shape.z) {}
  cl_long offset, row, slice, channel, height, depth;
};

inline cl_mem buffer_of(const engine::MemoryPtr& memory) {
  return static_cast<cl_mem>(memory->handle);
}

/// An argument that is local memory of a group.
struct LocalBytes {
  std::size_t count;
};

/// Some drivers take no more groups than this along the second axis.
constexpr std::int64_t most_groups = 32768;

/// Enqueues a kernel over `items` work items along each axis, the first rounded up to whole groups,
/// the second cut to `most_groups`: kernels stride over what is left.
template <class... Arguments>
void launch(Session& session, const char* operation, const Kernel& kernel,
            std::array<std::int64_t, 2> items, const Arguments&... arguments) {
  session.queue.run(operation, [&](cl_command_queue queue, cl_event* event) {
    cl_uint index = 0;
    cl_int code = CL_SUCCESS;
    [[maybe_unused]] const auto set = [&]<class T>(const T& value) {
      cl_int result = CL_SUCCESS;
      if constexpr (std::is_same_v<T, LocalBytes>) {
        result = api().clSetKernelArg(kernel.handle, index++, value.count, nullptr);
      } else {
        result = api().clSetKernelArg(kernel.handle, index++, sizeof(value), &value);
      }
      code = code == CL_SUCCESS ? result : code;
    };
    (set(arguments), ...);
    if (code != CL_SUCCESS) return code;
    const std::size_t local[] = {kernel.group, kernel.rows};
    const auto whole = [](std::int64_t count, std::size_t part) {
      return (static_cast<std::size_t>(count) + part - 1) / part * part;
    };
    const std::size_t global[] = {whole(items[0], kernel.group),
                                  whole(std::min(items[1], most_groups), kernel.rows)};
    return api().clEnqueueNDRangeKernel(queue, kernel.handle, 2, nullptr, global, local, 0, nullptr,
                                        event);
  });
}

/// The items of a launch in which shapes have a group each.
inline std::array<std::int64_t, 2> one_group_each(const Kernel& kernel, std::int64_t shapes) {
  return {static_cast<std::int64_t>(kernel.group), shapes};
}

/// A work item takes several numbers of a row, a launch apart, because finding the row costs more
/// than converting a number.
inline std::array<std::int64_t, 2> items_for(const engine::View& view) {
  constexpr std::int64_t numbers_per_item = 8;
  return {(view.shape.x + numbers_per_item - 1) / numbers_per_item, view.rows()};
}

/// Throws Unsupported for f64 on a device without it.
void require_type(const Session& session, PixelType type);
/// What every program is compiled with.
std::string common_options(const Session& session);
/// The arithmetic that writes images of type f32 or f64, in the words of OpenCL.
const char* real_name(PixelType type);
/// Options of programs that read lines of `in` and compute in the type `real`.
std::string line_options(const Session& session, PixelType in, PixelType real);

/// What StagedCopies wants of a device.
class CopyLink {
 public:
  struct Buffer {
    char* bytes = nullptr;
    cl_mem memory = nullptr;
    cl_event arrived = nullptr;  ///< Of its last copy, null where none is under way.
  };
  explicit CopyLink(Session& session) : session_(session) {}

  Buffer make(std::size_t bytes);
  void free(Buffer& buffer);
  void start(Buffer& buffer, const engine::View& device, std::int64_t row, std::int64_t count,
             bool is_upload);
  void wait(Buffer& buffer);
  void copy(const engine::View& host, const engine::View& device, bool is_upload);

 private:
  Session& session_;
};
using Copies = engine::StagedCopies<CopyLink>;

void convert(Session& session, const engine::View& in, const engine::View& out,
             const engine::Affine& map);
engine::MemoryPtr reduce(Session& session, engine::MemoryPool& pool, const engine::View& in,
                         double shift, engine::Wanted what);
void fetch(Session& session, std::span<const engine::MemoryPtr> reductions, engine::Sums* results);
void scan(Session& session, engine::MemoryPool& pool, const engine::View& in,
          const engine::View& out, engine::Axis axis, const engine::Recurrence& recurrence);
void scan_part(Session& session, engine::MemoryPool& pool, const engine::View& in,
               const engine::View& out, const engine::View& state, engine::Axis axis,
               engine::Direction direction, const engine::Recurrence& recurrence,
               const engine::LinePart& part);
void scan_state(Session& session, engine::MemoryPool& pool, const engine::View& edge,
                const engine::View& state, engine::Axis axis, engine::StateMap map,
                const engine::Recurrence& recurrence);
void fir(Session& session, engine::MemoryPool& pool, const engine::View& in,
         const engine::View& out, engine::Axis axis, std::span<const double> weights,
         const BorderRule& border);
void prefix(Session& session, const engine::View& in, const engine::View& out, engine::Axis axis,
            engine::Prefix kind);
void pointwise(Session& session, engine::Pointwise operation, const engine::View& a,
               const engine::View& b, const engine::View& c, const engine::View& out);
void iterate(Session& session, const engine::Iteration& work, const engine::View& state,
             const engine::View& scratch, const engine::View& fields,
             const engine::PlainSteps& how);
/// Several steps in each pass, where the device and the work allow it: how many at most; 1: nothing
/// was done.
std::int64_t iterate_fused(Session& session, engine::MemoryPool& pool,
                           const engine::Iteration& work, const engine::View& state,
                           const engine::View& scratch, const engine::View& fields);
void relax(Session& session, const engine::Iteration& work, const engine::View& state,
           const engine::View& fields, bool from_zero);
void apply(Session& session, const engine::Iteration& work, const engine::View& in,
           const engine::View& fields, const engine::View& out);
void transfer(Session& session, const engine::View& coarse, const engine::View& fine,
              const engine::View& weight, engine::Prolongation how);
void cumulate(Session& session, const engine::View& pixels, const engine::CumulatedSums& rows,
              const engine::CumulatedSums& blocks);
void coarsen(Session& session, const engine::CumulatedSums& fine,
             const engine::CumulatedSums& coarse);
void sum_edges(Session& session, engine::MemoryPool& pool, const engine::CumulatedSums& sums,
               std::span<const engine::ContourEdge> edges, engine::RegionSums* results);
void sum_triangles(Session& session, engine::MemoryPool& pool, const engine::View& pixels,
                   std::span<const engine::ContourTriangle> triangles, engine::RegionSums* results);
void move_contours(Session& session, engine::MemoryPool& pool, const engine::View& force,
                   const engine::MovingBatch& batch);

}  // namespace meander::opencl
