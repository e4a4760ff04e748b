// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <algorithm>

#include "meander/outline_text.hpp"
#include "segment/segment.hpp"

namespace meander::app {
namespace {

/// What is known only of edges that were found.
Json known(const SegmentVerbOptions& given, double value) {
  return given.field.empty() ? number(value) : Json(nullptr);
}

/// Size and place, of an open curve its length alone.
void add_size(Json& json, const Curve& curve, const Spacing& spacing) {
  if (curve.is_open) {
    json["length"] = number(measure(curve, spacing).perimeter);
    return;
  }
  const ObjectMeasure size = measure_shape({.outer = {curve.points}, .holes = {}}, spacing);
  json["area"] = number(size.area);
  json["perimeter"] = number(size.perimeter);
  json["x"] = number(size.x);
  json["y"] = number(size.y);
  if (spacing.unit == Unit::pixel) json["circularity"] = number(size.circularity);
}

Json json_of(const SegmentVerbOptions& given, std::int64_t id, const EdgeOutline& outline,
             const Spacing& spacing) {
  const Curve& curve = outline.curve;
  Json json = {{"id", id}, {"nodes", curve.points.size()}};
  add_size(json, curve, {});
  json["end"] = OptionText<SnakeEnd>::format(outline.end);
  json["steps"] = outline.steps;
  json["loops"] = outline.loops;
  json["last_move"] = number(outline.last_move);
  json["on_edges"] = known(given, outline.on_edges);
  if (spacing.unit != Unit::pixel) {
    add_size(json["physical"], curve, spacing);
    json["physical"]["unit"] = name_of(spacing.unit);
  }
  return json;
}

Json json_of(const FlowFigures& flow) {
  return {{"cycles", flow.cycles.size()},
          {"relative_residual", number(flow.relative_residual)},
          {"converged", flow.converged}};
}

/// How a curve ended, before "after N steps".
std::string words(SnakeEnd end) {
  if (end == SnakeEnd::steps) return "still moving";
  if (end == SnakeEnd::points) return "too many points";
  return OptionText<SnakeEnd>::format(end);
}

/// `number` is empty, or that of one among several.
std::string sentence(const std::string& number, const EdgeOutline& outline,
                     const Spacing& spacing) {
  const std::string end = fmt::format("{} after {} steps", words(outline.end), outline.steps);
  const std::size_t nodes = outline.curve.points.size();
  if (nodes == 0) return fmt::format("outline{}: {}", number, end);
  const OutlineMeasure size = measure(outline.curve, spacing);
  const auto unit = name_of(spacing.unit);
  if (outline.curve.is_open) {
    return fmt::format("open curve{} of {} nodes: length {:.6g} {}; {}", number, nodes,
                       size.perimeter, unit, end);
  }
  return fmt::format("outline{} of {} nodes: area {:.6g} {}^2, perimeter {:.6g} {}; {}", number,
                     nodes, size.area, unit, size.perimeter, unit, end);
}

/// Of many at once.
std::string summary(const EdgeResult& result, const Spacing& spacing) {
  std::vector<double> areas;
  for (const EdgeOutline& outline : result.outlines) {
    const bool covers = !outline.curve.is_open && !outline.curve.points.empty();
    if (covers) areas.push_back(measure(outline.curve, spacing).area);
  }
  return fmt::format("{} curves: {}{} settled", result.outlines.size(),
                     areas.empty() ? "" : area_words(areas, spacing) + "; ",
                     result.outlines.size() - unsettled_of(result).size());
}

/// How there would be fewer or more edges than there are; a given field has those it has.
std::string edges_advice(const SegmentVerbOptions& given, const EdgeFigures& figures, bool more) {
  if (!given.field.empty()) return "";
  const double factor = more ? 0.5 : 2, noise_floor = given.find.edge.noise_floor;
  Scale sigma = figures.sigma;
  for (double& value : sigma.value) value *= factor;
  const std::string floor =
      noise_floor > 0
          ? fmt::format("--noise-floor {:g} (it is {:g}, edges of {:.3g} to {:.3g} a pixel) or ",
                        factor * noise_floor, noise_floor, figures.noise_floor,
                        figures.largest_edge)
          : "";
  return fmt::format(", {}--sigma {} (it is {}) leaves {} edges", floor,
                     OptionText<Scale>::format(sigma), OptionText<Scale>::format(figures.sigma),
                     more ? "more" : "fewer");
}

std::string balloon_advice(double balloon, double by) {
  return fmt::format(", --balloon {:.2g} (it is {:g}) pushes {}", balloon + by, balloon,
                     by > 0 ? "outwards" : "inwards");
}

/// What happened to a curve, and what may help.
std::string reason(const SegmentVerbOptions& given, const EdgeFigures& figures,
                   const EdgeOutline& outline) {
  constexpr double push = 0.3;
  const SnakeOptions& snake = given.find.edge.snake;
  switch (outline.end) {
    case SnakeEnd::steps:
      return fmt::format(
          "still moved by {:.3g} pixels after {} steps, expected less than {:g}; "
          "--max-steps allows more{}",
          outline.last_move, outline.steps, snake.settled, edges_advice(given, figures, false));
    case SnakeEnd::points:
      return fmt::format("needed more than {} points after {} steps; --max-points allows more{}",
                         snake.max_points, outline.steps, edges_advice(given, figures, false));
    case SnakeEnd::vanished:
      return fmt::format("shrank to nothing after {} steps, expected an edge that holds it{}{}",
                         outline.steps, edges_advice(given, figures, true),
                         balloon_advice(snake.balloon, push));
    case SnakeEnd::adrift:
      return fmt::format(
          "came to rest after {} steps with {:.0f} % of it on edges, expected half; a "
          "start nearer to the object may help{}{}",
          outline.steps, 100 * outline.on_edges, edges_advice(given, figures, true),
          balloon_advice(snake.balloon, -push));
    case SnakeEnd::crossed:
      return fmt::format(
          "could not go on without crossing itself after {} steps; a larger --beta "
          "or a smaller --step may help{}",
          outline.steps, edges_advice(given, figures, false));
    case SnakeEnd::settled:
      break;
  }
  throw LogicError("a curve that settled has no reason");
}

}  // namespace

void report_edge_plan(Session& session, const SegmentVerbOptions& given) {
  const EdgeOptions& edge = given.find.edge;
  const std::string field =
      given.field.empty()
          ? fmt::format("sigma {}, noise floor {:g}, mu {:g}",
                        edge.sigma ? OptionText<Scale>::format(*edge.sigma) : "found by itself",
                        edge.noise_floor, edge.mu)
          : "the field " + given.field;
  const std::string start = given.find.uses_region() ? "the region's outline" : words(given.init);
  const std::string line =
      fmt::format("{}, alpha {:g}, beta {:g}, force {}, start {}", field, edge.snake.alpha,
                  edge.snake.beta, OptionText<SnakeForce>::format(edge.snake.force), start);
  session.log(line);
  if (session.common().dry_run) session.say("would move by " + line);
}

void report_edge_result(Session& session, const SegmentVerbOptions& given, const EdgeResult& result,
                        const Spacing& spacing) {
  const EdgeFigures& figures = result.figures;
  const auto& outlines = result.outlines;
  Json& json = session.report().result();
  json["outlines"] = outlines.size();
  json["objects"] = Json::array();
  for (const EdgeOutline& outline : outlines) {
    const auto id = static_cast<std::int64_t>(json["objects"].size()) + 1;
    json["objects"].push_back(json_of(given, id, outline, spacing));
  }
  json["converged"] = unsettled_of(result).empty();
  if (outlines.empty()) return;
  const bool has_flow = given.field.empty();
  json["sigma"] = has_flow ? Json(OptionText<Scale>::format(figures.sigma)) : Json(nullptr);
  json["noise_floor"] = known(given, figures.noise_floor);
  json["largest_edge"] = known(given, figures.largest_edge);
  json["flow"] = has_flow ? json_of(figures.flow) : Json(nullptr);
  json["smooth_seconds"] = figures.smooth_seconds;
  json["flow_seconds"] = figures.flow_seconds;
  json["snake_seconds"] = figures.snake_seconds;
  session.log(
      fmt::format("noise floor {:.4g} and largest edge {:.4g} a pixel, {} cycles of flow, "
                  "{:.4g} s for edges, {:.4g} s for the flow and {:.4g} s for the snake",
                  figures.noise_floor, figures.largest_edge, figures.flow.cycles.size(),
                  figures.smooth_seconds, figures.flow_seconds, figures.snake_seconds));
  if (outlines.size() > most_sentences) {
    session.say(summary(result, spacing));
    return;
  }
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    const std::string number = outlines.size() > 1 ? fmt::format(" {}", i + 1) : "";
    session.say(sentence(number, outlines[i], spacing));
  }
}

std::optional<std::string> shortfall(const SegmentVerbOptions& given, const EdgeResult& result,
                                     const std::vector<std::size_t>& unsettled) {
  if (unsettled.empty()) return {};
  const std::size_t first = unsettled.front();
  const std::string others = unsettled.size() > 1
                                 ? fmt::format(" ({} of {} curves did not settle)",
                                               unsettled.size(), result.outlines.size())
                                 : "";
  return fmt::format("curve {} {}{}, {}", first + 1,
                     reason(given, result.figures, result.outlines[first]), others,
                     given.keep ? "it was written all the same" : "--keep writes it all the same");
}

}  // namespace meander::app
