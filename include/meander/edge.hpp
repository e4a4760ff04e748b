// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "meander/control.hpp"
#include "meander/device.hpp"
#include "meander/flow.hpp"
#include "meander/image.hpp"
#include "meander/options.hpp"
#include "meander/outline.hpp"
#include "meander/smooth.hpp"

/// Edge snake: a curve that gradient vector flow pulls onto the edges of an image, into concavities
/// too, while its own tension and rigidity keep it smooth. Smooth, edges, flow, snake.
namespace meander {

/// What pulls a curve.
enum class SnakeForce : std::uint8_t {
  unit,  ///< The direction of the field, of length 1 wherever there is any.
  plain  ///< The field as it is, divided by its largest length.
};
template <>
struct ChoiceNames<SnakeForce> {
  static constexpr std::pair<SnakeForce, std::string_view> values[] = {
      {SnakeForce::unit, "unit"}, {SnakeForce::plain, "plain"}};
};

/// What open curves do with their ends.
enum class OpenEnds : std::uint8_t {
  free,  ///< They move like the other points, and neither bend nor hold.
  fixed  ///< They stay where they are.
};
template <>
struct ChoiceNames<OpenEnds> {
  static constexpr std::pair<OpenEnds, std::string_view> values[] = {{OpenEnds::free, "free"},
                                                                     {OpenEnds::fixed, "fixed"}};
};

/// How curves move. With x(s) a curve by its length s in pixels and F the force, a step goes from
/// x to the solution of (x_new - x)/τ = αx_new'' - βx_new'''' + F(x) + ωn, n the normal outwards.
struct SnakeOptions {
  double alpha = 0.1;
  double beta = 0.1;
  SnakeForce force = SnakeForce::unit;
  double balloon = 0;
  double step = 2;
  std::optional<OpenEnds> open;
  double point_spacing = 1;
  std::int64_t max_points = 100000;
  std::int64_t max_steps = 20000;
  double settled = 0.005;

  template <class Visitor>
  void describe(Visitor& v) {
    v(alpha, {.name = "alpha",
              .min = 0,
              .max = 1000,
              .help = "tension: how strongly curves shorten, beside a force of 1"});
    v(beta, {.name = "beta",
             .min = 0,
             .max = 1e5,
             .help = "rigidity: how strongly curves resist bending, beside a force of 1"});
    v(force, {.name = "force",
              .help = "unit takes the direction of the flow alone, plain its length too"});
    v(balloon, {.name = "balloon",
                .min = -10,
                .max = 10,
                .help = "push along the normal, outwards above 0 and inwards below, beside a "
                        "force of 1"});
    v(step, {.name = "step",
             .unit = "pixels",
             .min = 0.01,
             .max = 10,
             .help = "how far a force of 1 moves a point in one of the first steps"});
    v(open, {.name = "open", .help = "the start is an open curve, with ends free or fixed"});
    v(point_spacing, {.name = "point-spacing",
                      .unit = "pixels",
                      .min = 0.25,
                      .max = 1000,
                      .help = "distance between neighbouring points of a curve"});
    v(max_points, {.name = "max-points",
                   .min = 8,
                   .max = 1e7,
                   .help = "a curve that needs more points ends the run"});
    v(max_steps,
      {.name = "max-steps", .min = 1, .max = 1e9, .help = "steps that a curve may take"});
    v(settled, {.name = "settled",
                .unit = "pixels",
                .min = 1e-4,
                .max = 10,
                .help = "a curve has settled when its shape moves by less than this"});
  }
};

/// How edges and their flow are found, and how curves move on them.
struct EdgeOptions {
  std::optional<Scale> sigma;
  double noise_floor = 4;
  double mu = 0.005;
  double tolerance = 1e-4;
  std::int64_t max_cycles = 30;
  SnakeOptions snake;  ///< How curves move.

  template <class Visitor>
  void describe(Visitor& v) {
    v(sigma, {.name = "sigma",
              .min = 0.3,
              .max = 1e5,
              .help = "scale of the Gaussian whose gradient shows the edges; as small as the noise "
                      "allows, from 1 to 8 pixels, when not given"});
    v(noise_floor, {.name = "noise-floor",
                    .min = 0,
                    .max = 1000,
                    .help = "edges count from so many times the median of all edges on"});
    v(mu, {.name = "mu", .min = 1e-6, .max = 1e6, .help = "how strongly the flow is smoothed"});
    v(tolerance, {.name = "tolerance",
                  .min = 1e-12,
                  .max = 1,
                  .help = "the flow is solved to this relative residual"});
    v(max_cycles,
      {.name = "max-cycles", .min = 1, .max = 1000, .help = "cycles that the flow may take"});
    snake.describe(v);
  }
};

/// Why a curve came to rest.
enum class SnakeEnd : std::uint8_t {
  settled,   ///< It does not move any more: the one good end.
  steps,     ///< It was still moving after max_steps.
  points,    ///< It needed more than max_points.
  vanished,  ///< It shrank to nothing.
  adrift,    ///< It does not move any more, but less than half of it lies on edges.
  crossed    ///< It could not go on without crossing itself.
};
template <>
struct ChoiceNames<SnakeEnd> {
  static constexpr std::pair<SnakeEnd, std::string_view> values[] = {
      {SnakeEnd::settled, "settled"}, {SnakeEnd::steps, "steps"},
      {SnakeEnd::points, "points"},   {SnakeEnd::vanished, "vanished"},
      {SnakeEnd::adrift, "adrift"},   {SnakeEnd::crossed, "crossed"}};
};

/// A curve where it ended.
struct EdgeOutline {
  /// Closed ones are simple and of positive area; one that vanished has no points.
  Curve curve;
  double area = 0;                   ///< In pixels squared; 0 of open curves.
  double length = 0;                 ///< In pixels; 0 of curves that vanished.
  SnakeEnd end = SnakeEnd::settled;  ///< Why it moves no more.
  std::int64_t steps = 0;            ///< That it took.
  double last_move = 0;              ///< Largest move of the shape at the end, in pixels.
  std::int64_t loops = 0;  ///< Small loops that were cut off on the way, so that it stayed simple.
  double on_edges = 0;     ///< Part of its points that lie on edges above the noise floor.
};
/// Whether it vanished or came to rest away from edges: where there is a film, its object is lost.
bool has_lost_edges(const EdgeOutline& outline);

/// A state of one curve, for pictures and progress.
struct SnakeState {
  std::size_t curve_index = 0;  ///< Of its start, from 0 on.
  const Curve& curve;           ///< As it is now; valid until `on_state` returns.
  std::int64_t steps = 0;       ///< So far.
  double step = 0;              ///< Length of the steps now, in pixels.
  double move = 0;              ///< Largest move of the shape since the state before, in pixels.
};
/// Takes the states of curves as they move.
using OnSnakeState = std::function<void(const SnakeState&)>;

/// Moves every start through a field of forces, each by itself and all in one batch, until it
/// settles. The field is 2-D, f32, in units of the options' force of 1. Given the same field the
/// curves are the same on every device (`reference` computes in double) and for any number of
/// threads. A closed start is simple; an open one lies within the image; either is long enough for
/// eight points. Cost: points times steps. Throws InvalidArgument for starts that are not, for
/// closed starts with `open` and the reverse.
std::vector<EdgeOutline> move_snakes(const Field& force, const std::vector<Curve>& starts,
                                     const SnakeOptions& options, const OnSnakeState& on_state = {},
                                     const Control& control = {});

/// What the stages leave, all on the image's device; see segment_edges.
struct EdgeStages {
  Image smoothed;  ///< f32.
  Image edges;     ///< u16: 0 at the noise floor and below, 65535 at the strongest edge.
  Field field;     ///< The flow, f32.
};

/// What may be given beside the image; all optional.
struct EdgeInputs {
  /// Where to begin. Without any: a rectangle around the best one of coarse blocks, see
  /// SegmentInputs. Closed starts may reach beyond the image.
  std::vector<Curve> starts;
  /// Closed starts say where objects are and how large, not their shapes, as circles and boxes do:
  /// without a `sigma` they first settle on edges of a coarse scale, an eighth of the radius of a
  /// disc of the smallest start's area, and go on from there.
  bool are_rough = false;
  /// A field to move in, on the image's device and of its shape: no smoothing, edges and flow then.
  Field field;
  /// Where the flow begins, on the image's device and of its shape: that of a frame before it saves
  /// cycles. The solution is the same within the tolerance.
  Field flow_start;
  /// Called at the start and after every few steps, on the caller's thread.
  OnSnakeState on_state;
  bool keep_stages = false;  ///< Whether EdgeResult::stages is wanted.
  bool keep_field = false;   ///< Of the stages the field alone.
};

/// What a run took and chose.
struct EdgeFigures {
  Scale sigma;              ///< The one in use.
  double noise_floor = 0;   ///< In grey levels a pixel.
  double largest_edge = 0;  ///< In grey levels a pixel.
  FlowFigures flow;         ///< Empty where a field was given.
  /// Time of each stage.
  double smooth_seconds = 0, flow_seconds = 0, snake_seconds = 0;
};

/// Curves, in the order of their starts, and what a run tells of them.
struct EdgeResult {
  std::vector<EdgeOutline> outlines;  ///< One for each start.
  EdgeFigures figures;                ///< What the run chose and took.
  EdgeStages stages;                  ///< Empty unless they were to be kept.
};
/// Which of its curves did not settle, by their index.
std::vector<std::size_t> unsettled_of(const EdgeResult& result);
/// What its curves cover, numbered from 1 on as the curves are; open ones and those that vanished
/// cover nothing.
std::vector<LabelledRegion> objects_of(const EdgeResult& result);
/// All of them; those that vanished have no points.
std::vector<Curve> curves_of(const EdgeResult& result);

/// Finds edges in a 2-D image of one channel: |∇(Gσ * image)| less the noise floor, the gradient
/// vector flow of that by multigrid, and snakes in its field. Everything stays on the device but
/// the curves. Throws InvalidArgument for other images and fields, values that are not finite, and
/// starts that lie outside or are shorter than eight points; NotConverged when no edge is above the
/// floor or the flow does not reach its tolerance.
EdgeResult segment_edges(const Image& image, const EdgeOptions& options,
                         const EdgeInputs& inputs = {}, const Control& control = {});

/// What of EdgeInputs takes memory.
struct EdgeExtras {
  bool keeps_stages = false;    ///< See EdgeInputs::keep_stages.
  bool has_flow_start = false;  ///< See EdgeInputs::flow_start.
};
/// Bytes of device memory that it holds at its peak, the image and a start of the flow included.
std::int64_t estimate_bytes(const Description& image, const EdgeOptions& options,
                            const Device& device, const EdgeExtras& extras = {});
/// For Device::for_work: the image from host memory, smoothing, flow and curves, whose lengths are
/// not known.
Work estimate_work(const Description& image, const EdgeOptions& options);

}  // namespace meander
