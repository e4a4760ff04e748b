// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/image_state.hpp"
#include "core/message.hpp"
#include "filter/flow/check.hpp"
#include "filter/flow/multigrid_cycle.hpp"
#include "filter/flow/solve.hpp"
#include "filter/smooth/axis_pass.hpp"

namespace meander {
namespace {

using engine::Pointwise;
using engine::Wanted;

/// A correction that is no more than what the type rounds off. It counts only beside a residual
/// that rounding can explain: the weaker the gradient, the more of it is rounding, but from here on
/// it is the field that is wrong.
double least_correction(PixelType type) { return type == PixelType::f64 ? 1e-14 : 1e-6; }
constexpr double largest_rounding = 1e-3;

/// Cycles in a row that gained nothing before the rest are not even tried.
constexpr int most_idle_cycles = 3;
constexpr double least_gain = 0.99;

/// Powers of two beyond which squares and cubes may leave the range of float32.
constexpr int safe_exponent = 16;
double bringing_near_one(double value) {
  const int exponent = value > 0 ? std::ilogb(value) : 0;
  return std::abs(exponent) > safe_exponent ? std::ldexp(1, -exponent) : 1;
}

/// Residual, correction by a cycle, sum: over and over, one component after the other.
class MultigridFlow {
 public:
  MultigridFlow(const FlowSource& source, const FlowOptions& options, const FlowInputs& inputs,
                const Control& control)
      : source_(source),
        options_(options),
        inputs_(inputs),
        control_(control),
        backend_(source.device().backend()),
        levels_(flow_levels(source.input().shape, relative_sides(source.input()),
                            options.generalised ? 1 : options.mu, {.kind = flow_border(options)})),
        block_(source.device().allocate(source.field_of(
            source.arithmetic(), source.components() + Multigrid::channels_needed(has_mask())))),
        grids_(source.device(), levels_, block_, has_mask()) {}

  FlowResult run();

 private:
  bool has_mask() const { return !inputs_.mask.empty(); }
  bool has_start() const { return !inputs_.start.components().empty(); }
  engine::View gradient(int index) const { return channels_of(block_.state().view, index); }
  engine::View field(int index) const { return channels_of(field_.state().view, index); }

  void load_gradient();
  void rescale(double largest);
  void load();
  void load_held(const engine::View& held);
  void start();
  void put_source(int component);
  void put_residual(int component);
  void correct(int component, bool is_first);
  void add_squares(const engine::View& of, double& total);
  void fetch_squares();
  void sum_up(std::int64_t cycle);
  bool is_converged(const FlowCycle& cycle) const;
  void finish_field();

  const FlowSource& source_;
  const FlowOptions& options_;
  const FlowInputs& inputs_;
  const Control& control_;
  engine::Backend& backend_;
  const std::vector<FlowLevel> levels_;
  const Image block_;  ///< V0 (with a mask b·V0), then what Multigrid wants.
  Multigrid grids_;
  Image field_;
  FlowFigures figures_;
  double source_squares_ = 0, field_squares_ = 0, residual_squares_ = 0, correction_squares_ = 0;
  std::vector<engine::MemoryPtr> reductions_;  ///< Not fetched yet, and what each adds to.
  std::vector<double*> totals_;
  double progress_ = 0;
  double scale_ = 1;           ///< What V0 and so the field are multiplied by meanwhile.
  double equation_scale_ = 1;  ///< What b and μ are multiplied by besides.
  int idle_cycles_ = 0;
  int ready_ = -1;  ///< The component whose residual is in the source of the finest grid.
};

void MultigridFlow::load_gradient() {
  for (int i = 0; i < source_.components(); ++i) {
    source_.write(i, block_.channel(i), control_);
    control_.step(0);
  }
  const engine::View all = channels_of(block_.state().view, 0, source_.components());
  const engine::Sums sums = backend_.reduced(all, Wanted::range);
  rescale(std::max(-sums.min, sums.max));
}

/// By the scale law V0 may be any multiple of itself, if μ is multiplied by the square of that; and
/// an equation may be multiplied by anything. So neither b nor μ leaves the range of the type.
void MultigridFlow::rescale(double largest) {
  scale_ = bringing_near_one(largest);
  for (int i = 0; i < source_.components() && scale_ != 1; ++i) {
    backend_.convert(gradient(i), gradient(i), {.scale = scale_});
  }
  if (options_.generalised) return;
  const double mu = options_.mu * scale_ * scale_;
  equation_scale_ = mu > 1 ? bringing_near_one(mu) : 1;
  grids_.multiply_weights(scale_ * scale_ * equation_scale_);
}

/// b, of the generalised flow too.
void MultigridFlow::load_held(const engine::View& held) {
  backend_.pointwise(Pointwise::product, gradient(0), gradient(0), {}, held);
  for (int i = 1; i < source_.components(); ++i) {
    backend_.pointwise(Pointwise::add_square, held, gradient(i), {}, held);
  }
  if (has_mask()) backend_.pointwise(Pointwise::product, held, grids_.mask(), {}, held);
  figures_.max_v0 = std::sqrt(backend_.reduced(held, Wanted::range).max) / scale_;
  if (!options_.generalised) {
    if (equation_scale_ != 1) backend_.convert(held, held, {.scale = equation_scale_});
    return;
  }
  const double k = *options_.generalised * scale_;
  backend_.convert(held, held, {.scale = 1 / (k * k)});
  backend_.pointwise(Pointwise::growth, held, held, {}, held);
}

void MultigridFlow::load() {
  load_gradient();
  if (!has_mask()) {
    load_held(grids_.held());
    grids_.prepare();
    return;
  }
  const engine::View inside = grids_.mask();
  const auto everywhere = [&](double value) {
    return constant_view(source_.device(), source_.arithmetic(), value, block_.shape(), 1);
  };
  backend_.convert(inputs_.mask.state().view, inside, {});
  backend_.pointwise(Pointwise::norm, inside, inside, {}, inside);  // above 0 where it is not 0
  backend_.pointwise(Pointwise::select, everywhere(1), everywhere(0), inside, inside);
  load_held(grids_.source());
  for (int i = 0; i < source_.components(); ++i) {
    backend_.pointwise(Pointwise::product, gradient(i), grids_.source(), {}, gradient(i));
  }
  grids_.prepare_mask();
}

/// From a given field; without one the first correction is the field.
void MultigridFlow::start() {
  field_ = source_.device().allocate(source_.field_of(source_.arithmetic(), source_.components()));
  if (!has_start()) return;
  for (int i = 0; i < source_.components(); ++i) {
    backend_.convert(inputs_.start.component(i).state().view, field(i), {.scale = scale_});
    if (has_mask()) {
      backend_.pointwise(Pointwise::product, field(i), grids_.mask(), {}, field(i));
    }
    put_source(i);
    add_squares(grids_.source(), source_squares_);
  }
}

void MultigridFlow::put_source(int component) {
  if (has_mask()) {
    backend_.convert(gradient(component), grids_.source(), {});
  } else {
    backend_.pointwise(Pointwise::product, gradient(component), grids_.held(), {}, grids_.source());
  }
  ready_ = -1;
}

void MultigridFlow::put_residual(int component) {
  if (has_mask()) {
    put_source(component);
    grids_.residual(field(component), grids_.state(), control_.stop);
    backend_.convert(grids_.state(), grids_.source(), {});
  } else {
    const int held = block_.channels() - 1;
    const engine::Iteration work{.rule = engine::Rule::flow_residual,
                                 .neighbours = grids_.neighbours(),
                                 .parameters = {},
                                 .steps = 1,
                                 .stop = control_.stop};
    backend_.apply(work, field(component),
                   channels_of(block_.state().view, component, 2, held - component),
                   grids_.source());
  }
  ready_ = component;
}

void MultigridFlow::correct(int component, bool is_first) {
  if (is_first) {
    put_source(component);
    add_squares(grids_.source(), source_squares_);
  } else if (ready_ != component) {
    put_residual(component);
  }
  grids_.cycle(control_.stop);
  control_.step(progress_);
  if (is_first) {
    backend_.convert(grids_.state(), field(component), {});
  } else {
    backend_.pointwise(Pointwise::sum, field(component), grids_.state(), {}, field(component));
  }
  add_squares(grids_.state(), correction_squares_);
  put_residual(component);
  add_squares(grids_.source(), residual_squares_);
}

/// To be fetched, with all the others of a cycle in one wait.
void MultigridFlow::add_squares(const engine::View& of, double& total) {
  reductions_.push_back(backend_.reduce(of, 0, Wanted::squares));
  totals_.push_back(&total);
}

void MultigridFlow::fetch_squares() {
  std::vector<engine::Sums> sums(reductions_.size());
  backend_.fetch(reductions_, sums.data());
  for (std::size_t i = 0; i < sums.size(); ++i) *totals_[i] += finite_squares(sums[i]);
  reductions_.clear();
  totals_.clear();
}

bool MultigridFlow::is_converged(const FlowCycle& cycle) const {
  return (cycle.correction <= least_correction(source_.arithmetic()) &&
          cycle.relative_residual <= largest_rounding) ||
         (cycle.relative_residual <= options_.tolerance &&
          cycle.correction <= std::sqrt(options_.tolerance));
}

void MultigridFlow::sum_up(std::int64_t index) {
  field_squares_ = 0;
  add_squares(field_.state().view, field_squares_);
  fetch_squares();
  const FlowCycle cycle{
      .cycle = index,
      .relative_residual = std::sqrt(residual_squares_ / source_squares_),
      .correction = field_squares_ > 0 ? std::sqrt(correction_squares_ / field_squares_) : 0};
  const bool gained = cycle.relative_residual < least_gain * figures_.relative_residual;
  idle_cycles_ = index == 1 || gained ? 0 : idle_cycles_ + 1;
  figures_.stalled = idle_cycles_ == most_idle_cycles;
  figures_.cycles.push_back(cycle);
  figures_.relative_residual = cycle.relative_residual;
  figures_.correction = cycle.correction;
  figures_.converged = is_converged(cycle);
  if (inputs_.on_cycle) inputs_.on_cycle(cycle);
}

/// Components take turns in both directions, so that the residual of the one that was last need not
/// be computed again.
FlowResult MultigridFlow::run() {
  figures_.mu_limit = std::numeric_limits<double>::infinity();
  figures_.method = message("cycles F(2,2) on ", levels_.size(), " grids");
  load();
  start();
  const int count = source_.components();
  if (figures_.max_v0 == 0) {
    const engine::View finite = has_mask() ? grids_.mask() : grids_.held();
    for (int i = 0; i < count; ++i) backend_.convert(finite, field(i), {.scale = 0});
    figures_.converged = true;
    figures_.correction = std::numeric_limits<double>::quiet_NaN();
  }
  const auto is_over = [&] { return figures_.converged || figures_.stalled; };
  for (std::int64_t cycle = 1; cycle <= options_.max_cycles && !is_over(); ++cycle) {
    residual_squares_ = correction_squares_ = 0;
    for (int i = 0; i < count; ++i) {
      correct(cycle % 2 != 0 ? i : count - 1 - i, cycle == 1 && !has_start());
    }
    sum_up(cycle);
    const double part = std::log(figures_.relative_residual) / std::log(options_.tolerance);
    if (part > progress_) progress_ = std::min(part, 1.0);
    control_.step(progress_);
  }
  finish_field();
  control_.step(1);
  return {Field(field_), figures_};
}

void MultigridFlow::finish_field() {
  const engine::View& all = field_.state().view;
  if (scale_ != 1) backend_.convert(all, all, {.scale = 1 / scale_});
}

}  // namespace

FlowResult flow_by_multigrid(const FlowSource& source, const FlowOptions& options,
                             const FlowInputs& inputs, const Control& control) {
  return MultigridFlow(source, options, inputs, control).run();
}

}  // namespace meander
