// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/host.hpp"

#include <algorithm>
#include <utility>

#include "core/host_memory.hpp"
#include "core/host_queue.hpp"

namespace meander::engine {
namespace {

class HostBackend final : public Backend {
 public:
  HostBackend(DeviceInfo info, const HostEngines& engines)
      : info_(std::move(info)), engines_(engines) {}

  const DeviceInfo& info() const override { return info_; }
  MemoryPool& pool() override { return *host_pool(); }
  DeviceCounters counters() const override {
    return {.launches = queue_.launches(), .allocations = host_pool()->allocations()};
  }
  void finish() override { queue_.finish(); }
  bool uses_host_memory() const override { return true; }
  std::int64_t lines_held() const override { return engines_.lines_held(); }

  void write(const View& host, const View& device) override {
    finish();
    copy_pixels(host, device);
  }
  void read(const View& device, const View& host) override {
    finish();
    copy_pixels(device, host);
  }

  void convert(const View& in, const View& out, const Affine& map) override {
    queue_.run("convert", {in.memory, out.memory}, [=, this] { engines_.convert(in, out, map); });
  }

  MemoryPtr reduce(const View& in, double shift, Wanted what) override {
    MemoryPtr result = pool().take(sizeof(Sums));
    queue_.run("reduce", {in.memory, result}, [=, this] {
      *reinterpret_cast<Sums*>(result->host) = engines_.reduce(in, shift, what);
    });
    return result;
  }
  void fetch(std::span<const MemoryPtr> reductions, Sums* results) override {
    finish();
    for (const MemoryPtr& one : reductions) *results++ = *reinterpret_cast<const Sums*>(one->host);
  }

  void scan(const View& in, const View& out, Axis axis, const Recurrence& recurrence) override {
    queue_.run("scan", {in.memory, out.memory},
               [=, this] { engines_.scan(in, out, axis, recurrence); });
  }
  void scan_part(const View& in, const View& out, const View& state, Axis axis, Direction direction,
                 const Recurrence& recurrence, const LinePart&) override {
    queue_.run("scan", {in.memory, out.memory, state.memory},
               [=, this] { engines_.scan_part(in, out, state, axis, direction, recurrence); });
  }
  void scan_state(const View& edge, const View& state, Axis axis, StateMap map,
                  const Recurrence& recurrence) override {
    queue_.run("scan", {edge.memory, state.memory},
               [=, this] { engines_.scan_state(edge, state, axis, map, recurrence); });
  }
  void fir(const View& in, const View& out, Axis axis, std::span<const double> weights,
           const BorderRule& border) override {
    queue_.run("fir", {in.memory, out.memory},
               [=, this, kept = std::vector<double>(weights.begin(), weights.end())] {
                 engines_.fir(in, out, axis, kept, border);
               });
  }
  void prefix(const View& in, const View& out, Axis axis, Prefix kind) override {
    queue_.run("prefix sums", {in.memory, out.memory},
               [=, this] { engines_.prefix(in, out, axis, kind); });
  }
  void pointwise(Pointwise operation, const View& a, const View& b, const View& c,
                 const View& out) override {
    queue_.run("pointwise", {a.memory, b.memory, c.memory, out.memory},
               [=, this] { engines_.pointwise(operation, a, b, c, out); });
  }
  void iterate(const Iteration& work, const View& state, const View& scratch,
               const View& fields) override {
    queue_.run("iterate", {state.memory, scratch.memory, fields.memory},
               [=, this] { engines_.iterate(work, state, scratch, fields); });
  }
  void relax(const Iteration& work, const View& state, const View& fields,
             bool from_zero) override {
    queue_.run("relax", {state.memory, fields.memory},
               [=, this] { engines_.relax(work, state, fields, from_zero); });
  }
  void apply(const Iteration& work, const View& in, const View& fields, const View& out) override {
    queue_.run("apply", {in.memory, fields.memory, out.memory},
               [=, this] { engines_.apply(work, in, fields, out); });
  }
  void transfer(const View& coarse, const View& fine, const View& weight,
                Prolongation how) override {
    queue_.run("transfer", {coarse.memory, fine.memory, weight.memory},
               [=, this] { engines_.transfer(coarse, fine, weight, how); });
  }
  /// Half a second of some processors.
  std::int64_t steps_at_a_time(const Iteration& /*work*/, const View& state) const override {
    constexpr std::int64_t cells = 512 << 20;
    return std::max<std::int64_t>(32, cells / (state.shape.x * state.shape.y * state.shape.z));
  }
  std::string iteration_notes() const override { return engines_.iteration_notes(); }

  void cumulate(const View& pixels, const CumulatedSums& rows,
                const CumulatedSums& blocks) override {
    queue_.run("cumulate", {pixels.memory, rows.sums.memory, blocks.sums.memory},
               [=, this] { engines_.cumulate(pixels, rows, blocks); });
  }
  void coarsen(const CumulatedSums& fine, const CumulatedSums& coarse) override {
    queue_.run("coarsen", {fine.sums.memory, coarse.sums.memory},
               [=, this] { engines_.coarsen(fine, coarse); });
  }
  void sum_edges(const CumulatedSums& sums, std::span<const ContourEdge> edges,
                 RegionSums* results) override {
    finish();
    engines_.sum_edges(sums, edges, results);
  }
  void sum_triangles(const View& pixels, std::span<const ContourTriangle> triangles,
                     RegionSums* results) override {
    finish();
    engines_.sum_triangles(pixels, triangles, results);
  }
  void move_contours(const View& force, const MovingBatch& batch) override {
    finish();
    engines_.move_contours(force, batch);
  }

 private:
  const DeviceInfo info_;
  const HostEngines engines_;
  HostQueue queue_;
};

}  // namespace

std::shared_ptr<Backend> make_host_backend(DeviceInfo info, const HostEngines& engines) {
  return std::make_shared<HostBackend>(std::move(info), engines);
}

}  // namespace meander::engine
