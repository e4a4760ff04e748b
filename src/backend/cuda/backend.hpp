// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "backend/cuda/copies.hpp"
#include "backend/cuda/kernels.hpp"
#include "backend/cuda/queue.hpp"
#include "engine/backend.hpp"
#include "engine/view_lines.hpp"

namespace meander::cuda {

inline char* first_pixel(const engine::View& view) {
  return static_cast<char*>(view.memory->handle) + view.offset;
}

inline Layout layout_of(const engine::View& view) {
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
inline Layout layout_or_none(const engine::View& view) {
  return view.memory != nullptr ? layout_of(view) : Layout{};
}

inline LineLayout line_layout(const engine::View& view, engine::Axis axis) {
  if (view.memory == nullptr) return {};
  return {.block = static_cast<char*>(view.memory->handle),
          .type = static_cast<int>(view.type),
          .lines = engine::lines_of(view, axis)};
}

/// Device `ordinal`; its context is made at first use. The rate is that of its memory, as the
/// driver tells it.
class CudaBackend final : public engine::Backend {
 public:
  CudaBackend(int ordinal, const DeviceInfo& info, double bytes_per_second);

  const DeviceInfo& info() const override { return info_; }
  engine::MemoryPool& pool() override { return *pool_; }
  void finish() override { queue_->finish(); }
  double device_seconds(const std::function<void()>& work) override;
  bool uses_host_memory() const override { return false; }
  std::int64_t lines_held() const override { return 0; }
  DeviceCounters counters() const override;

  void write(const engine::View& host, const engine::View& device) override;
  void read(const engine::View& device, const engine::View& host) override;
  void convert(const engine::View& in, const engine::View& out, const engine::Affine& map) override;
  engine::MemoryPtr reduce(const engine::View& in, double shift, Wanted what) override;
  void fetch(std::span<const engine::MemoryPtr> reductions, engine::Sums* results) override;
  void scan(const engine::View& in, const engine::View& out, engine::Axis axis,
            const engine::Recurrence& recurrence) override;
  int state_numbers(const engine::Recurrence& recurrence) const override;
  void scan_part(const engine::View& in, const engine::View& out, const engine::View& state,
                 engine::Axis axis, engine::Direction direction,
                 const engine::Recurrence& recurrence, const engine::LinePart& part) override;
  void scan_state(const engine::View& edge, const engine::View& state, engine::Axis axis,
                  engine::StateMap map, const engine::Recurrence& recurrence) override;
  void fir(const engine::View& in, const engine::View& out, engine::Axis axis,
           std::span<const double> weights, const BorderRule& border) override;
  void prefix(const engine::View& in, const engine::View& out, engine::Axis axis,
              engine::Prefix kind) override;
  void pointwise(engine::Pointwise operation, const engine::View& a, const engine::View& b,
                 const engine::View& c, const engine::View& out) override;
  void iterate(const engine::Iteration& work, const engine::View& state,
               const engine::View& scratch, const engine::View& fields) override;
  void relax(const engine::Iteration& work, const engine::View& state, const engine::View& fields,
             bool from_zero) override;
  void apply(const engine::Iteration& work, const engine::View& in, const engine::View& fields,
             const engine::View& out) override;
  void transfer(const engine::View& coarse, const engine::View& fine, const engine::View& weight,
                engine::Prolongation how) override;
  std::int64_t steps_at_a_time(const engine::Iteration& work,
                               const engine::View& state) const override;
  std::string iteration_notes() const override;
  bool take_plain_steps(const engine::PlainSteps* how) override;

  void cumulate(const engine::View& pixels, const engine::CumulatedSums& rows,
                const engine::CumulatedSums& blocks) override;
  void coarsen(const engine::CumulatedSums& fine, const engine::CumulatedSums& coarse) override;
  void sum_edges(const engine::CumulatedSums& sums, std::span<const engine::ContourEdge> edges,
                 engine::RegionSums* results) override;
  void sum_triangles(const engine::View& pixels, std::span<const engine::ContourTriangle> triangles,
                     engine::RegionSums* results) override;
  void move_contours(const engine::View& force, const engine::MovingBatch& batch) override;

 private:
  /// Of the next power of two, so that tables of every length find one that is there already.
  engine::MemoryPtr mapped_block(std::size_t bytes);
  void run_passes(const engine::Iteration& work, FusedPass pass, const FusedKernel& fused);
  /// A counter that is 0 between reductions.
  unsigned* arrivals();
  /// Shapes into mapped memory, `start` over them, its results from there. Waits.
  template <class Shape, class Start>
  void sum_shapes(const char* operation, std::span<const Shape> shapes, engine::RegionSums* results,
                  Start start);

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

}  // namespace meander::cuda
