// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench_verb/segment_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/svg_plot.hpp"
#include "bench_verb/figures.hpp"

namespace meander::app {
namespace {

using bench::SegmentBench;
using bench::SegmentCourse;
using bench::SegmentMemory;
using bench::SegmentRow;
using bench::SegmentWay;

Json or_null(const std::optional<double>& value) { return value ? number(*value) : Json(); }

Json json_of(const SegmentCourse& course) {
  return {{"noise", OptionText<NoiseModel>::format(course.figures.noise)},
          {"criterion", number(course.figures.criterion)},
          {"build_seconds", course.build.median},
          {"search_seconds", course.search.median},
          {"build_share", course.build_share()},
          {"sums_share", or_null(course.sums_share)},
          {"iterations", course.figures.iterations},
          {"seconds_of_iteration", course.seconds_of_iteration()},
          {"evaluations", course.figures.evaluations},
          {"nodes", course.nodes}};
}

Json json_of(const SegmentMemory& memory, double pixels) {
  Json json = {{"estimated_bytes", or_null(memory.estimated)},
               {"measured_bytes", memory.measured},
               {"process_bytes", Json()},
               {"fresh_seconds", Json()}};
  if (memory.child) {
    json["process_bytes"] = static_cast<double>(memory.child->peak_bytes) / pixels;
    json["fresh_seconds"] = memory.child->seconds;
  }
  return json;
}

Json json_of(const SegmentRow& row, double pixels) {
  if (!row.skipped.empty()) return {{"name", name_of(row.way)}, {"skipped", row.skipped}};
  Json json = {{"name", name_of(row.way)},
               {"seconds", row.seconds.median},
               {"seconds_quartiles", quartiles_json(row.seconds)},
               {"nanoseconds_of_pixel", row.seconds.median * 1e9 / pixels},
               {"over_paper", Json()},
               {"over_paper_quartiles", Json()},
               {"over_read", row.over_read.median},
               {"over_read_quartiles", quartiles_json(row.over_read)},
               {"iou", or_null(row.iou)}};
  if (row.over_paper) {
    json["over_paper"] = row.over_paper->median;
    json["over_paper_quartiles"] = quartiles_json(*row.over_paper);
  }
  if (row.course) json["course"] = json_of(*row.course);
  if (row.memory) json["memory"] = json_of(*row.memory, pixels);
  return json;
}

std::string cell(const char* format, const std::optional<double>& value) {
  return value ? fmt::format(fmt::runtime(format), *value) : "";
}

std::string time_text(const SegmentRow& row) {
  if (!row.skipped.empty()) return fmt::format("{:<24} {}", name_of(row.way), row.skipped);
  const bool has_ratio = row.over_paper.has_value();
  return fmt::format("{:<24} {:10.3f}  {:>22} {:>8}  {:>18} {:9.1f} {:>8}", name_of(row.way),
                     row.seconds.median * 1e3, between(bench::scaled(row.seconds, 1e3), 3),
                     has_ratio ? fmt::format("{:.3f}", row.over_paper->median) : "",
                     has_ratio ? between(*row.over_paper, 3) : "", row.over_read.median,
                     cell("{:.5f}", row.iou));
}

std::string course_text(const SegmentRow& row, double pixels) {
  const SegmentCourse& course = *row.course;
  const SegmentMemory& memory = *row.memory;
  const auto& child = memory.child;
  return fmt::format(
      "{:<24} {:9.3f} {:9.3f} {:6.0f} {:>6} {:6} {:8.3f} {:9} {:6} {:7.2f} {:>7} {:>9}",
      name_of(row.way), course.build.median * 1e3, course.search.median * 1e3,
      100 * course.build_share(),
      course.sums_share ? fmt::format("{:.0f}", 100 * *course.sums_share) : "",
      course.figures.iterations, course.seconds_of_iteration() * 1e3, course.figures.evaluations,
      course.nodes, memory.measured,
      child ? fmt::format("{:.2f}", static_cast<double>(child->peak_bytes) / pixels) : "",
      child ? fmt::format("{:.1f}", child->seconds * 1e3) : "");
}

void say_times(Session& session, const SegmentBench& found) {
  session.say(fmt::format("{} u16 with noise of SNR 1 on {}, {} threads, {} time, {} runs",
                          to_string(found.size), found.device, threads(), clock_name(found.clock),
                          found.runs));
  session.say(fmt::format("{:<24} {:>10}  {:>22} {:>8}  {:>18} {:>9} {:>8}", "", "ms", "quartiles",
                          "of first", "quartiles", "of a read", "IoU"));
  for (const SegmentRow& row : found.rows) session.say(time_text(row));
}

void say_courses(Session& session, const SegmentBench& found) {
  session.say(
      fmt::format("{:<24} {:>9} {:>9} {:>6} {:>6} {:>6} {:>8} {:>9} {:>6} {:>7} {:>7} {:>9}", "",
                  "build ms", "search ms", "build%", "sums%", "rounds", "ms/round", "outlines",
                  "nodes", "B/pixel", "process", "fresh ms"));
  for (const SegmentRow& row : found.rows) {
    if (row.course) session.say(course_text(row, found.pixels()));
  }
  session.say(
      "build: sums along rows and over blocks, of the time of both parts; sums: along edges and "
      "over triangles, of a run; B/pixel: device memory beyond the image; process: the same of a "
      "process of its own, and its time with memory nobody has touched");
}

void say_otsu(Session& session, const SegmentBench& found) {
  const SegmentRow &otsu = found.row(SegmentWay::otsu),
                   &ours = found.row(SegmentWay::base32_pyramid);
  if (!otsu.skipped.empty() || !ours.skipped.empty()) return;
  session.say(
      fmt::format("blur + Otsu with sigma {}, the best of 4 against the truth: IoU {:.5f} beside "
                  "{:.5f}, {:.2f} "
                  "times the time, {:.2f} bytes a pixel beside {:.2f}",
                  found.otsu_sigma, *otsu.iou, *ours.iou, otsu.seconds.median / ours.seconds.median,
                  otsu.memory->measured, ours.memory->measured));
}

std::vector<const SegmentBench*> by_pixels(const std::vector<SegmentBench>& found) {
  std::vector<const SegmentBench*> sorted;
  for (const SegmentBench& entry : found) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto* a, const auto* b) { return a->pixels() < b->pixels(); });
  return sorted;
}

void report_growth_of(Session& session, const std::vector<const SegmentBench*>& measured,
                      SegmentWay way) {
  std::vector<double> costs;
  std::string text;
  for (const SegmentBench* entry : measured) {
    const SegmentRow& row = entry->row(way);
    if (!row.skipped.empty()) continue;
    costs.push_back(row.seconds.median * 1e9 / entry->pixels());
    text +=
        fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ", to_string(entry->size), costs.back());
  }
  if (costs.size() < 2) return;
  const auto [low, high] = std::minmax_element(costs.begin(), costs.end());
  session.report().result()["growth"].push_back({{"name", name_of(way)},
                                                 {"nanoseconds_of_pixel", costs},
                                                 {"slowest_over_fastest", *high / *low}});
  session.say(fmt::format("{}, ns for each pixel: {}; slowest over fastest {:.2f}", name_of(way),
                          text, *high / *low));
}

}  // namespace

void report_segment(Session& session, const SegmentBench& found) {
  Json json = {{"size", to_string(found.size)},  {"clock", clock_name(found.clock)},
               {"threads", threads()},           {"runs", found.runs},
               {"otsu_sigma", found.otsu_sigma}, {"rows", Json::array()}};
  for (const SegmentRow& row : found.rows) json["rows"].push_back(json_of(row, found.pixels()));
  if (found.scaling) json["scaling"] = scaling_json(*found.scaling);
  session.report().result()["sizes"].push_back(std::move(json));
  say_times(session, found);
  say_courses(session, found);
  say_otsu(session, found);
  if (found.scaling) {
    session.say(scaling_text(name_of(SegmentWay::base32_pyramid), *found.scaling));
  }
}

void report_segment_growth(Session& session, const std::vector<SegmentBench>& found) {
  for (const SegmentWay way : {SegmentWay::paper, SegmentWay::base32_pyramid}) {
    report_growth_of(session, by_pixels(found), way);
  }
}

std::string segment_plot(const std::vector<SegmentBench>& found) {
  bench::Panel panel{.title = "region snake",
                     .x_label = "pixels",
                     .y_label = "milliseconds",
                     .logarithmic = true,
                     .series = {}};
  for (const SegmentWay way : bench::segment_ways) {
    bench::Series series{.name = name_of(way), .points = {}};
    for (const SegmentBench* entry : by_pixels(found)) {
      if (!entry->row(way).skipped.empty()) continue;
      series.points.push_back({entry->pixels(), entry->row(way).seconds.median * 1e3});
    }
    panel.series.push_back(std::move(series));
  }
  return bench::svg_plot({panel});
}

}  // namespace meander::app
