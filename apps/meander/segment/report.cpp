// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <algorithm>

#include "meander/outline_text.hpp"
#include "options/readable_unit.hpp"
#include "segment/segment.hpp"
#include "session/timed_compute.hpp"

namespace meander::app {
namespace {

Json json_of(const RegionStatistics& region) {
  return {
      {"pixels", region.pixels}, {"mean", number(region.mean)}, {"sigma", number(region.sigma)}};
}

Json json_of(const Outline& outline, const Spacing& spacing) {
  const ObjectMeasure found = measure(outline, {});
  Json json = {{"id", outline.id},
               {"shape", spline_of(outline) != nullptr ? "curve" : "polygon"},
               {"nodes", nodes_of(outline).size()},
               {"holes", outline.holes.size()},
               {"area", number(outline.area)},
               {"perimeter", number(outline.perimeter)},
               {"circularity", number(found.circularity)},
               {"x", number(found.x)},
               {"y", number(found.y)},
               {"contrast", number(found.contrast)},
               {"criterion", number(outline.criterion)},
               {"gain", number(outline.gain)},
               {"inside", json_of(outline.inside)},
               {"outside", json_of(outline.outside)}};
  if (spacing.unit != Unit::pixel) {
    const ObjectMeasure size = measure(outline, spacing);
    json["physical"] = {{"area", number(size.area)},
                        {"perimeter", number(size.perimeter)},
                        {"x", number(size.x)},
                        {"y", number(size.y)},
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

std::string hole_words(std::size_t holes) {
  if (holes == 0) return "";
  return holes == 1 ? " and a hole" : fmt::format(" and {} holes", holes);
}

/// Of one among several with its number.
std::string sentence(const Outline& outline, bool is_one_of_several, const Spacing& spacing) {
  const ObjectMeasure size = measure(outline, spacing);
  const auto unit = name_of(spacing.unit);
  return fmt::format(
      "{}{} of {} nodes{}: area {:.6g} {}^2, perimeter {:.6g} {}, mean {:.6g} inside and "
      "{:.6g} outside",
      spline_of(outline) != nullptr ? "curve" : "outline",
      is_one_of_several ? fmt::format(" {}", outline.id) : "", nodes_of(outline).size(),
      hole_words(outline.holes.size()), size.area, unit, size.perimeter, unit, outline.inside.mean,
      outline.outside.mean);
}

/// Of many at once.
std::string summary(const std::vector<Outline>& outlines, const Spacing& spacing) {
  std::vector<double> areas, circularities;
  std::size_t holes = 0;
  for (const Outline& outline : outlines) {
    const ObjectMeasure size = measure(outline, spacing);
    areas.push_back(size.area);
    circularities.push_back(size.circularity);
    holes += outline.holes.size();
  }
  return fmt::format("{} outlines{}: {}, circularity median {:.3g}", outlines.size(),
                     hole_words(holes), area_words(areas, spacing), median_of(circularities));
}

using LeftOut = std::map<ObjectBound, std::size_t>;

std::string words_of_none(const LeftOut& left_out, const SegmentFigures& figures) {
  if (left_out.empty()) {
    return fmt::format("no outline: under {} the image is described best as one region",
                       noise_words(figures));
  }
  std::string bounds;
  std::size_t count = 0;
  for (const auto& [bound, number] : left_out) {
    count += number;
    bounds += fmt::format("{}{} by --{}", bounds.empty() ? "" : ", ", number,
                          OptionText<ObjectBound>::format(bound));
  }
  return fmt::format("no outline: {} object{} found and left out: {}", count,
                     count == 1 ? " was" : "s were", bounds);
}

void say_result(const Session& session, const FindResult& found, const Spacing& spacing) {
  const SegmentResult& result = *found.region;
  if (result.outlines.empty()) session.say(words_of_none(found.left_out, result.figures));
  const std::string noise = noise_words(result.figures);
  if (result.outlines.size() > most_sentences) {
    session.say(fmt::format("{}; {}", summary(result.outlines, spacing), noise));
    return;
  }
  for (const Outline& outline : result.outlines) {
    const bool is_one_of_several = result.outlines.size() > 1;
    session.say(fmt::format("{}; {}", sentence(outline, is_one_of_several, spacing), noise));
  }
}

}  // namespace

std::string area_words(const std::vector<double>& areas, const Spacing& spacing) {
  const auto [least, most] = std::minmax_element(areas.begin(), areas.end());
  return fmt::format("area median {:.6g} {}^2, from {:.6g} to {:.6g}", median_of(areas),
                     name_of(spacing.unit), *least, *most);
}

Spacing spacing_of_results(const SegmentVerbOptions& given, const Spacing& image) {
  const bool is_pixel = given.units == OutlineUnits::pixel || image.unit == Unit::pixel;
  return is_pixel ? Spacing{} : readable(image);
}

void report_region_plan(Session& session, const SegmentVerbOptions& given) {
  const SegmentOptions& search = given.find.region.search;
  const std::string line =
      fmt::format("schedule {}, store {}, noise {}, start {}",
                  OptionText<SegmentSchedule>::format(search.schedule),
                  OptionText<SumStore>::format(search.store),
                  OptionText<NoiseModel>::format(search.noise), words(given.init));
  session.log(line);
  if (session.common().dry_run) session.say("would search with " + line);
}

void report_region_result(Session& session, const FindResult& found, const Spacing& spacing) {
  const SegmentResult& result = *found.region;
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
  json["background"] = figures.is_local ? "local" : "global";
  json["offset"] = number(figures.offset);
  json["scale"] = number(figures.scale);
  Json objects = Json::array();
  for (const Outline& outline : result.outlines) objects.push_back(json_of(outline, spacing));
  json["objects"] = std::move(objects);
  for (const auto& [bound, number] : found.left_out) {
    json["left_out"][OptionText<ObjectBound>::format(bound)] = number;
  }
  session.log(
      fmt::format("{} outlines tried in {} rounds, {:.4g} s for sums and {:.4g} s for the "
                  "search; criterion {:.9g}",
                  figures.evaluations, figures.iterations, figures.build_seconds,
                  figures.search_seconds, figures.criterion));
  say_result(session, found, spacing);
}

}  // namespace meander::app
