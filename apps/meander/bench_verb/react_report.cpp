// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench_verb/react_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/react/paper.hpp"
#include "bench/svg_plot.hpp"
#include "bench_verb/figures.hpp"

namespace meander::app {
namespace {

using bench::Quartiles;
using bench::ReactResult;
using bench::ReactRow;
using bench::ReactWay;

/// Ours over both bounds.
Json bounds_of(const ReactResult& found) {
  const Quartiles copy = found.ours_over(ReactWay::copy), core = found.ours_over(ReactWay::core);
  const ReactWay larger = found.larger_bound();
  return {{"ours_over_copy", copy.median}, {"ours_over_copy_quartiles", quartiles_json(copy)},
          {"ours_over_core", core.median}, {"ours_over_core_quartiles", quartiles_json(core)},
          {"larger", name_of(larger)},     {"ours_over_larger", found.ours_over(larger).median}};
}

std::string text_of(const ReactRow& row) {
  const std::string moved = row.bytes == 0
                                ? "stays in the first-level cache"
                                : fmt::format("{:5d} {:7.1f}", row.bytes, row.gigabytes_per_second);
  return fmt::format("{:<12} {:8.3f}  {:>16} {:8.3f}  {:>18} {}", name_of(row.way),
                     row.nanoseconds.median, between(row.nanoseconds, 3), row.over_ours.median,
                     between(row.over_ours, 3), moved);
}

void say_ratios(Session& session, const ReactResult& found) {
  const ReactWay larger = found.larger_bound();
  const ReactWay smaller = larger == ReactWay::copy ? ReactWay::core : ReactWay::copy;
  session.say(fmt::format(
      "ours takes {} of the larger bound ({}), {} of the other ({}); plain {} times ours, "
      "vectorised {}",
      with_quartiles(found.ours_over(larger)), name_of(larger),
      with_quartiles(found.ours_over(smaller)), name_of(smaller),
      with_quartiles(found.row(ReactWay::plain).over_ours),
      with_quartiles(found.row(ReactWay::vectorised).over_ours)));
  if (found.scaling) session.say(scaling_text("ours", *found.scaling));
}

/// The entry of a square's side, if the table has it.
template <class Table>
auto entry_of(const Table& table, const Shape& size) {
  const auto found = std::find_if(std::begin(table), std::end(table), [&](const auto& entry) {
    return size.x == entry.side && size.y == entry.side;
  });
  return found == std::end(table) ? nullptr : &*found;
}

/// Our seconds beside the paper's; our gains are over its optimised loop and its GPU.
Json json_of_paper(const ReactResult& found, const bench::PaperFinal& last,
                   const bench::PaperTimes* earlier) {
  Json json = {{"size", to_string(found.size)},
               {"seconds", found.seconds},
               {"nanoseconds", found.row(ReactWay::ours).nanoseconds.median},
               {"table6",
                {{"cpu_seconds", last.cpu},
                 {"gpu_seconds", last.gpu},
                 {"cpu_nanoseconds", last.cpu_nanoseconds},
                 {"gpu_nanoseconds", last.gpu_nanoseconds}}},
               {"cpu_over_ours", last.cpu / found.seconds},
               {"gpu_over_ours", last.gpu / found.seconds}};
  if (earlier == nullptr) return json;
  json["table2"] = {{"cpu_plain_seconds", earlier->cpu_plain},
                    {"cpu_optimised_seconds", earlier->cpu_optimised}};
  json["table4"] = {{"cpu_seconds", earlier->cpu_optimised}, {"gpu_seconds", earlier->gpu}};
  return json;
}

std::string paper_line(const ReactResult& found, const bench::PaperFinal& last,
                       const bench::PaperTimes* earlier) {
  const std::string before = earlier == nullptr
                                 ? fmt::format("{:>8} {:>8} {:>8}", "", "", "")
                                 : fmt::format("{:8.2f} {:8.2f} {:8.2f}", earlier->cpu_plain,
                                               earlier->cpu_optimised, earlier->gpu);
  return fmt::format("{:<10} {} {:9.3f} {:8.3f} {:8.4f} {:9.3f} {:8.3f} {:8.3f} {:7.0f} {:7.2f}",
                     to_string(found.size), before, last.cpu, last.gpu, found.seconds,
                     last.cpu_nanoseconds, last.gpu_nanoseconds,
                     found.row(ReactWay::ours).nanoseconds.median, last.cpu / found.seconds,
                     last.gpu / found.seconds);
}

void say_paper_head(Session& session) {
  session.say(
      "Seconds for 200 steps beside Stoica, Dogaru and Stoica; their machines (Core 2 Duo E6320, "
      "GeForce GTX 650 Ti Boost) are many years older than this one. Ours is the steps alone, "
      "their GPU's includes transfers.");
  session.say(
      fmt::format("{:<10} {:>8} {:>8} {:>8} {:>9} {:>8} {:>8} {:>9} {:>8} {:>8} {:>7} {:>7}", "",
                  "2: CPU", "2,4: CPU", "4: GPU", "6: CPU", "6: GPU", "ours", "6: CPU ns", "6: GPU",
                  "ours ns", "x CPU", "x GPU"));
}

}  // namespace

void report_react(Session& session, const ReactResult& found) {
  const char* clock = clock_name(found.clock);
  Json json = {{"size", to_string(found.size)}, {"clock", clock},
               {"threads", threads()},          {"level", found.level},
               {"method", found.notes},         {"seconds", found.seconds},
               {"rows", Json::array()},         {"bounds", bounds_of(found)}};
  const std::string& device = session.device().name();
  const std::string ours = device == "cpu" ? "" : fmt::format("{}, the others on ", device);
  session.say(fmt::format("{} on {}cpu ({}), {} threads, {} time, ns for each cell and step; {}",
                          to_string(found.size), ours, found.level, threads(), clock, found.notes));
  session.say(fmt::format("{:<12} {:>8}  {:>16} {:>8}  {:>18} {:>5} {:>7}", "", "ns", "quartiles",
                          "of ours", "quartiles", "bytes", "GB/s"));
  for (const ReactRow& row : found.rows) {
    json["rows"].push_back(step_json(row));
    session.say(text_of(row));
  }
  if (found.scaling) json["scaling"] = scaling_json(*found.scaling);
  say_ratios(session, found);
  session.report().result()["sizes"].push_back(std::move(json));
}

void report_react_accuracy(Session& session, const Shape& size,
                           const std::vector<bench::ReactAccuracy>& found) {
  for (const bench::ReactAccuracy& entry : found) {
    session.report().result()["accuracy"].push_back({{"size", to_string(size)},
                                                     {"arithmetic", entry.arithmetic},
                                                     {"rms", number(entry.rms)},
                                                     {"max", number(entry.max)},
                                                     {"signs", entry.signs},
                                                     {"cells", size.x * size.y}});
    session.say(fmt::format(
        "{:<8} after 200 steps of {}, u beside float64: RMS {:.1e}, largest {:.1e}, signs that "
        "differ {} of {}",
        entry.arithmetic, to_string(size), entry.rms, entry.max, entry.signs, size.x * size.y));
  }
}

void report_react_paper(Session& session, const std::vector<ReactResult>& found) {
  Json& result = session.report().result();
  for (const ReactResult& measured : found) {
    const bench::PaperFinal* last = entry_of(bench::paper_final, measured.size);
    if (last == nullptr) continue;
    if (!result.contains("paper")) say_paper_head(session);
    const bench::PaperTimes* earlier = entry_of(bench::paper_times, measured.size);
    result["paper"].push_back(json_of_paper(measured, *last, earlier));
    session.say(paper_line(measured, *last, earlier));
  }
}

void report_react_groups(Session& session, const Shape& size,
                         const std::vector<bench::ReactGroups>& found) {
  const auto of_paper = [&](const bench::ReactGroups& way) -> std::optional<double> {
    const bench::PaperAlone* alone = entry_of(bench::paper_alone, size);
    if (way.is_alone) return alone == nullptr ? std::nullopt : std::optional(alone->gpu);
    if (size != Shape{512, 512, 1} || way.height != 1) return std::nullopt;
    const auto* warp = std::ranges::find(bench::paper_warps, way.width,
                                         [](const bench::PaperWarp& one) { return one.threads; });
    return warp == std::end(bench::paper_warps) ? std::nullopt : std::optional(warp->gpu);
  };
  session.say(
      fmt::format("{} on {}, milliseconds for 200 steps; the paper's have transfers in them",
                  to_string(size), session.device().name()));
  session.say(
      fmt::format("{:<24} {:>10}  {:>20} {:>10} {:>8}", "", "ms", "quartiles", "of ours", "paper"));
  Json json = {{"size", to_string(size)}, {"ways", Json::array()}};
  for (const bench::ReactGroups& entry : found) {
    const std::optional<double> paper = of_paper(entry);
    const Quartiles milliseconds = bench::scaled(entry.seconds, 1e3);
    Json way = {{"name", entry.name},
                {"seconds", entry.seconds.median},
                {"seconds_quartiles", quartiles_json(entry.seconds)},
                {"over_ours", entry.over_ours.median}};
    if (paper) way["paper_seconds"] = *paper;
    json["ways"].push_back(std::move(way));
    session.say(fmt::format("{:<24} {:10.3f}  {:>20} {:10.2f} {:>8}", entry.name,
                            milliseconds.median, between(milliseconds, 3), entry.over_ours.median,
                            paper ? fmt::format("{:.0f}", *paper * 1e3) : ""));
  }
  session.report().result()["groups"].push_back(std::move(json));
}

std::string react_plot(const std::vector<ReactResult>& found) {
  bench::Panel panel{.title = "reaction-diffusion, edge detector",
                     .x_label = "cells",
                     .y_label = "nanoseconds for each cell and step",
                     .logarithmic = true,
                     .series = {}};
  for (const ReactRow& first : found.front().rows) {
    bench::Series series{.name = name_of(first.way), .points = {}};
    for (const ReactResult& measured : found) {
      series.points.push_back({static_cast<double>(measured.size.x * measured.size.y),
                               measured.row(first.way).nanoseconds.median});
    }
    std::sort(series.points.begin(), series.points.end());
    panel.series.push_back(std::move(series));
  }
  return bench::svg_plot({panel});
}

}  // namespace meander::app
