// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "meander/control.hpp"
#include "meander/device.hpp"
#include "meander/image.hpp"
#include "meander/options.hpp"
#include "meander/precision.hpp"
#include "meander/smooth.hpp"

/// Gradient vector flow: the gradient V0 of an image, kept where it is strong and carried smoothly
/// to where there is none. The field V solves (b - μΔ)V = b·V0 with b = |V0|².
namespace meander {

/// How the field is found.
enum class FlowSolver : std::uint8_t {
  multigrid,       ///< Solves to a tolerance, at a cost that grows with the pixels only.
  explicit_steps,  ///< The published scheme: so many steps of time 1, far from the solution.
  fed              ///< Fast explicit diffusion: steps of varying length, which reach farther.
};
template <>
struct ChoiceNames<FlowSolver> {
  static constexpr std::pair<FlowSolver, std::string_view> values[] = {
      {FlowSolver::multigrid, "multigrid"},
      {FlowSolver::explicit_steps, "explicit"},
      {FlowSolver::fed, "fed"}};
};

/// How the field goes on beyond its border.
enum class FlowBorder : std::uint8_t {
  mirror,  ///< d c b | a b c d | c b a, as published.
  clamp    ///< a a a | a b c d | d d d: nothing flows out.
};
template <>
struct ChoiceNames<FlowBorder> {
  static constexpr std::pair<FlowBorder, std::string_view> values[] = {
      {FlowBorder::mirror, "mirror"},
      {FlowBorder::clamp, "clamp"},
      {FlowBorder::clamp, "replicate"}};
};

/// How the field is stored between steps; arithmetic is float32.
enum class FlowStorage : std::uint8_t {
  f32,
  f16,     ///< IEEE half precision.
  snorm16  ///< Parts of 1/32767, saturating at ±1: the 16-bit textures of the publication.
};
template <>
struct ChoiceNames<FlowStorage> {
  static constexpr std::pair<FlowStorage, std::string_view> values[] = {
      {FlowStorage::f32, "f32"}, {FlowStorage::f16, "f16"}, {FlowStorage::snorm16, "snorm16"}};
};

/// How the flow is computed.
struct FlowOptions {
  double mu = 0.1;
  FlowSolver solver = FlowSolver::multigrid;
  std::optional<std::int64_t> iterations;
  double tolerance = 1e-4;
  std::int64_t max_cycles = 30;
  FlowBorder border = FlowBorder::mirror;
  FlowStorage storage = FlowStorage::f32;
  std::optional<double> generalised;
  std::optional<Scale> sigma;
  Precision precision = Precision::float32;

  template <class Visitor>
  void describe(Visitor& v) {
    v(mu, {.name = "mu",
           .min = 1e-6,
           .max = 1e6,
           .help = "how strongly the field is smoothed where the gradient is weak; the gradient is "
                   "that of the image scaled to 0 to 1, for the side of its smallest pixel"});
    v(solver, {.name = "solver", .help = "multigrid solves; explicit and fed take steps"});
    v(iterations,
      {.name = "iterations",
       .min = 0,
       .max = 1e7,
       .help = "steps of explicit and fed; as many as the image is long when not given"});
    v(tolerance, {.name = "tolerance",
                  .min = 1e-12,
                  .max = 1,
                  .help = "multigrid stops when the residual, as a part of b*V0, is not larger and "
                          "the last correction of the field not larger than its root"});
    v(max_cycles,
      {.name = "max-cycles", .min = 1, .max = 1000, .help = "cycles that multigrid may take"});
    v(border, {.name = "border", .help = "how the field goes on beyond its border"});
    v(storage,
      {.name = "storage", .help = "how the solver explicit stores the field between steps"});
    v(generalised, {.name = "generalised",
                    .min = 1e-6,
                    .max = 1e6,
                    .help = "generalised flow with this K: mu grows where the gradient is below K "
                            "and vanishes above; --mu does not count then"});
    v(sigma,
      {.name = "sigma",
       .min = 0,
       .max = 1e5,
       .help = "take the gradient by derivatives of a Gaussian of this scale, above 0 along every "
               "axis, not by central differences"});
    v(precision, {.name = "precision", .help = "arithmetic; f64 images are always done in double"});
  }
};

/// One cycle of multigrid.
struct FlowCycle {
  std::int64_t cycle = 0;        ///< From 1.
  double relative_residual = 0;  ///< |b·V0 - (b - μΔ)V| / |b·V0|, all components together.
  double correction = 0;         ///< |V - V before| / |V|: about the error before the cycle.
};

/// What a run found.
struct FlowFigures {
  std::int64_t iterations = 0;    ///< Steps taken by explicit and fed.
  std::vector<FlowCycle> cycles;  ///< Of multigrid.
  double relative_residual = 0;   ///< At the end; NaN with 16-bit storage.
  double correction = 0;          ///< Of the last cycle; NaN without one.
  double max_v0 = 0;              ///< Largest |V0|.
  double time = 0;                ///< Sum of the lengths of explicit steps.
  double mu_limit = 0;            ///< Largest stable μ of the explicit steps; infinite otherwise.
  bool converged = false;         ///< Whether the tolerance was met; steps do not try to.
  bool stalled = false;  ///< Whether cycles gained nothing any more, so that it stopped before.
  std::string method;    ///< How the device went about it, in words.
};

/// What may be given beside the image; all optional, on its device.
struct FlowInputs {
  Image mask;   ///< One channel: the field lives where it is not 0, and is 0 elsewhere.
  Field start;  ///< Where to begin: a field near the solution saves cycles.
  /// Called after every cycle, on the caller's thread.
  std::function<void(const FlowCycle&)> on_cycle;
};

/// The gradient V0 that the flow starts from: of the image scaled to 0 to 1 by its least and
/// largest value, by central differences over the border rule, or by Gaussian derivatives with
/// `sigma`; per side of the smallest pixel, so of the spacing only the ratios count. f32, or f64
/// with double precision. One channel; a constant image gives 0. Throws InvalidArgument for values
/// that are not finite.
Field flow_gradient(const Image& image, const FlowOptions& options, const Control& control = {});

/// The flow and what its run found.
struct FlowResult {
  Field field;          ///< On the device of the input.
  FlowFigures figures;  ///< Of this run.
};

/// The flow of an image, or of any field V0 that is taken as it is. Same device, shape and spacing;
/// f32, or f64 with double precision. A V0 of 0 gives 0. In a part of the mask that is cut off from
/// all gradients the field is not determined, and any constant may come out.
///
/// explicit: V = V0 at first (or `start`), then exactly N steps. Throws InvalidArgument, with the
/// limit, unless 4μΣ1/h² + max b <= 2, h the spacing over the smallest. Cost: N passes.
/// fed: cycles of up to 64 steps; one of n reaches as far as some n²/3 steps of the limit.
/// multigrid: cycles F(2,2) on the residual; each takes about 15 passes over each component and
/// shrinks the residual to some 3 to 7 %. Whether the tolerance was met is in the figures. float32
/// cannot hold every field to every residual: beside a residual below 1e-3 a correction below 1e-6
/// (double: 1e-14) counts as met. Throws NotConverged when the field is not finite.
FlowResult flow(const Image& image, const FlowOptions& options, const FlowInputs& inputs = {},
                const Control& control = {});
/// The same of a field V0.
FlowResult flow(const Field& gradient, const FlowOptions& options, const FlowInputs& inputs = {},
                const Control& control = {});

/// |V| of every pixel.
Image magnitude_of(const Field& field, const Control& control = {});
/// V/|V| of every pixel, 0 where V is 0.
Field unit_vectors_of(const Field& field, const Control& control = {});

/// What is given beside such an input.
struct FlowExtras {
  bool mask = false;   ///< See FlowInputs.
  bool start = false;  ///< See FlowInputs.
};

/// Bytes of device memory that the flow of such an image (one channel) or field (a channel for each
/// axis) holds at its peak, input, mask and start included.
std::int64_t estimate_bytes(const Description& input, const FlowOptions& options,
                            const Device& device, const FlowExtras& extras = {});
/// For Device::for_work: from the input to the field, both in host memory. How many cycles
/// multigrid will take is a guess by the tolerance.
Work estimate_work(const Description& input, const FlowOptions& options,
                   const FlowExtras& extras = {});

/// Largest stable μ of the explicit steps for such a shape, spacing and largest |V0|.
double flow_mu_limit(const Description& field, double max_v0);

}  // namespace meander
