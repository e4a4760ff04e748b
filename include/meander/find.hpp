// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "meander/edge.hpp"
#include "meander/objects.hpp"

/// Outlines of either model, or of both one after the other.
namespace meander {

/// What an outline is.
enum class SegmentModel : std::uint8_t {
  region,          ///< It divides two kinds of noise: segment_objects, or segment for one start.
  edge,            ///< It is pulled onto edges: segment_edges.
  region_and_edge  ///< The outlines of regions are moved onto edges.
};
template <>
struct ChoiceNames<SegmentModel> {
  static constexpr std::pair<SegmentModel, std::string_view> values[] = {
      {SegmentModel::region, "region"},
      {SegmentModel::edge, "edge"},
      {SegmentModel::region_and_edge, "region+edge"}};
};

/// Of each model in use; the options of others do nothing.
struct FindOptions {
  SegmentModel model = SegmentModel::region;  ///< Which is in use, or both.
  ObjectOptions region;                       ///< Of models region and region+edge.
  EdgeOptions edge;                           ///< Of models edge and region+edge.

  /// Whether objects are told by their noise.
  bool uses_region() const { return model != SegmentModel::edge; }
  /// Whether curves move to edges.
  bool uses_edges() const { return model != SegmentModel::region; }
};

/// Where to begin, what is meant, and who wants to know; all optional.
struct FindInputs {
  ObjectInputs regions;       ///< Where a region model begins, and which objects are meant.
  std::vector<Curve> curves;  ///< Where model edge begins.
  bool are_rough = false;     ///< Of curves: see EdgeInputs.
  Field field;                ///< See EdgeInputs.
  bool keep_stages = false;   ///< See EdgeInputs.
  /// Called with the outlines of regions before edges are looked for.
  std::function<void(const SegmentResult&)> on_region;
  /// Called after every change of the outline of a region, see SegmentInputs: one outline is looked
  /// for then, anywhere and whatever the options say of objects.
  std::function<void(const SegmentState&)> on_change;
  OnSnakeState on_state;  ///< See EdgeInputs.
};

/// What was found: of the models in use.
struct FindResult {
  std::optional<SegmentResult> region;  ///< Of models region and region+edge.
  std::optional<EdgeResult> edge;       ///< Of models edge and region+edge.
  std::vector<Curve> starts;  ///< Where curves that moved to edges began, each by its index.
  /// How many objects each bound of the options has left out, where they have left out all.
  std::map<ObjectBound, std::size_t> left_out;
};

/// Outlines by region, along edges, or of regions moved onto edges, which begin from the outer
/// outlines: where no region was found there is no curve. Regions are found by segment_objects, or
/// by segment where there is one start without holes and nothing bounds its outline. Where bounds
/// leave nothing of a region model, a second search without them counts what they have left out.
/// Cost, devices, and what is thrown: see segment, segment_objects and segment_edges;
/// InvalidArgument also for `on_change` with several starts or holes, and for starts of a model
/// that is not in use.
FindResult find_outlines(const Image& image, const FindOptions& options,
                         const FindInputs& inputs = {}, const Control& control = {});

/// The outlines at the end, of whichever model.
std::vector<Curve> curves_of(const FindResult& found);
/// What is covered, with the numbers of objects; open curves and those that vanished cover nothing.
std::vector<LabelledRegion> objects_of(const FindResult& found);

}  // namespace meander
