// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cuda/backend.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <mutex>
#include <utility>

#include "backend/cuda/copies.hpp"
#include "backend/cuda/kernels.hpp"
#include "backend/cuda/queue.hpp"
#include "backend/cuda/snake_batch.hpp"
#include "backend/lines/scan_numbers_of.hpp"
#include "backend/steps/step_numbers_of.hpp"
#include "core/message.hpp"
#include "engine/view_lines.hpp"

namespace meander::cuda {
namespace {

engine::MemoryPool::Source source_of(const std::shared_ptr<Queue>& queue,
                                     const std::string& device) {
  return {[queue, device](std::size_t bytes) {
            queue->select();
            void* address = nullptr;
            if (cudaMalloc(&address, bytes) != cudaSuccess) {
              cudaGetLastError();  // the failure must not surface again at the next launch
              throw OutOfMemory(message(device, " has no ", bytes, " bytes left"));
            }
            return engine::Memory{.host = nullptr, .handle = address, .bytes = bytes};
          },
          // Waits for what still uses it.
          [](const engine::Memory& block) { cudaFree(block.handle); }, false,
          [queue] {
            queue->select();
            std::size_t left = 0, all = 0;
            if (cudaMemGetInfo(&left, &all) != cudaSuccess) {
              cudaGetLastError();  // a launch will tell
              return std::uint64_t{1} << 62;
            }
            // Blocks are cut from pages, and code takes some.
            constexpr std::uint64_t kept = std::uint64_t{64} << 20;
            return left > kept ? left - kept : 0;
          }};
}

/// Page-locked memory that kernels reach under the same address.
engine::MemoryPool::Source mapped_source(const std::shared_ptr<Queue>& queue,
                                         const std::string& device) {
  return {[queue, device](std::size_t bytes) {
            queue->select();
            void* address = nullptr;
            if (cudaHostAlloc(&address, bytes, cudaHostAllocMapped) != cudaSuccess) {
              cudaGetLastError();
              throw OutOfMemory(message(device, " has no ", bytes, " bytes of mapped memory left"));
            }
            return engine::Memory{
                .host = static_cast<std::byte*>(address), .handle = address, .bytes = bytes};
          },
          [](const engine::Memory& block) { cudaFreeHost(block.handle); }};
}

/// The least that any device has, where the driver does not say.
BlockRoom room_of(int ordinal) {
  int bytes = 48 << 10, processors = 1;
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, ordinal);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, ordinal);
  return {.shared_bytes = static_cast<std::size_t>(bytes), .processors = processors};
}

char* first_pixel(const engine::View& view) {
  return static_cast<char*>(view.memory->handle) + view.offset;
}

Layout layout_of(const engine::View& view) {
  return {.first = first_pixel(view),
          .width = view.shape.x,
          .height = view.shape.y,
          .depth = view.shape.z,
          .rows = view.rows(),
          .row_pitch = view.pitch.row,
          .slice_pitch = view.pitch.slice,
          .channel_pitch = view.pitch.channel};
}

/// Without pixels where there is no view.
Layout layout_or_none(const engine::View& view) {
  return view.memory != nullptr ? layout_of(view) : Layout{};
}

LineLayout line_layout(const engine::View& view, engine::Axis axis) {
  if (view.memory == nullptr) return {};
  return {.block = static_cast<char*>(view.memory->handle),
          .type = static_cast<int>(view.type),
          .lines = engine::lines_of(view, axis)};
}

StepNumbers numbers_of(const engine::Iteration& work, std::int64_t step) {
  StepNumbers all{.border = static_cast<int>(work.neighbours.border.kind),
                  .corner = work.neighbours.corner,
                  .beyond = work.neighbours.border.value};
  std::copy(work.neighbours.axis.begin(), work.neighbours.axis.end(), all.axis);
  std::copy_n(work.of_step(step), engine::facts_of(work.rule).parameters, all.parameters);
  return all;
}
static_assert(StepNumbers::most_parameters == engine::most_parameters);
static_assert(wants_differences == engine::RuleFacts::wants_differences);

ContourGrid grid_of(const engine::CumulatedSums& all) {
  return {.sums = layout_of(all.sums),
          .image_x = all.image.x,
          .image_y = all.image.y,
          .block = all.block,
          .step = all.step,
          .columns = all.columns(),
          .rows = all.rows(),
          .unit = all.unit(),
          .origin = all.origin()};
}
// What kernels read and write as rows of 64-bit words.
static_assert(sizeof(engine::ContourEdge) == 4 * sizeof(std::int64_t));
static_assert(sizeof(engine::ContourTriangle) == 6 * sizeof(std::int64_t));
static_assert(sizeof(engine::RegionSums) == 3 * sizeof(std::uint64_t));

/// Of a block, on every device.
constexpr int most_threads = 1024;

class CudaBackend final : public engine::Backend {
 public:
  CudaBackend(int ordinal, const DeviceInfo& info, double bytes_per_second)
      : info_(info),
        room_(room_of(ordinal)),
        queue_(std::make_shared<Queue>(ordinal, info.name)),
        copies_(*queue_),
        pool_(std::make_shared<engine::MemoryPool>(info.name, source_of(queue_, info.name),
                                                   info.memory_bytes)),
        mapped_(std::make_shared<engine::MemoryPool>(info.name, mapped_source(queue_, info.name),
                                                     info.memory_bytes)),
        bytes_per_second_(bytes_per_second) {}

  const DeviceInfo& info() const override { return info_; }
  engine::MemoryPool& pool() override { return *pool_; }
  void finish() override { queue_->finish(); }
  double device_seconds(const std::function<void()>& work) override {
    return queue_->device_seconds(work);
  }
  bool uses_host_memory() const override { return false; }
  std::int64_t lines_held() const override { return 0; }

  DeviceCounters counters() const override {
    DeviceCounters all = queue_->counters();
    all.allocations = pool_->allocations() + mapped_->allocations();
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
    queue_->run("convert", 1, [&](cudaStream_t stream) {
      return launch_convert(stream, static_cast<int>(in.type), layout_of(in),
                            static_cast<int>(out.type), layout_of(out), map.scale, map.offset,
                            map.is_identity());
    });
  }

  engine::MemoryPtr reduce(const engine::View& in, double shift, Wanted what) override {
    const engine::ReduceChunks cut(in);
    const Chunks chunks{.count = cut.count(),
                        .rows_per_chunk = cut.rows_per_chunk,
                        .chunks_per_row = cut.chunks_per_row,
                        .chunk_numbers = engine::ReduceChunks::chunk_numbers};
    // The nodes of a depth are a power of two, and no more than chunks would be.
    const engine::MemoryPtr partials = pool_->take(
        std::bit_ceil(static_cast<std::size_t>(chunks.count)) * sizeof(engine::Partial));
    engine::MemoryPtr result = mapped_block(sizeof(engine::Partial));
    unsigned* arrived = arrivals();
    queue_->run("reduce", 1, [&](cudaStream_t stream) {
      return launch_reduce(stream, static_cast<int>(in.type), layout_of(in), chunks, shift, what,
                           static_cast<engine::Partial*>(partials->handle), arrived,
                           static_cast<engine::Partial*>(result->handle));
    });
    return result;
  }
  void fetch(std::span<const engine::MemoryPtr> reductions, engine::Sums* results) override {
    queue_->finish();
    for (const engine::MemoryPtr& one : reductions) {
      *results++ = engine::sums_of(*reinterpret_cast<const engine::Partial*>(one->host));
    }
  }

  void scan(const engine::View& in, const engine::View& out, engine::Axis axis,
            const engine::Recurrence& recurrence) override {
    queue_->run("scan", 1, [&](cudaStream_t stream) {
      return launch_scan(stream, line_layout(in, axis), line_layout(out, axis),
                         axis == engine::Axis::x, engine::length_along(in, axis),
                         engine::line_count(in, axis), lines::scan_numbers_of(recurrence), room_);
    });
  }
  int state_numbers(const engine::Recurrence& recurrence) const override {
    return lines::kept_states * recurrence.states;
  }
  void scan_part(const engine::View& in, const engine::View& out, const engine::View& state,
                 engine::Axis axis, engine::Direction direction,
                 const engine::Recurrence& recurrence, const engine::LinePart& part) override {
    queue_->run("scan", 1, [&](cudaStream_t stream) {
      return launch_scan_part(stream, line_layout(in, axis), line_layout(out, axis),
                              line_layout(state, axis), direction == engine::Direction::forward,
                              part.begin, part.length, engine::length_along(in, axis),
                              engine::line_count(in, axis), lines::scan_numbers_of(recurrence));
    });
  }
  void scan_state(const engine::View& edge, const engine::View& state, engine::Axis axis,
                  engine::StateMap map, const engine::Recurrence& recurrence) override {
    queue_->run("scan", 1, [&](cudaStream_t stream) {
      return launch_scan_state(stream, line_layout(edge, axis), line_layout(state, axis),
                               static_cast<ScanMap>(map), engine::line_count(edge, axis),
                               lines::scan_numbers_of(recurrence));
    });
  }
  void fir(const engine::View& in, const engine::View& out, engine::Axis axis,
           std::span<const double> weights, const BorderRule& border) override {
    const auto taps = static_cast<std::int64_t>(weights.size());
    queue_->run("fir", (taps + most_taps - 1) / most_taps, [&](cudaStream_t stream) {
      return launch_fir(stream, line_layout(in, axis), line_layout(out, axis),
                        axis == engine::Axis::x, engine::length_along(in, axis),
                        engine::line_count(in, axis), weights.data(), taps,
                        static_cast<int>(border.kind), border.value);
    });
  }
  void prefix(const engine::View& in, const engine::View& out, engine::Axis axis,
              engine::Prefix kind) override {
    queue_->run("prefix sums", 1, [&](cudaStream_t stream) {
      return launch_prefix(stream, line_layout(in, axis), line_layout(out, axis),
                           axis == engine::Axis::x, engine::length_along(in, axis),
                           engine::line_count(in, axis), kind == engine::Prefix::inclusive);
    });
  }
  void pointwise(engine::Pointwise operation, const engine::View& a, const engine::View& b,
                 const engine::View& c, const engine::View& out) override {
    queue_->run("pointwise", 1, [&](cudaStream_t stream) {
      const bool reads_c = operation == engine::Pointwise::select;
      return launch_pointwise(stream, static_cast<int>(out.type),
                              static_cast<PointOperation>(operation), layout_of(a), layout_of(b),
                              reads_c ? layout_of(c) : Layout{}, layout_of(out));
    });
  }
  void iterate(const engine::Iteration& work, const engine::View& state,
               const engine::View& scratch, const engine::View& fields) override {
    const Layout views[] = {layout_of(state), layout_of(scratch)};
    const Layout third = layout_or_none(fields);
    const int type = static_cast<int>(state.type), rule = static_cast<int>(work.rule);
    if (work.steps > 0 && !takes_plain_steps_) {
      FusedPass pass{.in = views[0],
                     .fields = third,
                     .out = views[1],
                     .numbers = steps::step_numbers_of(work, 0, 1)};
      const FusedKernel fused = fused_kernel(type, rule, pass, room_);
      if (fused.launch != nullptr) return run_passes(work, pass, fused);
    }
    steps_a_pass_ = 1;
    queue_->run("iterate", work.steps, [&](cudaStream_t stream) {
      cudaError_t code = cudaSuccess;
      for (std::int64_t step = 0; step < work.steps && code == cudaSuccess; ++step) {
        if (work.stop.stop_requested()) break;
        code = launch_step(stream, type, rule, views[step % 2], third, views[1 - step % 2],
                           numbers_of(work, step), plain_steps_.width, plain_steps_.height,
                           plain_steps_.is_alone);
      }
      return code;
    });
  }
  void relax(const engine::Iteration& work, const engine::View& state, const engine::View& fields,
             bool from_zero) override {
    const int type = static_cast<int>(state.type), rule = static_cast<int>(work.rule);
    queue_->run("relax", 2 * work.steps + (from_zero ? 1 : 0), [&](cudaStream_t stream) {
      cudaError_t code = from_zero ? launch_clear(stream, type, layout_of(state)) : cudaSuccess;
      for (std::int64_t half = 0; half < 2 * work.steps && code == cudaSuccess; ++half) {
        if (work.stop.stop_requested()) break;
        code = launch_half_sweep(stream, type, rule, layout_of(state), layout_or_none(fields),
                                 static_cast<int>(half % 2), numbers_of(work, half / 2));
      }
      return code;
    });
  }
  void apply(const engine::Iteration& work, const engine::View& in, const engine::View& fields,
             const engine::View& out) override {
    queue_->run("apply", 1, [&](cudaStream_t stream) {
      return launch_apply(stream, static_cast<int>(in.type), static_cast<int>(work.rule),
                          layout_of(in), layout_or_none(fields), layout_of(out),
                          numbers_of(work, 0));
    });
  }
  void transfer(const engine::View& coarse, const engine::View& fine, const engine::View& weight,
                engine::Prolongation how) override {
    queue_->run("transfer", 1, [&](cudaStream_t stream) {
      return launch_transfer(stream, static_cast<int>(fine.type), layout_of(coarse),
                             layout_of(fine), layout_or_none(weight),
                             how == engine::Prolongation::add);
    });
  }
  /// A step moves its numbers once, or takes as long as a launch; a quarter of the memory's speed
  /// is reached by any rule on any grid.
  std::int64_t steps_at_a_time(const engine::Iteration& work,
                               const engine::View& state) const override {
    constexpr double seconds = 0.06, launch = 4e-6;
    const int numbers = 2 * state.channels + engine::facts_of(work.rule).fields;
    const double bytes = static_cast<double>(state.shape.x * state.shape.y * state.shape.z) *
                         static_cast<double>(size_of(state.type)) * numbers;
    return std::max<std::int64_t>(
        1, static_cast<std::int64_t>(seconds / std::max(launch, 4 * bytes / bytes_per_second_)));
  }
  std::string iteration_notes() const override {
    const std::int64_t steps = steps_a_pass_;
    return steps == 1 ? "one launch a step"
                      : message("up to ", steps, " steps a launch, on tiles that overlap");
  }
  bool take_plain_steps(const engine::PlainSteps* how) override {
    if (how != nullptr && how->width * how->height > most_threads) return false;
    takes_plain_steps_ = how != nullptr;
    plain_steps_ = how != nullptr ? *how : engine::PlainSteps{};
    return true;
  }

  void cumulate(const engine::View& pixels, const engine::CumulatedSums& rows,
                const engine::CumulatedSums& blocks) override {
    for (const engine::CumulatedSums* sums : {&rows, &blocks}) {
      if (sums->sums.memory == nullptr) continue;
      queue_->run("cumulate", 2, [&](cudaStream_t stream) {
        return launch_cumulate(stream, static_cast<int>(pixels.type), layout_of(pixels),
                               grid_of(*sums));
      });
    }
  }
  void coarsen(const engine::CumulatedSums& fine, const engine::CumulatedSums& coarse) override {
    queue_->run("coarsen", 1, [&](cudaStream_t stream) {
      return launch_coarsen(stream, grid_of(fine), grid_of(coarse));
    });
  }
  void sum_edges(const engine::CumulatedSums& sums, std::span<const engine::ContourEdge> edges,
                 engine::RegionSums* results) override {
    const bool reads_pixels = sums.step > 1;
    const PixelType type = reads_pixels ? sums.pixels.type : PixelType::u8;
    sum_shapes("sum edges", edges, results,
               [&](cudaStream_t stream, const std::int64_t* in, std::uint64_t* out) {
                 return launch_sum_edges(stream, grid_of(sums), static_cast<int>(type),
                                         layout_or_none(sums.pixels), in,
                                         static_cast<std::int64_t>(edges.size()), out);
               });
  }
  void sum_triangles(const engine::View& pixels, std::span<const engine::ContourTriangle> triangles,
                     engine::RegionSums* results) override {
    sum_shapes("sum triangles", triangles, results,
               [&](cudaStream_t stream, const std::int64_t* in, std::uint64_t* out) {
                 return launch_sum_triangles(stream, static_cast<int>(pixels.type),
                                             layout_of(pixels), grid_steps_per_pixel, in,
                                             static_cast<std::int64_t>(triangles.size()), out);
               });
  }
  void move_contours(const engine::View& force, const engine::MovingBatch& batch) override {
    cuda::move_contours(*queue_, *pool_, layout_of(force), batch);
  }

 private:
  /// Of the next power of two, so that tables of every length find one that is there already.
  engine::MemoryPtr mapped_block(std::size_t bytes) {
    return mapped_->take(std::max<std::size_t>(256, std::bit_ceil(bytes)));
  }
  void run_passes(const engine::Iteration& work, FusedPass pass, const FusedKernel& fused) {
    const steps::Passes passes(work.steps, fused.most_steps);
    steps_a_pass_ = fused.most_steps;
    queue_->run("iterate", passes.count, [&](cudaStream_t stream) {
      cudaError_t code = cudaSuccess;
      for (std::int64_t i = 0; i < passes.count && code == cudaSuccess; ++i) {
        if (work.stop.stop_requested()) break;
        const std::int64_t first = passes.before(i);
        pass.numbers = steps::step_numbers_of(work, first, passes.before(i + 1) - first);
        pass.is_first = i == 0;
        code = fused.launch(stream, pass, room_);
        std::swap(pass.in, pass.out);
      }
      return code;
    });
  }
  /// A counter that is 0 between reductions.
  unsigned* arrivals() {
    const std::lock_guard lock(arrivals_mutex_);
    if (arrivals_ == nullptr) {
      const engine::MemoryPtr made = pool_->take(sizeof(unsigned));
      queue_->run("reduce", 0, [&](cudaStream_t stream) {
        return cudaMemsetAsync(made->handle, 0, sizeof(unsigned), stream);
      });
      arrivals_ = made;
    }
    return static_cast<unsigned*>(arrivals_->handle);
  }

  /// Shapes into mapped memory, `start` over them, its results from there. Waits.
  template <class Shape, class Start>
  void sum_shapes(const char* operation, std::span<const Shape> shapes, engine::RegionSums* results,
                  Start start) {
    if (shapes.empty()) return;
    const std::size_t bytes = shapes.size() * sizeof(engine::RegionSums);
    const engine::MemoryPtr in = mapped_block(shapes.size_bytes()), out = mapped_block(bytes);
    std::memcpy(in->host, shapes.data(), shapes.size_bytes());
    queue_->run(operation, 1, [&](cudaStream_t stream) {
      return start(stream, static_cast<const std::int64_t*>(in->handle),
                   static_cast<std::uint64_t*>(out->handle));
    });
    queue_->finish();
    std::memcpy(results, out->host, bytes);
  }

  const DeviceInfo info_;
  const BlockRoom room_;
  const std::shared_ptr<Queue> queue_;
  Copies copies_;
  const std::shared_ptr<engine::MemoryPool> pool_;
  const std::shared_ptr<engine::MemoryPool> mapped_;
  std::mutex arrivals_mutex_;
  engine::MemoryPtr arrivals_;
  const double bytes_per_second_;
  bool takes_plain_steps_ = false;
  engine::PlainSteps plain_steps_;
  std::atomic<std::int64_t> steps_a_pass_ = 1;  ///< Of the last iterate.
};

}  // namespace

std::shared_ptr<engine::Backend> open(int ordinal, const DeviceInfo& info,
                                      double bytes_per_second) {
  return std::make_shared<CudaBackend>(ordinal, info, bytes_per_second);
}

}  // namespace meander::cuda
