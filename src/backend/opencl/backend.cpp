// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <atomic>
#include <utility>

#include "backend/lines/scan_numbers.hpp"
#include "backend/opencl/api.hpp"
#include "backend/opencl/device.hpp"
#include "backend/opencl/engines.hpp"
#include "core/message.hpp"

namespace meander::opencl {
namespace {

engine::Memory allocate(Context& context, std::size_t bytes) {
  if (bytes > context.facts.largest_block) {
    throw OutOfMemory(message(context.name(), " needs a block of ", bytes,
                              " bytes, but its driver allows at most ", context.facts.largest_block,
                              " bytes (CL_DEVICE_MAX_MEM_ALLOC_SIZE)"));
  }
  cl_int code = CL_SUCCESS;
  const cl_mem buffer =
      api().clCreateBuffer(context.handle(), CL_MEM_READ_WRITE, bytes, nullptr, &code);
  if (code != CL_SUCCESS) {
    throw OutOfMemory(
        message(context.name(), " has no ", bytes, " bytes left: ", error_name(code)));
  }
  return {.host = nullptr, .handle = buffer, .bytes = bytes};
}

engine::MemoryPool::Source source_of(Session& session) {
  return {[context = session.context](std::size_t bytes) { return allocate(*context, bytes); },
          [](const engine::Memory& block) {
            api().clReleaseMemObject(static_cast<cl_mem>(block.handle));
          }};
}

class OpenClBackend final : public engine::Backend {
 public:
  explicit OpenClBackend(const Facts& facts)
      : session_(facts),
        copies_(session_),
        pool_(std::make_shared<engine::MemoryPool>(facts.info.name, source_of(session_),
                                                   facts.info.memory_bytes)) {}

  const DeviceInfo& info() const override { return session_.context->facts.info; }
  engine::MemoryPool& pool() override { return *pool_; }
  void finish() override { session_.queue.finish(); }
  double device_seconds(const std::function<void()>& work) override {
    return session_.queue.device_seconds(work);
  }
  bool uses_host_memory() const override { return false; }
  std::int64_t lines_held() const override { return 0; }
  DeviceCounters counters() const override {
    DeviceCounters all = session_.queue.counters();
    all.allocations = pool_->allocations();
    return all;
  }

  void write(const engine::View& host, const engine::View& device) override {
    copies_.upload(host, device);
  }
  void read(const engine::View& device, const engine::View& host) override {
    copies_.download(device, host);
  }
  void convert(const engine::View& in, const engine::View& out,
               const engine::Affine& map) override {
    opencl::convert(session_, in, out, map);
  }
  engine::MemoryPtr reduce(const engine::View& in, double shift, engine::Wanted what) override {
    return opencl::reduce(session_, *pool_, in, shift, what);
  }
  void fetch(std::span<const engine::MemoryPtr> reductions, engine::Sums* results) override {
    opencl::fetch(session_, reductions, results);
  }
  void scan(const engine::View& in, const engine::View& out, engine::Axis axis,
            const engine::Recurrence& recurrence) override {
    opencl::scan(session_, *pool_, in, out, axis, recurrence);
  }
  void scan_part(const engine::View& in, const engine::View& out, const engine::View& state,
                 engine::Axis axis, engine::Direction direction,
                 const engine::Recurrence& recurrence, const engine::LinePart& part) override {
    opencl::scan_part(session_, *pool_, in, out, state, axis, direction, recurrence, part);
  }
  int state_numbers(const engine::Recurrence& recurrence) const override {
    return lines::kept_states * recurrence.states;
  }
  void scan_state(const engine::View& edge, const engine::View& state, engine::Axis axis,
                  engine::StateMap map, const engine::Recurrence& recurrence) override {
    opencl::scan_state(session_, *pool_, edge, state, axis, map, recurrence);
  }
  void fir(const engine::View& in, const engine::View& out, engine::Axis axis,
           std::span<const double> weights, const BorderRule& border) override {
    opencl::fir(session_, *pool_, in, out, axis, weights, border);
  }
  void prefix(const engine::View& in, const engine::View& out, engine::Axis axis,
              engine::Prefix kind) override {
    opencl::prefix(session_, in, out, axis, kind);
  }
  void pointwise(engine::Pointwise operation, const engine::View& a, const engine::View& b,
                 const engine::View& c, const engine::View& out) override {
    opencl::pointwise(session_, operation, a, b, c, out);
  }
  void iterate(const engine::Iteration& work, const engine::View& state,
               const engine::View& scratch, const engine::View& fields) override {
    const std::int64_t fused =
        takes_plain_steps_ ? 1 : iterate_fused(session_, *pool_, work, state, scratch, fields);
    if (fused == 1) opencl::iterate(session_, work, state, scratch, fields, plain_steps_);
    steps_a_pass_ = fused;
  }
  void relax(const engine::Iteration& work, const engine::View& state, const engine::View& fields,
             bool from_zero) override {
    opencl::relax(session_, work, state, fields, from_zero);
  }
  void apply(const engine::Iteration& work, const engine::View& in, const engine::View& fields,
             const engine::View& out) override {
    opencl::apply(session_, work, in, fields, out);
  }
  void transfer(const engine::View& coarse, const engine::View& fine, const engine::View& weight,
                engine::Prolongation how) override {
    opencl::transfer(session_, coarse, fine, weight, how);
  }
  /// OpenCL tells nothing of a memory's speed: by far less than GPUs of ten years ago have.
  std::int64_t steps_at_a_time(const engine::Iteration& work,
                               const engine::View& state) const override {
    constexpr double seconds = 0.06, launch = 1e-5, bytes_per_clock = 2;
    const int numbers = 2 * state.channels + engine::facts_of(work.rule).fields;
    const double bytes = static_cast<double>(state.shape.x * state.shape.y * state.shape.z) *
                         static_cast<double>(size_of(state.type)) * numbers;
    const double rate = session_.context->facts.clocks_per_second * bytes_per_clock;
    return std::max<std::int64_t>(
        1, static_cast<std::int64_t>(seconds / std::max(launch, bytes / rate)));
  }
  std::string iteration_notes() const override {
    const std::int64_t steps = steps_a_pass_;
    return steps == 1 ? "one work item a cell, one launch a step"
                      : message("up to ", steps, " steps a launch, on tiles that overlap");
  }
  bool take_plain_steps(const engine::PlainSteps* how) override {
    if (how != nullptr &&
        how->width * how->height > static_cast<int>(session_.context->facts.largest_group))
      return false;
    takes_plain_steps_ = how != nullptr;
    plain_steps_ = how != nullptr ? *how : engine::PlainSteps{};
    return true;
  }

  void cumulate(const engine::View& pixels, const engine::CumulatedSums& rows,
                const engine::CumulatedSums& blocks) override {
    opencl::cumulate(session_, pixels, rows, blocks);
  }
  void coarsen(const engine::CumulatedSums& fine, const engine::CumulatedSums& coarse) override {
    opencl::coarsen(session_, fine, coarse);
  }
  void sum_edges(const engine::CumulatedSums& sums, std::span<const engine::ContourEdge> edges,
                 engine::RegionSums* results) override {
    opencl::sum_edges(session_, *pool_, sums, edges, results);
  }
  void sum_triangles(const engine::View& pixels, std::span<const engine::ContourTriangle> triangles,
                     engine::RegionSums* results) override {
    opencl::sum_triangles(session_, *pool_, pixels, triangles, results);
  }
  void move_contours(const engine::View& force, const engine::MovingBatch& batch) override {
    opencl::move_contours(session_, *pool_, force, batch);
  }

 private:
  Session session_;
  Copies copies_;
  const std::shared_ptr<engine::MemoryPool> pool_;
  bool takes_plain_steps_ = false;
  engine::PlainSteps plain_steps_;
  std::atomic<std::int64_t> steps_a_pass_ = 1;  ///< Of the last iterate.
};

}  // namespace

void require_type(const Session& session, PixelType type) {
  if (type == PixelType::f64 && !session.has_float64()) {
    throw Unsupported(
        message("device ", session.name(), " has no 64-bit floats, which f64 images need"),
        {.device = session.name()});
  }
}

std::string common_options(const Session& session) {
  return message("-cl-std=CL1.2", session.has_float64() ? " -D WITH_FLOAT64" : "",
                 session.context->facts.has_half_instructions ? " -D HAS_HALF_INSTRUCTIONS" : "");
}

const char* real_name(PixelType type) { return type == PixelType::f64 ? "double" : "float"; }

std::string line_options(const Session& session, PixelType in, PixelType real) {
  return message(common_options(session), " -D IN=", name_of(in), " -D REAL=", real_name(real));
}

std::shared_ptr<engine::Backend> open(const Facts& facts) {
  return std::make_shared<OpenClBackend>(facts);
}

}  // namespace meander::opencl
