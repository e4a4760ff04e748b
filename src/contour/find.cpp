// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/find.hpp"

#include "contour/edge/check.hpp"
#include "contour/find_check.hpp"
#include "core/control_part.hpp"
#include "core/message.hpp"
#include "meander/measure.hpp"

namespace meander {
namespace {

bool are_bounded(const FindInputs& inputs, const ObjectOptions& options) {
  return inputs.regions.has_shapes || options.has_bounds() || options.within ||
         !inputs.regions.mask.empty();
}

bool are_objects(const std::vector<Region>& starts) {
  return starts.size() > 1 || (starts.size() == 1 && !starts.front().holes.empty());
}

SegmentResult one_region(const Image& image, const FindOptions& options, const FindInputs& inputs,
                         const Control& control) {
  const std::vector<Region>& starts = inputs.regions.starts;
  if (are_objects(starts)) {
    throw InvalidArgument(
        "the changes of several outlines were asked for, expected one start without holes, or "
        "none");
  }
  SegmentInputs one{.start = {}, .on_change = inputs.on_change};
  if (!starts.empty()) one.start = starts.front().outer;
  return segment(image, options.region.search, one, control);
}

std::map<ObjectBound, std::size_t> left_out_of(const Image& image, const ObjectOptions& options,
                                               const ObjectInputs& inputs, const Control& control) {
  std::map<ObjectBound, std::size_t> counts;
  if (!options.has_bounds() && !options.min_area && inputs.mask.empty()) return counts;
  const Control stop{.stop = control.stop, .progress = {}};
  const SegmentResult all =
      segment_objects(image, options.unbounded(),
                      {.starts = inputs.starts, .has_shapes = inputs.has_shapes, .mask = {}}, stop);
  for (const auto& bound :
       bounds_against(all.outlines, options, inputs.mask, image.shape(), stop)) {
    if (bound) ++counts[*bound];
  }
  return counts;
}

void find_regions(const Image& image, const FindOptions& options, const FindInputs& inputs,
                  FindResult& found, const Control& control) {
  const std::vector<Region>& starts = inputs.regions.starts;
  const bool is_one =
      starts.size() == 1 && !are_objects(starts) && !are_bounded(inputs, options.region);
  if (inputs.on_change || is_one) {
    found.region = one_region(image, options, inputs, control);
  } else {
    found.region = segment_objects(image, options.region, inputs.regions, control);
    if (found.region->outlines.empty()) {
      found.left_out = left_out_of(image, options.region, inputs.regions, control);
    }
  }
  if (inputs.on_region) inputs.on_region(*found.region);
}

/// From the outlines of the regions where there are any, else from the given starts.
void find_edges(const Image& image, const FindOptions& options, const FindInputs& inputs,
                FindResult& found, const Control& control) {
  if (found.region && found.region->outlines.empty()) {
    found.edge.emplace();
    return;
  }
  EdgeInputs from{.starts = found.region ? curves_of(found) : inputs.curves,
                  .are_rough = !found.region && inputs.are_rough,
                  .field = inputs.field,
                  .keep_stages = inputs.keep_stages};
  found.starts = from.starts;
  from.on_state = inputs.on_state;
  if (from.starts.empty()) {
    from.on_state = [&](const SnakeState& state) {
      if (state.steps == 0) found.starts.push_back(state.curve);
      if (inputs.on_state) inputs.on_state(state);
    };
  }
  // What was found may be smaller than what has to be given.
  found.edge = found.region ? contour::edges_from(image, options.edge, from, control)
                            : segment_edges(image, options.edge, from, control);
}

}  // namespace

void contour::check_find(const FindOptions& options, bool has_regions, bool has_curves) {
  if (options.uses_region()) validate(options.region);
  if (options.uses_edges()) validate(options.edge);
  if (has_regions && !options.uses_region()) {
    throw InvalidArgument("regions to begin with are for region models, found model edge");
  }
  if (has_curves && options.uses_region()) {
    throw InvalidArgument("curves to begin with are for model edge, found a region model");
  }
}

void contour::check_gap(std::int64_t gap) {
  if (gap >= 0) return;
  throw InvalidArgument(message("a gap of ", gap, " frames, expected at least 0"));
}

FindResult find_outlines(const Image& image, const FindOptions& options, const FindInputs& inputs,
                         const Control& control) {
  contour::check_find(options, !inputs.regions.starts.empty(), !inputs.curves.empty());
  FindResult found;
  const double half = options.model == SegmentModel::region_and_edge ? 0.5 : 1;
  if (options.uses_region()) {
    find_regions(image, options, inputs, found, part_of(control, 0, half));
  }
  if (options.uses_edges()) {
    find_edges(image, options, inputs, found,
               part_of(control, options.uses_region() ? half : 0, 1));
  }
  control.step(1);
  return found;
}

std::vector<Curve> curves_of(const FindResult& found) {
  if (found.edge) return curves_of(*found.edge);
  return found.region ? curves_of(*found.region) : std::vector<Curve>();
}

std::vector<LabelledRegion> objects_of(const FindResult& found) {
  if (found.edge) return objects_of(*found.edge);
  return found.region ? objects_of(*found.region) : std::vector<LabelledRegion>();
}

}  // namespace meander
