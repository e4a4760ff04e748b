// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "segment/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "meander/outline_file.hpp"
#include "segment/outputs.hpp"

namespace meander::app {
namespace {

using Names = std::vector<std::string>;

template <class Options>
Names names_of() {
  Options defaults;
  Names names;
  for (const OptionEntry& entry : entries_of(defaults)) names.push_back(entry.name);
  return names;
}

void refuse_given(const Session& session, const Names& names, const std::string& condition) {
  for (const std::string& name : names) {
    if (!session.given(name)) continue;
    throw InvalidArgument(
        fmt::format("--{} goes with {}, expected that or no --{}", name, condition, name));
  }
}

void check_region_options(const Session& session, const SegmentVerbOptions& given) {
  const SegmentOptions& search = given.find.region.search;
  const bool may_be_gamma =
      search.noise == NoiseModel::gamma || search.noise == NoiseModel::automatic;
  if (!may_be_gamma) refuse_given(session, {"looks"}, "noise gamma");
  if (search.schedule != SegmentSchedule::classic) {
    refuse_given(session, {"max-step"}, "schedule classic");
  }
}

/// A given field is neither made nor shown on its way.
void check_field_options(const Session& session, const SegmentVerbOptions& given) {
  if (given.field.empty()) return;
  const Names of_snake = names_of<SnakeOptions>();
  for (const std::string& name : names_of<EdgeOptions>()) {
    const bool is_of_snake = std::find(of_snake.begin(), of_snake.end(), name) != of_snake.end();
    if (is_of_snake || !session.given(name)) continue;
    throw InvalidArgument(
        fmt::format("--{} is for making a field, expected no --field beside it", name));
  }
}

void check_open_options(const SegmentVerbOptions& given) {
  using Kind = SegmentStart::Kind;
  if (!given.find.edge.snake.open) {
    if (given.init.kind != Kind::line) return;
    throw InvalidArgument(
        "--init line is an open curve, expected model edge with --open free or fixed");
  }
  if (given.find.model != SegmentModel::edge) {
    throw InvalidArgument("--open goes with model edge, expected that or no --open");
  }
  const bool may_be_line = given.init.kind == Kind::line ||
                           (given.init.kind == Kind::file && is_outline_file(given.init.file));
  if (!may_be_line) {
    throw InvalidArgument(
        "--open goes with an open start, expected --init line:x0,y0,x1,y1 or a file with lines");
  }
  for (const auto& [name, value] : {std::pair("truth", given.truth),
                                    {"mask-out", given.mask_out},
                                    {"labels-out", given.labels_out}}) {
    if (value.empty()) continue;
    throw InvalidArgument(
        fmt::format("--{} goes with closed curves, expected no --open beside it", name));
  }
}

}  // namespace

void check_segment_options(const Session& session, const SegmentVerbOptions& given) {
  if (!given.find.uses_region()) {
    Names names = names_of<ObjectOptions>();
    names.emplace_back("mask");
    refuse_given(session, names, "model region or region+edge");
  }
  if (!given.find.uses_edges()) {
    Names names = names_of<EdgeOptions>();
    std::erase(names, "open");  // of model edge alone: see check_open_options
    names.insert(names.end(), {"field", "stages", "keep"});
    refuse_given(session, names, "model edge or region+edge");
  }
  check_region_options(session, given);
  check_field_options(session, given);
  check_open_options(given);
  const bool shows_image = !given.overlay.empty() ||
                           (!given.evolution.empty() && !is_text_of_evolution(given.evolution));
  if (!shows_image) refuse_given(session, {"window"}, "a picture, --overlay or --evolution");
  if (given.find.region.split && given.find.region.no_split) {
    throw InvalidArgument("--split and --no-split exclude each other, expected one of them");
  }
  const bool finds_objects =
      given.find.uses_region() && given.init.kind == SegmentStart::Kind::automatic;
  if (finds_objects && !given.evolution.empty() && session.given("max-objects") &&
      given.find.region.max_objects > 1) {
    throw InvalidArgument(
        "--evolution shows how one outline was found, expected --max-objects 1 or none beside it");
  }
  if (finds_objects) refuse_given(session, {"within"}, "a start (--init)");
  if (given.is_bounded() && !given.evolution.empty()) {
    throw InvalidArgument(
        "--evolution shows a search without bounds, expected no --polarity, --min-contrast, "
        "--max-area, --mask or --within beside it");
  }
  const bool is_one = given.find.region.max_objects == 1 && !given.is_bounded();
  const bool divides_once =
      finds_objects && (is_one || !given.evolution.empty() ||
                        given.find.region.search.schedule == SegmentSchedule::classic);
  if (divides_once) {
    refuse_given(session, {"background", "split", "merge"},
                 "many objects (no --max-objects 1, --schedule classic or --evolution)");
  }
  if (given.repeat && !given.evolution.empty()) {
    throw InvalidArgument("--repeat times one computation, expected no --evolution beside it");
  }
}

}  // namespace meander::app
