// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench_verb/flow_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/flow/paper.hpp"
#include "bench/svg_plot.hpp"
#include "bench_verb/figures.hpp"

namespace meander::app {
namespace {

using bench::FlowBench;
using bench::FlowSolverRow;
using bench::FlowStepRow;
using bench::FlowWay;

std::string name_of(FlowSolver solver) { return OptionText<FlowSolver>::format(solver); }
std::string name_of(FlowStorage storage) { return OptionText<FlowStorage>::format(storage); }

Json json_of(const FlowSolverRow& row) {
  Json json = {{"solver", name_of(row.solver)},
               {"noise", row.has_noise},
               {"seconds", row.seconds.median},
               {"seconds_quartiles", quartiles_json(row.seconds)},
               {"over_plain", row.over_plain.median},
               {"over_plain_quartiles", quartiles_json(row.over_plain)},
               {"nanoseconds", row.nanoseconds},
               {"iterations", row.figures.iterations},
               {"cycles", row.figures.cycles.size()},
               {"relative_residual", number(row.figures.relative_residual)},
               {"correction", number(row.figures.correction)},
               {"converged", row.figures.converged}};
  if (row.scaling) json["scaling"] = scaling_json(*row.scaling);
  return json;
}

std::string text_of(const FlowStepRow& row) {
  return fmt::format("{:<12} {:8.3f}  {:>16} {:8.3f}  {:>18} {:5d} {:7.1f}", name_of(row.way),
                     row.nanoseconds.median, between(row.nanoseconds, 3), row.over_ours.median,
                     between(row.over_ours, 3), row.bytes, row.gigabytes_per_second);
}

std::string label_of(const FlowSolverRow& row) {
  return name_of(row.solver) + (row.has_noise ? "" : ", no noise");
}

std::string text_of(const FlowSolverRow& row) {
  const FlowFigures& figures = row.figures;
  const std::string work = row.solver == FlowSolver::multigrid
                               ? fmt::format("{} cycles", figures.cycles.size())
                               : fmt::format("{} steps", figures.iterations);
  return fmt::format("{:<20} {:9.3f}  {:>20} {:8.1f} {:8.3f}  {:>16} {:>9}  {:.1e}", label_of(row),
                     row.seconds.median * 1e3, between(bench::scaled(row.seconds, 1e3), 3),
                     row.nanoseconds, row.over_plain.median, between(row.over_plain, 3), work,
                     figures.relative_residual);
}

void say_steps(Session& session, const FlowBench& found) {
  session.say(fmt::format(
      "{} with noise on {} (loops: {}), {} threads, {} time, ns for each pixel and step; {}",
      to_string(found.size), found.device, found.level, threads(), clock_name(found.clock),
      found.notes));
  session.say(fmt::format("{:<12} {:>8}  {:>16} {:>8}  {:>18} {:>5} {:>7}", "", "ns", "quartiles",
                          "of f32", "quartiles", "bytes", "GB/s"));
  for (const FlowStepRow& row : found.steps) session.say(text_of(row));
  const double ours = found.row(FlowWay::f32).gigabytes_per_second;
  const double copy = found.row(FlowWay::copy).gigabytes_per_second;
  session.say(
      fmt::format("plain takes {} times f32, vectorised {}; f32 moves {:.0f} % of what a copy does",
                  with_quartiles(found.row(FlowWay::plain).over_ours),
                  with_quartiles(found.row(FlowWay::vectorised).over_ours), 100 * ours / copy));
  if (found.scaling) session.say(scaling_text("f32", *found.scaling));
}

void say_solvers(Session& session, const FlowBench& found) {
  session.say(fmt::format("{:<20} {:>9}  {:>20} {:>8} {:>8}  {:>16} {:>9}  {}", "", "ms",
                          "quartiles", "ns/pixel", "of plain", "quartiles", "", "residual"));
  for (const FlowSolverRow& row : found.solvers) session.say(text_of(row));
  session.say(fmt::format(
      "\"of plain\" is of {} steps of the plain loop, which do not converge; their time "
      "is that of fewer, multiplied",
      found.plain_steps));
  for (const FlowSolverRow& row : found.solvers) {
    if (row.solver != FlowSolver::multigrid || row.figures.converged) continue;
    session.say(label_of(row) + ": did not reach a residual of 1e-6");
  }
  if (found.multigrid().scaling) session.say(scaling_text("multigrid", *found.multigrid().scaling));
}

/// One processor of the paper's beside ours.
Json json_of_paper(const bench::PaperFlowTime& entry, const Json& ours) {
  return {{"processor", entry.processor},
          {"gpu", entry.is_gpu},
          {"one_iteration_milliseconds", entry.one_iteration},
          {"all_iterations_milliseconds", entry.all_iterations},
          {"over_ours", entry.all_iterations / ours["all_iterations_milliseconds"].number()}};
}

std::string paper_line(const std::string& who, double one, double all, double over) {
  return fmt::format("{:<24} {:12.3f} {:12.1f} {:9.2f}", who, one, all, over);
}

void report_paper_table(Session& session, const bench::PaperFlowTable& table,
                        const FlowBench& found) {
  const double one = found.seconds_of_steps(1) * 1e3;
  const double all = found.seconds_of_steps(table.iterations) * 1e3;
  const double solved = found.multigrid().seconds.median * 1e3;
  Json json = {{"table", table.number},
               {"size", to_string(table.size)},
               {"iterations", table.iterations},
               {"one_iteration_milliseconds", one},
               {"all_iterations_milliseconds", all},
               {"multigrid_milliseconds", solved},
               {"processors", Json::array()}};
  session.say(fmt::format("Table {}: {}, {} iterations; milliseconds", table.number,
                          to_string(table.size), table.iterations));
  session.say(fmt::format("{:<24} {:>12} {:>12} {:>9}", "", "one", "all", "of ours"));
  for (const bench::PaperFlowTime& entry : table.times) {
    json["processors"].push_back(json_of_paper(entry, json));
    session.say(paper_line(entry.processor, entry.one_iteration, entry.all_iterations,
                           entry.all_iterations / all));
  }
  session.say(paper_line(found.device + ", steps in f32", one, all, 1));
  session.say(fmt::format("{:<24} {:>12} {:12.1f} {:9.2f}", found.device + ", multigrid", "",
                          solved, solved / all));
  session.report().result()["paper"].push_back(std::move(json));
}

/// Those of planes, or of volumes.
std::vector<const FlowBench*> of_rank(const std::vector<FlowBench>& found, int rank) {
  std::vector<const FlowBench*> chosen;
  for (const FlowBench& measured : found) {
    if (measured.size.rank() == rank) chosen.push_back(&measured);
  }
  std::sort(chosen.begin(), chosen.end(),
            [](const auto* a, const auto* b) { return a->pixels() < b->pixels(); });
  return chosen;
}

/// Of sizes that are in order.
void report_growth(Session& session, const std::vector<const FlowBench*>& measured,
                   bool has_noise) {
  if (measured.size() < 2) return;
  std::vector<double> costs;
  std::string text;
  for (const FlowBench* entry : measured) {
    costs.push_back(entry->multigrid(has_noise).nanoseconds);
    text +=
        fmt::format("{}{} {:.1f}", text.empty() ? "" : ", ", to_string(entry->size), costs.back());
  }
  const auto [low, high] = std::minmax_element(costs.begin(), costs.end());
  session.report().result()["growth"].push_back({{"axes", measured.front()->size.rank()},
                                                 {"noise", has_noise},
                                                 {"nanoseconds", costs},
                                                 {"slowest_over_fastest", *high / *low}});
  session.say(fmt::format("{}, ns for each pixel: {}; slowest over fastest {:.2f}",
                          label_of(measured.front()->multigrid(has_noise)), text, *high / *low));
}

}  // namespace

void report_flow(Session& session, const FlowBench& found) {
  Json json = {{"size", to_string(found.size)},
               {"clock", clock_name(found.clock)},
               {"threads", threads()},
               {"level", found.level},
               {"method", found.notes},
               {"rows", Json::array()},
               {"plain_steps", found.plain_steps},
               {"solvers", Json::array()}};
  for (const FlowStepRow& row : found.steps) json["rows"].push_back(step_json(row));
  for (const FlowSolverRow& row : found.solvers) json["solvers"].push_back(json_of(row));
  if (found.scaling) json["scaling"] = scaling_json(*found.scaling);
  session.report().result()["sizes"].push_back(std::move(json));
  say_steps(session, found);
  say_solvers(session, found);
}

void report_flow_memory(Session& session, const Shape& size,
                        const std::vector<bench::FlowMemory>& found) {
  session.say(fmt::format("{:<20} {:>10} {:>10} {:>10}   bytes for each pixel of {}", "memory",
                          "estimated", "measured", "published", to_string(size)));
  for (const bench::FlowMemory& row : found) {
    const Json published = row.published ? Json(*row.published) : Json();
    session.report().result()["memory"].push_back({{"size", to_string(size)},
                                                   {"solver", name_of(row.solver)},
                                                   {"storage", name_of(row.storage)},
                                                   {"estimated_bytes", row.estimated},
                                                   {"measured_bytes", row.measured},
                                                   {"published_bytes", published}});
    session.say(fmt::format("{:<20} {:10.2f} {:10.2f} {:>10}",
                            name_of(row.solver) + " " + name_of(row.storage), row.estimated,
                            row.measured, row.published ? std::to_string(*row.published) : ""));
  }
}

void report_flow_growth(Session& session, const std::vector<FlowBench>& found) {
  for (const int rank : {2, 3}) {
    for (const bool has_noise : {true, false}) {
      report_growth(session, of_rank(found, rank), has_noise);
    }
  }
}

void report_flow_paper(Session& session, const std::vector<FlowBench>& found) {
  for (const bench::PaperFlowTable& table : bench::paper_flow_tables) {
    const auto measured = std::find_if(found.begin(), found.end(), [&](const FlowBench& entry) {
      return entry.size == table.size;
    });
    if (measured == found.end()) continue;
    if (!session.report().result().contains("paper")) {
      session.say(
          "Beside Smistad, Elster and Lindseth 2012, whose processors are many years older than "
          "this one. Their GPUs store 16 bits, their CPUs 32; multigrid solves, all others stop "
          "far from the solution. Ours is the steps alone.");
    }
    report_paper_table(session, table, *measured);
  }
}

std::string flow_plot(const std::vector<FlowBench>& found) {
  std::vector<bench::Panel> panels;
  for (const int rank : {2, 3}) {
    const auto measured = of_rank(found, rank);
    if (measured.empty()) continue;
    bench::Panel panel{
        .title = rank == 2 ? "gradient vector flow of planes" : "gradient vector flow of volumes",
        .x_label = "pixels",
        .y_label = "ns for each pixel and step; of multigrid for each pixel",
        .logarithmic = true,
        .series = {}};
    for (const FlowStepRow& first : measured.front()->steps) {
      bench::Series series{.name = name_of(first.way), .points = {}};
      for (const FlowBench* entry : measured) {
        series.points.push_back({entry->pixels(), entry->row(first.way).nanoseconds.median});
      }
      panel.series.push_back(std::move(series));
    }
    bench::Series multigrid{.name = "multigrid, all", .points = {}};
    for (const FlowBench* entry : measured) {
      multigrid.points.push_back({entry->pixels(), entry->multigrid().nanoseconds});
    }
    panel.series.push_back(std::move(multigrid));
    panels.push_back(std::move(panel));
  }
  return bench::svg_plot(panels);
}

}  // namespace meander::app
