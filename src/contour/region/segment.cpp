// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/segment.hpp"

#include <algorithm>
#include <cmath>

#include "contour/geometry/clip.hpp"
#include "contour/likelihood/criterion.hpp"
#include "contour/likelihood/grey_levels.hpp"
#include "contour/likelihood/noise_choice.hpp"
#include "contour/region/check.hpp"
#include "contour/region/confine.hpp"
#include "contour/region/search.hpp"
#include "core/control_part.hpp"
#include "core/image_state.hpp"

namespace meander {
namespace {

using contour::Criterion;
using contour::Found;
using contour::Levels;

Outline outline_of(const Found& found, const Criterion& criterion, const Levels& levels) {
  return {.polygon = found.outline,
          .splines = found.spline ? std::vector{*found.spline} : std::vector<Spline>{},
          .area = found.outline.signed_area(),
          .perimeter = found.outline.perimeter(),
          .criterion = found.criterion,
          .gain = criterion.undivided() - found.criterion,
          .inside = contour::statistics_of(found.inside, levels),
          .outside = contour::statistics_of(criterion.total() - found.inside, levels),
          .confidence = found.confidence};
}

/// The start within the image, in the order of positive area.
SegmentInputs prepared(SegmentInputs inputs, const Shape& image) {
  if (!inputs.start) return inputs;
  inputs.start = contour::clipped(*inputs.start, image);
  if (inputs.start->signed_area() < 0) {
    std::reverse(inputs.start->vertices.begin(), inputs.start->vertices.end());
  }
  return inputs;
}

/// One that may not go far from its start.
struct ConfinedSearch {
  ConfinedSearch(contour::Confinement confinement, const contour::SumLevels& image,
                 const SegmentOptions& options, const SegmentInputs& inputs, const Control& control)
      : within(std::move(confinement)),
        obstacles(contour::box_around(within.zone), {&within.zone}),
        search(image, options, inputs, control, {contour::everywhere(image).limits, &obstacles}) {}
  ConfinedSearch(const ConfinedSearch&) = delete;
  ConfinedSearch& operator=(const ConfinedSearch&) = delete;

  contour::Confinement within;
  contour::Obstacles obstacles;
  contour::Search search;
};

}  // namespace

SegmentResult segment(const Image& image, const SegmentOptions& options, const SegmentInputs& given,
                      const Control& control) {
  contour::check_segment(image.description(), options, image.device(), given);
  SegmentInputs inputs = prepared(given, image.shape());
  // One search after another is told as one.
  std::int64_t changes = 0, changes_before = 0;
  if (given.on_change) {
    inputs.on_change = [&](SegmentState state) {
      state.iteration += changes_before;
      changes = state.iteration;
      given.on_change(state);
    };
  }
  const auto begin = contour::Clock::now();
  const contour::GreyLevels grey = contour::grey_levels(image, options, control);
  const Control told = rising(control);
  told.step(0);
  const contour::SumLevels sums(grey.pixels.state().backend, grey.pixels.state().view, options);
  SegmentResult result;
  SegmentFigures& figures = result.figures;
  figures.build_seconds = contour::seconds_since(begin);

  contour::NoiseChoice noise(grey, sums, options);
  contour::Search search(sums, options, inputs, told);
  Criterion criterion(noise.first(), grey.levels, sums.total());
  std::optional<Polygon> outline = search.run(criterion);
  std::vector<const Polygon*> divided;
  if (outline) divided.push_back(&*outline);
  if (const auto better = noise.second(divided)) {
    criterion = Criterion(*better, grey.levels, sums.total());
    outline = search.run(criterion);
  }
  std::optional<ConfinedSearch> confined;
  contour::Effort given_up;
  const auto confine = [&](contour::Confinement within) -> contour::Search& {
    changes_before = changes;
    if (confined) given_up += {confined->search.evaluations(), confined->search.iterations()};
    return confined.emplace(std::move(within), sums, options, inputs, told).search;
  };
  if (outline && inputs.start) {
    // The first outline near the start that one far from it has left behind.
    const Region start{*inputs.start, {}}, far{*outline, {}};
    bool is_open = contour::has_run_away(far, start, image.shape());
    for (int step = 0; is_open; ++step) {
      auto within = contour::confinement(start, step, image.shape());
      if (!within || contour::is_within(far, *within, image.shape())) break;
      const Polygon near = confine(std::move(*within)).improved(criterion, *inputs.start);
      is_open = contour::judged({near, {}}, far, confined->within, sums, criterion) !=
                contour::Confined::left_off;
      if (!is_open) outline = near;
    }
    // A curve that leaves it would run away in its turn.
    confine(contour::curve_confinement({*outline, {}}, image.shape()));
  }
  contour::Search& last = confined ? confined->search : search;
  std::optional<Found> found;
  if (outline) found = last.finished(criterion, *outline);
  if (found) result.outlines.push_back(outline_of(*found, criterion, grey.levels));
  told.step(1);

  figures.noise = criterion.family().noise;
  figures.looks = figures.noise == NoiseModel::gamma ? criterion.family().looks : 0;
  figures.criterion = found ? found->criterion : criterion.undivided();
  figures.evaluations =
      search.evaluations() + given_up.evaluations + (confined ? last.evaluations() : 0);
  figures.iterations =
      search.iterations() + given_up.iterations + (confined ? last.iterations() : 0);
  figures.offset = is_integer(image.type()) ? 0 : grey.levels.offset;
  figures.scale = grey.levels.scale;
  figures.search_seconds = contour::seconds_since(begin) - figures.build_seconds;
  return result;
}

}  // namespace meander
