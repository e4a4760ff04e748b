// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <array>

#include "bench/segment/plain.hpp"
#include "bench/segment/scene.hpp"
#include "bench/segment/segment.hpp"

namespace meander::bench {
namespace {

struct Case {
  std::string name;
  NoiseModel noise;
  PhantomOptions options;
  double share = 0;  ///< Of the image's pixels that the star has; 0: a large star.
};

PhantomOptions gaussian(double snr) { return {.noise = {NoiseFamily::gaussian}, .snr = snr}; }

std::vector<Case> cases() {
  std::vector<Case> all{
      {"SNR 2", NoiseModel::gaussian, gaussian(2)},
      {"SNR 1", NoiseModel::gaussian, gaussian(1)},
      {"SNR 0.5", NoiseModel::gaussian, gaussian(0.5)},
      {"SNR 0.25", NoiseModel::gaussian, gaussian(0.25)},
      {"equal means, 1.5 sigma", NoiseModel::gaussian, {.noise = {NoiseFamily::variance, 1.5}}},
      {"speckle, 1.3 times as bright",
       NoiseModel::gamma,
       {.noise = {NoiseFamily::gamma}, .levels = std::array{2000.0, 2600.0}}}};
  const std::vector<Case> straight = all;
  all.push_back({"SNR 2, 0.13 % of the area", NoiseModel::gaussian, gaussian(2), 0.0013});
  all.push_back({"SNR 1, 0.13 % of the area", NoiseModel::gaussian, gaussian(1), 0.0013});
  for (Case entry : straight) {
    entry.name = "flower, " + entry.name;
    entry.options.kind = PhantomKind::flower;
    all.push_back(entry);
  }
  return all;
}

SegmentScene scene_of(Case entry, const Shape& size, int seed, const Control& control) {
  entry.options.size = size;
  entry.options.seed = static_cast<std::uint64_t>(seed);
  return entry.share > 0 ? small_star_scene(entry.options, entry.share, control)
                         : scene_with(entry.options, control);
}

/// The least and the mean of some scores.
IouSpread spread_of(const std::vector<double>& scores) {
  IouSpread spread;
  for (const double score : scores) {
    spread.least = std::min(spread.least, score);
    spread.mean += score / static_cast<double>(scores.size());
  }
  return spread;
}

/// Scores of one case, a number for each seed.
struct Scores {
  std::vector<double> given, automatic, polygon, nodes;
  std::array<std::vector<double>, std::size(otsu_sigmas)> otsu;
  std::int64_t chosen = 0;
};

void add_scores(Scores& scores, const SegmentScene& scene, NoiseModel noise, const Device& device,
                const Control& control) {
  const Image image = device.upload(scene.image);
  const SegmentResult given = segment(image, {.noise = noise}, {}, control);
  scores.given.push_back(iou_of(given.outlines, scene.truth));
  const SegmentResult found = segment(image, {}, {}, control);
  scores.automatic.push_back(iou_of(found.outlines, scene.truth));
  scores.chosen += found.figures.noise == noise;
  const SegmentResult straight =
      segment(image, {.noise = noise, .shape = OutlineShape::polygon}, {}, control);
  scores.polygon.push_back(iou_of(straight.outlines, scene.truth));
  double nodes = 0;
  for (const Outline& outline : given.outlines) {
    nodes += static_cast<double>(nodes_of(outline).size());
  }
  scores.nodes.push_back(nodes);
  for (std::size_t i = 0; i < scores.otsu.size(); ++i) {
    const Image mask = blurred_otsu(image, otsu_sigmas[i], control);
    scores.otsu[i].push_back(iou_of(mask, scene.truth));
  }
}

SegmentAccuracy row_of(const Case& entry, const Scores& scores) {
  SegmentAccuracy row{.image = entry.name,
                      .noise = entry.noise,
                      .given = spread_of(scores.given),
                      .automatic = spread_of(scores.automatic),
                      .polygon = spread_of(scores.polygon),
                      .otsu = {},
                      .nodes = spread_of(scores.nodes).mean,
                      .chosen = scores.chosen};
  for (std::size_t i = 0; i < scores.otsu.size(); ++i) {
    const IouSpread spread = spread_of(scores.otsu[i]);
    if (row.otsu_sigma != 0 && spread.mean <= row.otsu.mean) continue;
    row.otsu = spread;
    row.otsu_sigma = otsu_sigmas[i];
  }
  return row;
}

}  // namespace

SegmentAccuracies segment_accuracy(const Shape& size, int seeds, const Device& device,
                                   const Control& control) {
  SegmentAccuracies result{.size = size, .seeds = seeds, .rows = {}};
  const std::vector<Case> all = cases();
  const auto images = static_cast<double>(all.size()) * seeds;
  double done = 0;
  for (const Case& entry : all) {
    Scores scores;
    for (int seed = 0; seed < seeds; ++seed) {
      control.step(done++ / images);
      const Control quiet{.stop = control.stop, .progress = {}};
      add_scores(scores, scene_of(entry, size, seed, quiet), entry.noise, device, quiet);
    }
    result.rows.push_back(row_of(entry, scores));
  }
  control.step(1);
  return result;
}

}  // namespace meander::bench
