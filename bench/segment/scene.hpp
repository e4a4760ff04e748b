// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "meander/control.hpp"
#include "meander/phantom.hpp"
#include "meander/segment.hpp"

/// Images whose segmentation is known, and how much of it was found.
namespace meander::bench {

struct SegmentScene {
  Image image;  ///< u16, in host memory.
  Image truth;  ///< u8, 255 inside and 0 outside, in host memory.
};

/// A phantom and its mask.
SegmentScene scene_with(const PhantomOptions& options, const Control& control);

/// The same with a star that has about `share` of the image's pixels, away from the middle.
SegmentScene small_star_scene(PhantomOptions options, double share, const Control& control);

/// Intersection over union of masks; `found` is u8 and in host memory, like the truth.
double iou_of(const Image& found, const Image& truth);
/// The same of the pixels inside some outline.
double iou_of(const std::vector<Outline>& found, const Image& truth);

}  // namespace meander::bench
