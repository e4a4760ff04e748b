// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "bench/flow/paper.hpp"
#include "bench_verb/flow_report.hpp"

namespace meander::app {
namespace {

using bench::Moments;

Json json_of(const Moments& moments) {
  return {{"mean", number(moments.mean)},
          {"variance", number(moments.variance)},
          {"max", number(moments.max)},
          {"min", number(moments.min)}};
}

std::string cells_of(const Moments& moments) {
  return fmt::format("{:.2e} | {:.2e} | {:.2e} | {:.2e}", moments.mean, moments.variance,
                     moments.max, moments.min);
}

std::string line_of(const bench::FlowAccuracy& row) {
  const bench::FieldErrors& errors = row.errors;
  return fmt::format("| {}: {} | {} | {} | {} | {} | {:.2e} | {:.2e} |", row.image, row.found,
                     row.wanted, cells_of(errors.magnitude), cells_of(errors.angle),
                     errors.left_out, errors.largest_turned, errors.distance);
}

std::string paper_line() {
  return fmt::format("| published: 16 bits | 32 bits | {} | {} | – | {:.2e} | – |",
                     cells_of(bench::paper_flow_magnitude), cells_of(bench::paper_flow_angle),
                     bench::paper_flow_turned);
}

Json json_of_paper() {
  return {{"magnitude", json_of(bench::paper_flow_magnitude)},
          {"angle", json_of(bench::paper_flow_angle)},
          {"largest_turned", bench::paper_flow_turned}};
}

}  // namespace

void report_flow_accuracy(Session& session, const bench::FlowAccuracies& found) {
  Json rows = Json::array();
  session.say(fmt::format(
      "{}, {} steps: difference of lengths and angle (radians) between vectors; vectors left out "
      "because one of the two is 0; largest length, of the second field, among those turned by "
      "more than 0.1; distance of the fields over the length of the second.",
      to_string(found.size), found.steps));
  session.say(
      "| field | beside | length: mean | variance | max | min | angle: mean | variance | max | min "
      "| left out | turned | distance |");
  session.say("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
  for (const bench::FlowAccuracy& row : found.rows) {
    rows.push_back({{"image", row.image},
                    {"field", row.found},
                    {"beside", row.wanted},
                    {"vectors", row.errors.vectors},
                    {"magnitude", json_of(row.errors.magnitude)},
                    {"angle", json_of(row.errors.angle)},
                    {"left_out", row.errors.left_out},
                    {"largest_turned", number(row.errors.largest_turned)},
                    {"distance", number(row.errors.distance)}});
    session.say(line_of(row));
  }
  session.say(paper_line());
  session.report().result()["accuracy"].push_back({{"size", to_string(found.size)},
                                                   {"steps", found.steps},
                                                   {"rows", std::move(rows)},
                                                   {"paper", json_of_paper()}});
}

}  // namespace meander::app
