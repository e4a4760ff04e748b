// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "engine/contour.hpp"
#include "engine/convert.hpp"
#include "engine/reduce.hpp"
#include "engine/scan.hpp"
#include "engine/snake.hpp"
#include "engine/stencil.hpp"
#include "engine/view.hpp"

/// The contract every backend fulfils.
///
/// Engine calls enqueue on the device's in-order queue and return; the queue keeps every block of a
/// call alive until it has run. `fetch`, `read`, `finish`, `sum_edges`, `sum_triangles` and
/// `move_contours` are the only waits. A failure that surfaces at a wait is thrown there as
/// DeviceError naming the operation that was in flight. Views of one call are on this device, of
/// equal shape and channel count: callers in src/filter check that.
namespace meander::engine {

class Backend {
 public:
  virtual ~Backend() = default;

  virtual const DeviceInfo& info() const = 0;
  virtual MemoryPool& pool() = 0;
  virtual DeviceCounters counters() const = 0;
  virtual void finish() = 0;
  /// Runs `work` and waits for it: the seconds that passed on the device from what it enqueued
  /// first to what it enqueued last, by the device's own clock; 0 where there is none to ask.
  virtual double device_seconds(const std::function<void()>& work) {
    work();
    finish();
    return 0;
  }
  /// Whether its blocks are ordinary host memory, so that upload and download need no copy.
  virtual bool uses_host_memory() const = 0;
  /// Lines that scan and fir hold at a time, all threads together, in blocks of the pool besides
  /// their operands; 0 where they need none. Of each line they hold its pixels (of a sum twice),
  /// its taps and at most scan_overhead numbers more.
  virtual std::int64_t lines_held() const = 0;

  /// Copies between a view in host memory and one on this device, same type; both wait.
  virtual void write(const View& host, const View& device) = 0;
  virtual void read(const View& device, const View& host) = 0;

  /// out = map(in), number by number, any pair of types. In place is allowed when the types are
  /// equal.
  virtual void convert(const View& in, const View& out, const Affine& map) = 0;

  /// Starts a reduction of `in - shift`; the result stays on the device until it is fetched.
  /// Integer pixels, whose sums are exact, are not shifted: their `shift` is 0. What is not wanted
  /// a backend may leave as it likes.
  virtual MemoryPtr reduce(const View& in, double shift, Wanted what) = 0;
  /// The results of several reductions, with one wait.
  virtual void fetch(std::span<const MemoryPtr> reductions, Sums* results) = 0;
  Sums reduced(const View& in, Wanted what, double shift = 0) {
    const MemoryPtr reduction = reduce(in, shift, what);
    Sums result;
    fetch({&reduction, 1}, &result);
    return result;
  }

  /// Both passes of a recurrence along every line; see Recurrence. `in` is u8, u16, i16, f32 or,
  /// when `out` is, f64; `out` is f32 or f64. In place is allowed when the types are equal, except
  /// for sums on devices without host memory.
  virtual void scan(const View& in, const View& out, Axis axis, const Recurrence& recurrence) = 0;

  /// One pass over part of every line, from the states it had where it came from to those where it
  /// leaves; borders are the caller's affair (scan_state). `state` has the type of `out` and its
  /// shape, but `state_numbers` pixels along the axis, of which the first `recurrence.states` are
  /// the state before the first part and after the last. Without `out` (no memory) only the states
  /// go on, in the arithmetic of `state`, and `part` does not matter. Backward writes `out`;
  /// forward of a cascade reads `in` and writes `out`, in place or not; forward of a sum reads `in`
  /// and adds to `out`.
  virtual void scan_part(const View& in, const View& out, const View& state, Axis axis,
                         Direction direction, const Recurrence& recurrence,
                         const LinePart& part) = 0;
  /// What is kept of a line between parts: its state, and what stretches lacked.
  virtual int state_numbers(const Recurrence& recurrence) const { return recurrence.states; }
  /// `edge` has one pixel along the axis: r of each line; same types as the `in` of a scan.
  virtual void scan_state(const View& edge, const View& state, Axis axis, StateMap map,
                          const Recurrence& recurrence) = 0;

  /// out[n] = Σ weights[k]·in[n - radius + k] along every line; `weights` are 2·radius + 1 and
  /// become numbers of the type of `out`. Types as for scan. In place is allowed on
  /// devices with host memory.
  virtual void fir(const View& in, const View& out, Axis axis, std::span<const double> weights,
                   const BorderRule& border) = 0;

  /// Sums of the pixels of a line up to (inclusive) or before (exclusive) each. `out` is f64; see
  /// Prefix. `in` is u8, u16, i16, f32 or f64.
  virtual void prefix(const View& in, const View& out, Axis axis, Prefix kind) = 0;

  /// All views f32 or all f64; the operands an operation does not name are ignored. `out` may be
  /// any of the operands.
  virtual void pointwise(Pointwise operation, const View& a, const View& b, const View& c,
                         const View& out) = 0;

  /// Steps of a rule over every cell. `state` and `scratch` have a channel for each state of the
  /// rule, `fields` one for each of its fields (no memory where it has none); all of one type, f32
  /// or f64, and shape, none overlapping. The last state is in `state` after an even number of
  /// steps and in `scratch` after an odd one; the other holds nothing of use, except that a single
  /// step leaves `state` as it was.
  virtual void iterate(const Iteration& work, const View& state, const View& scratch,
                       const View& fields) = 0;
  /// Sweeps of a rule of one state in place: a step of the red cells, x + y + z even, then one of
  /// the black ones, `work.steps` times. f32 or f64. With `from_zero` the state counts as 0 at the
  /// start, whatever it holds. The border is clamp or mirror, beyond which no cell of its own
  /// colour stands but itself.
  virtual void relax(const Iteration& work, const View& state, const View& fields,
                     bool from_zero) = 0;
  /// out = one step of a rule of one state on `in`. `out` has the shape of `in` or half of it along
  /// some axes (see halved): then it gets the sum over the two, four or eight cells that each of
  /// its cells stands for, divided by their full number: those beyond the end of `in` count as 0.
  /// f32 or f64, nothing overlapping; `fields` has the shape of `in`.
  virtual void apply(const Iteration& work, const View& in, const View& fields,
                     const View& out) = 0;
  /// Every cell of `fine` gets the value of the cell of `coarse` that stands for it, times its
  /// `weight` where there is one (no memory: none), in place of what it holds or added to it.
  virtual void transfer(const View& coarse, const View& fine, const View& weight,
                        Prolongation how) = 0;
  /// How many steps may be enqueued before the host waits, so that a request to stop is heard
  /// within a tenth of a second: nothing that is enqueued can be taken back. Backends whose steps
  /// run on the host stop by themselves; there it is how often progress is told.
  virtual std::int64_t steps_at_a_time(const Iteration& work, const View& state) const = 0;
  /// How the last iterate that has run was done, and why, in words.
  virtual std::string iteration_notes() const = 0;
  /// From now on `iterate` takes one step a pass over the grid, or (null) again as many as are
  /// fastest; the bits are the same. For tests and benchmarks, while no other thread uses the
  /// device; false, and nothing changes, where there is no such way.
  virtual bool take_plain_steps(const PlainSteps* /*how*/) { return false; }

  /// Fills `rows.sums`, with cells of one pixel and any step, and `blocks.sums`, with a step of 1
  /// and a block of 2 to 64, a power of two, in one pass over the pixels. Either may have no memory
  /// and is left out then.
  virtual void cumulate(const View& pixels, const CumulatedSums& rows,
                        const CumulatedSums& blocks) = 0;
  /// Fills `coarse.sums` from a grid with half its block; both have a step of 1.
  virtual void coarsen(const CumulatedSums& fine, const CumulatedSums& coarse) = 0;
  /// The sums of every edge, signed; see engine/contour.hpp. Waits.
  virtual void sum_edges(const CumulatedSums& sums, std::span<const ContourEdge> edges,
                         RegionSums* results) = 0;
  /// The sums of every triangle as a polygon, negative where its area is, pixel by pixel. Waits.
  virtual void sum_triangles(const View& pixels, std::span<const ContourTriangle> triangles,
                             RegionSums* results) = 0;
  /// Steps of every contour, each by itself; see engine/snake.hpp. `force` is a 2-D field of two
  /// components, f32. Waits.
  virtual void move_contours(const View& force, const MovingBatch& batch) = 0;
};

}  // namespace meander::engine
