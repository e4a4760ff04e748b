// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "bench_segment_report.hpp"

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
      "{}, {} stars of each kind: intersection over union with the truth, the least and the mean. "
      "Given: the family of the noise is given. Auto: it is found; in brackets how often it was "
      "that one. Blur + Otsu: with the one of 4 scales that has the best mean.",
      to_string(found.size), found.seeds));
  session.say(
      "| image | given: least | mean | auto: least | mean | chosen | blur + Otsu: least | mean | "
      "sigma |");
  session.say("|---|---|---|---|---|---|---|---|---|");
  Json rows = Json::array();
  for (const bench::SegmentAccuracy& row : found.rows) {
    const std::string noise = OptionText<NoiseModel>::format(row.noise);
    rows.push_back({{"image", row.image},
                    {"noise", noise},
                    {"given", json_of(row.given)},
                    {"auto", json_of(row.automatic)},
                    {"auto_chose_it", row.chosen},
                    {"otsu", json_of(row.otsu)},
                    {"otsu_sigma", row.otsu_sigma}});
    session.say(fmt::format("| {} | {} | {} | {} ({}) | {} | {} |", row.image, cells_of(row.given),
                            cells_of(row.automatic), noise, row.chosen, cells_of(row.otsu),
                            row.otsu_sigma));
  }
  session.report().result()["accuracy"].push_back(
      {{"size", to_string(found.size)}, {"seeds", found.seeds}, {"rows", std::move(rows)}});
}

}  // namespace meander::app
