// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

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
  SegmentModel model = SegmentModel::region;
  ObjectOptions region;
  EdgeOptions edge;

  bool uses_region() const { return model != SegmentModel::edge; }
  bool uses_edges() const { return model != SegmentModel::region; }
};

}  // namespace meander
