// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "input/input_image.hpp"
#include "segment/segment.hpp"

namespace meander::app {

void check_truth(Session& session, const std::string& path, io::Reader& truth) {
  if (truth.description().channels < 3) return;
  const SlabPlan plan =
      plan_slabs(truth.description().shape, padded_bytes(slab_step(truth.description())));
  for_each_slab(session, plan, [&](std::int64_t begin, std::int64_t end, const Control& control) {
    grey_of(truth.slab(begin, end, {.stop = control.stop}), path);
  });
}

TruthScore score_of(Session& session, const std::string& path, io::Reader& truth,
                    std::vector<LabelledRegion> objects) {
  Description labels = truth.description();
  labels.type = PixelType::u16;
  labels.channels = 1;
  const SlabPlan plan = plan_slabs(
      labels.shape, padded_bytes(slab_step(labels)) + padded_bytes(slab_step(truth.description())));
  TruthScorer scorer(std::move(objects), labels.shape);
  for_each_slab(session, plan, [&](std::int64_t begin, std::int64_t end, const Control& control) {
    const Control stop{.stop = control.stop};
    const Image rows =
        session.report().timed("read", [&] { return grey_of(truth.slab(begin, end, stop), path); });
    scorer.add_rows(rows, begin, stop);
  });
  return scorer.score({.stop = session.control().stop});
}

namespace {

/// Of outlines and the objects of the truth that they find.
void report_boundaries(Session& session, const TruthScore& score) {
  if (!score.objects || score.objects->boundaries.empty()) return;
  const BoundaryDistance distance = score.objects->boundary();
  Json& result = session.report().result();
  result["boundary_mean"] = distance.mean;
  result["boundary_95"] = distance.percentile_95;
  result["boundary_max"] = distance.max;
  session.say(
      fmt::format("distance to the outlines of the truth: {:.4g} pixels on average, the 95th "
                  "percentile of an object {:.4g} on average, at most {:.4g}",
                  distance.mean, distance.percentile_95, distance.max));
}

}  // namespace

void report_score(Session& session, const TruthScore& score) {
  Json& result = session.report().result();
  result["iou"] = number(score.iou());
  session.say(fmt::format("intersection over union with the truth: {:.6g}", score.iou()));
  report_boundaries(session, score);
  if (!score.objects || !score.has_labels) return;
  const TruthScore::Objects& objects = *score.objects;
  result["objects_found"] = objects.found;
  result["objects_missed"] = objects.missed;
  result["objects_false"] = objects.wrong;
  result["objects_split"] = objects.split;
  result["objects_merged"] = objects.merged;
  result["mean_iou"] = number(objects.mean_iou);
  const std::string mean =
      objects.found > 0 ? fmt::format(", mean intersection over union {:.6g}", objects.mean_iou)
                        : "";
  const auto part = [](std::int64_t count, const char* what) {
    return count > 0 ? fmt::format(", {} of them {}", count, what) : std::string();
  };
  session.say(
      fmt::format("objects of the truth: {} found{}; {} missed{}; outlines that match none: {}{}",
                  objects.found, mean, objects.missed, part(objects.split, "in parts"),
                  objects.wrong, part(objects.merged, "around several")));
}

}  // namespace meander::app
