// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "segment.hpp"

namespace meander::app {
namespace {

Json json_of(const RegionStatistics& region) {
  return {
      {"pixels", region.pixels}, {"mean", number(region.mean)}, {"sigma", number(region.sigma)}};
}

Json json_of(const Outline& outline, const Spacing& spacing) {
  Json json = {{"nodes", outline.polygon.vertices.size()},
               {"area", number(outline.area)},
               {"perimeter", number(outline.perimeter)},
               {"criterion", number(outline.criterion)},
               {"gain", number(outline.gain)},
               {"inside", json_of(outline.inside)},
               {"outside", json_of(outline.outside)}};
  if (spacing.unit != Unit::pixel) {
    const OutlineMeasure size = measure(outline.polygon, spacing);
    json["physical"] = {{"area", number(size.area)},
                        {"perimeter", number(size.perimeter)},
                        {"unit", name_of(spacing.unit)}};
  }
  return json;
}

std::string noise_words(const SegmentFigures& figures) {
  const std::string name = OptionText<NoiseModel>::format(figures.noise);
  return figures.noise == NoiseModel::gamma
             ? fmt::format("{} noise with L = {:.3g}", name, figures.looks)
             : name + " noise";
}

std::string sentence(const Outline& outline, const Spacing& spacing) {
  const OutlineMeasure size = measure(outline.polygon, spacing);
  const auto unit = name_of(spacing.unit);
  return fmt::format(
      "outline of {} nodes: area {:.6g} {}^2, perimeter {:.6g} {}, mean {:.6g} inside and {:.6g} "
      "outside",
      outline.polygon.vertices.size(), size.area, unit, size.perimeter, unit, outline.inside.mean,
      outline.outside.mean);
}

void say_result(const Session& session, const SegmentResult& result, const Spacing& spacing) {
  if (result.outlines.empty()) {
    session.say(fmt::format("no outline: under {} the image is described best as one region",
                            noise_words(result.figures)));
  }
  for (const Outline& outline : result.outlines) {
    session.say(fmt::format("{}; {}", sentence(outline, spacing), noise_words(result.figures)));
  }
}

}  // namespace

Spacing spacing_of_files(const SegmentVerbOptions& given, const Spacing& image) {
  return given.units == OutlineUnits::pixel || image.unit == Unit::pixel ? Spacing{} : image;
}

void report_region_plan(Session& session, const SegmentVerbOptions& given) {
  const std::string line =
      fmt::format("schedule {}, store {}, noise {}, start {}",
                  OptionText<SegmentSchedule>::format(given.schedule),
                  OptionText<SumStore>::format(given.store),
                  OptionText<NoiseModel>::format(given.noise), words(given.init));
  session.log(line);
  if (session.common().dry_run) session.say("would search with " + line);
}

void report_region_result(Session& session, const SegmentResult& result, const Spacing& spacing) {
  const SegmentFigures& figures = result.figures;
  Json& json = session.report().result();
  json["outlines"] = result.outlines.size();
  json["noise"] = OptionText<NoiseModel>::format(figures.noise);
  json["looks"] = figures.noise == NoiseModel::gamma ? number(figures.looks) : Json(nullptr);
  json["criterion"] = number(figures.criterion);
  json["evaluations"] = figures.evaluations;
  json["iterations"] = figures.iterations;
  json["build_seconds"] = figures.build_seconds;
  json["search_seconds"] = figures.search_seconds;
  json["offset"] = number(figures.offset);
  json["scale"] = number(figures.scale);
  Json objects = Json::array();
  for (const Outline& outline : result.outlines) objects.push_back(json_of(outline, spacing));
  json["objects"] = std::move(objects);
  session.log(
      fmt::format("{} outlines tried in {} rounds, {:.4g} s for sums and {:.4g} s for the "
                  "search; criterion {:.9g}",
                  figures.evaluations, figures.iterations, figures.build_seconds,
                  figures.search_seconds, figures.criterion));
  say_result(session, result, spacing);
}

}  // namespace meander::app
