// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flow/flow.hpp"

namespace meander::app {
namespace {

std::string solver_name(const FlowVerbOptions& given) {
  return OptionText<FlowSolver>::format(given.flow.solver);
}

std::string strength_of(const FlowVerbOptions& given) {
  return given.flow.generalised ? fmt::format("generalised with K {:g}", *given.flow.generalised)
                                : fmt::format("mu {:g}", given.flow.mu);
}

Json history_of(const FlowFigures& figures) {
  Json history = Json::array();
  for (const FlowCycle& cycle : figures.cycles) {
    history.push_back({{"cycle", cycle.cycle},
                       {"relative_residual", number(cycle.relative_residual)},
                       {"correction", number(cycle.correction)}});
  }
  return history;
}

std::string summary(const FlowVerbOptions& given, const FlowFigures& figures) {
  if (given.flow.solver == FlowSolver::multigrid) {
    const std::string line = fmt::format("multigrid: {} cycles, residual {:.2g}",
                                         figures.cycles.size(), figures.relative_residual);
    // Where nothing had to be solved, as of a constant image, nothing was corrected.
    return figures.cycles.empty() ? line
                                  : fmt::format("{}, correction {:.2g}", line, figures.correction);
  }
  const std::string steps = fmt::format("{}: {} steps, time {:.6g}", solver_name(given),
                                        figures.iterations, figures.time);
  // With 16-bit storage it is not known.
  return std::isfinite(figures.relative_residual)
             ? fmt::format("{}, residual {:.2g}", steps, figures.relative_residual)
             : steps;
}

}  // namespace

void report_flow_plan(Session& session, const FlowVerbOptions& given, const Description& input) {
  std::string line = fmt::format("{}, {}", solver_name(given), strength_of(given));
  if (given.flow.solver == FlowSolver::multigrid) {
    line += fmt::format(", tolerance {:g}, at most {} cycles", given.flow.tolerance,
                        given.flow.max_cycles);
  } else {
    const Shape& shape = input.shape;
    const std::int64_t steps =
        given.flow.iterations.value_or(std::max({shape.x, shape.y, shape.z}));
    session.report().set_option("iterations", steps);
    line += fmt::format(", {} steps", steps);
  }
  session.log(line);
  if (session.common().dry_run) session.say("would run " + line);
}

void log_flow_cycle(const Session& session, const FlowCycle& cycle) {
  session.log(fmt::format("cycle {}: residual {:.2g}, correction {:.2g}", cycle.cycle,
                          cycle.relative_residual, cycle.correction));
}

void report_flow_figures(Session& session, const FlowVerbOptions& given,
                         const FlowFigures& figures) {
  Json& result = session.report().result();
  result["solver"] = solver_name(given);
  result["iterations"] = figures.iterations;
  result["cycles"] = figures.cycles.size();
  result["relative_residual"] = number(figures.relative_residual);
  result["correction"] = number(figures.correction);
  result["max_v0"] = number(figures.max_v0);
  result["converged"] = figures.converged;
  result["mu_limit"] = number(figures.mu_limit);
  result["time"] = number(figures.time);
  result["method"] = figures.method;
  result["history"] = history_of(figures);
  session.log(fmt::format("by {}; largest |V0| {:.4g}", figures.method, figures.max_v0));
  session.say(summary(given, figures));
}

std::string shortfall(const FlowVerbOptions& given, const FlowFigures& figures) {
  return fmt::format(
      "residual {:.3g} and correction {:.3g} after {} cycles, expected at most {:g} and {:.3g}; {}",
      figures.relative_residual, figures.correction, figures.cycles.size(), given.flow.tolerance,
      std::sqrt(given.flow.tolerance),
      given.keep ? "the field was written all the same"
      : figures.stalled
          ? "cycles gain nothing any more: --precision double, or --keep to write the field"
          : "--max-cycles allows more, --keep writes the field all the same");
}

}  // namespace meander::app
