// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/flow/field_errors.hpp"
#include "bench/harness.hpp"
#include "bench/scaling.hpp"
#include "meander/flow.hpp"

/// Gradient vector flow with μ = 0.1 and the mirror border, of a star or, in depth, a head with
/// noise.
namespace meander::bench {

/// What is measured for each pixel and step, in this order.
///
/// - f32, f16, snorm16: the published steps on the engine, by storage.
/// - copy: the field is read and written, on all threads; a step also reads the gradient.
/// - plain: the published loop, scalar, on one thread; vectorised: the same text as the compiler
///   vectorises it for the engine's instruction set, on one thread.
enum class FlowWay : std::uint8_t { f32, f16, snorm16, copy, plain, vectorised };
const char* name_of(FlowWay way);

struct FlowStepRow {
  FlowWay way = FlowWay::f32;
  Quartiles nanoseconds;            ///< For each pixel and step.
  Quartiles over_ours;              ///< Its time over that of f32, pair by pair.
  int bytes = 0;                    ///< That a pixel and step reads and writes.
  double gigabytes_per_second = 0;  ///< Of those.
};

/// flow() as a user calls it with an image on the device: gradient and all.
struct FlowSolverRow {
  FlowSolver solver = FlowSolver::multigrid;
  bool has_noise = true;  ///< Whether the image has; without, most of it has no gradient at all.
  Quartiles seconds;
  Quartiles over_plain;    ///< Over the time of `plain_steps` plain steps, pair by pair.
  double nanoseconds = 0;  ///< For each pixel.
  FlowFigures figures;
  std::optional<Scaling> scaling;  ///< Of the first, with more than one thread of the cpu.
};

struct FlowBench {
  Shape size;
  std::string device;
  Clock clock = Clock::wall;
  std::string level;               ///< Instruction set of the loops.
  std::string notes;               ///< How the engine did the steps in f32, and why.
  std::vector<FlowStepRow> steps;  ///< One for each way.
  std::int64_t plain_steps = 0;    ///< What solvers are compared with: 512, or 100 in depth.
  std::vector<FlowSolverRow>
      solvers;                     ///< multigrid to 1e-6 with noise and without, 64 steps of fed.
  std::optional<Scaling> scaling;  ///< Of the steps in f32, likewise.

  const FlowStepRow& row(FlowWay way) const { return steps.at(static_cast<std::size_t>(way)); }
  const FlowSolverRow& multigrid(bool has_noise = true) const {
    return solvers.at(has_noise ? 0 : 1);
  }
  double pixels() const { return static_cast<double>(size.x * size.y * size.z); }
  /// Of so many steps in f32.
  double seconds_of_steps(std::int64_t count) const;
};

/// All ways and solvers in turn on one image. One thread of the cpu is timed by process time, all
/// else by the wall clock; a timing takes at least 50 ms. The time of the plain steps is that of
/// fewer, multiplied. Memory beside the solvers': 56 bytes a pixel, 84 a voxel.
FlowBench bench_flow(const Shape& size, const Device& device, int runs, const Control& control);

/// Bytes of device memory for each pixel, the image included; beside what the paper needs.
struct FlowMemory {
  FlowSolver solver = FlowSolver::explicit_steps;
  FlowStorage storage = FlowStorage::f32;
  double estimated = 0;          ///< What estimate_bytes says.
  double measured = 0;           ///< Peak of the device's pool.
  std::optional<int> published;  ///< Of the steps: three fields, without the image.
};
std::vector<FlowMemory> flow_memory(const Shape& size, const Device& device,
                                    const Control& control);

/// How far a solver's field is from another's on the same image.
struct FlowAccuracy {
  std::string image, found, wanted;
  FieldErrors errors;
};
struct FlowAccuracies {
  Shape size;
  std::int64_t steps = 0;  ///< Of explicit and fed: the image's longest side.
  std::vector<FlowAccuracy> rows;
};
/// Explicit steps in f16 and snorm16 beside those in f32; these, fed and multigrid in float32
/// beside the converged field, which is multigrid in float64; on a head without noise and on a star
/// with noise.
FlowAccuracies flow_accuracy(const Shape& size, const Device& device, const Control& control);

}  // namespace meander::bench
