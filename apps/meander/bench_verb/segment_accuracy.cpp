// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "bench_verb/segment_report.hpp"

namespace meander::app {
namespace {

Json json_of(const bench::IouSpread& spread) {
  return {{"least", spread.least}, {"mean", spread.mean}};
}

std::string cells_of(const bench::IouSpread& spread) {
  return fmt::format("{:.4f} | {:.4f}", spread.least, spread.mean);
}

}  // namespace

void report_segment_accuracy(Session& session, const bench::SegmentAccuracies& found) {
  session.say(fmt::format(
      "{}, {} images of each kind: intersection over union with the truth, the least and the mean. "
      "Given: the family of the noise is given; with its nodes, and with polygons alone. Auto: it "
      "is found; in brackets how often it was that one. Blur + Otsu: with the one of 4 scales that "
      "has the best mean.",
      to_string(found.size), found.seeds));
  session.say(
      "| image | given: least | mean | nodes | polygons: least | mean | auto: least | mean | "
      "chosen | blur + Otsu: least | mean | sigma |");
  session.say("|---|---|---|---|---|---|---|---|---|---|---|---|");
  Json rows = Json::array();
  for (const bench::SegmentAccuracy& row : found.rows) {
    const std::string noise = OptionText<NoiseModel>::format(row.noise);
    rows.push_back({{"image", row.image},
                    {"noise", noise},
                    {"given", json_of(row.given)},
                    {"nodes", row.nodes},
                    {"polygon", json_of(row.polygon)},
                    {"auto", json_of(row.automatic)},
                    {"auto_chose_it", row.chosen},
                    {"otsu", json_of(row.otsu)},
                    {"otsu_sigma", row.otsu_sigma}});
    session.say(fmt::format("| {} | {} | {:.1f} | {} | {} | {} ({}) | {} | {} |", row.image,
                            cells_of(row.given), row.nodes, cells_of(row.polygon),
                            cells_of(row.automatic), noise, row.chosen, cells_of(row.otsu),
                            row.otsu_sigma));
  }
  session.report().result()["accuracy"].push_back(
      {{"size", to_string(found.size)}, {"seeds", found.seeds}, {"rows", std::move(rows)}});
}

}  // namespace meander::app
