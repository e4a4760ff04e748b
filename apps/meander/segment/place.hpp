// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "meander/control.hpp"
#include "meander/find.hpp"
#include "meander/image.hpp"
#include "meander/io.hpp"
#include "meander/starts.hpp"

namespace meander::app {

/// Where the pixels that are searched lie in the image of the file. With --roi they are a part of
/// it; starts and results have the coordinates of the whole all the same, so that they lie where
/// they belong on it.
struct SegmentPlace {
  SegmentPlace(const std::string& path, const io::Reader& image, const io::ReadOptions& options);

  Shape whole;
  std::optional<Placement> placement;  ///< Of the whole.
  std::int64_t left = 0, top = 0;      ///< The first pixel that is searched.

  ImagePart part(const Shape& image) const { return {left, top, whole == image}; }
  /// Points of the whole as points of the part, and back.
  void to_part(std::vector<GridPoint>& points) const;
  void to_whole(std::vector<GridPoint>& points) const;
  void to_whole(std::vector<Spline>& splines) const;
  void to_whole(Outline& outline) const;
  /// Outlines as files have them.
  FindResult in_whole(FindResult found) const;

  /// Fills rows of the whole image, from `begin` on, with the mask (u8) or the labels (u16) of
  /// objects in the part: 0 beside it, whatever they hold there. A host image.
  void fill(std::span<const LabelledRegion> objects, const Shape& part, Image& slab,
            std::int64_t begin, const Control& control) const;
};

}  // namespace meander::app
