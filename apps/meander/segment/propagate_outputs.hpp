// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "input/frames.hpp"
#include "meander/track.hpp"
#include "segment/options.hpp"
#include "segment/place.hpp"

namespace meander::app {

/// What following writes: pixels and pictures frame by frame, text at the end. Targets that cannot
/// be written are refused when it is made; nothing appears before `finish`.
class PropagateOutputs {
 public:
  PropagateOutputs(Session& session, const SegmentVerbOptions& given, const FrameSource& source,
                   const SegmentPlace& place);

  /// The next frame; a host image of one channel and what was found in it.
  void add(std::int64_t index, const Image& image, const TrackFrame& frame);
  /// OUT comes last, so that it is not left behind alone.
  void finish(const std::vector<TrackFrame>& frames);

  /// Most bytes that one frame takes.
  static std::int64_t bytes_needed(const SegmentVerbOptions& given, const Description& frame,
                                   const SegmentPlace& place);

 private:
  Description pixels_of(PixelType type) const;
  void open_pixels();
  void check_targets() const;
  Image placed(const Image& part) const;
  void add_picture(std::int64_t index, const Image& image, const TrackFrame& frame,
                   const Control& stop);
  std::string text_of(const std::vector<TrackFrame>& frames) const;
  TrackScale scale() const;

  Session& session_;
  const SegmentVerbOptions& given_;
  const FrameSource& source_;
  const SegmentPlace place_;
  const std::string& out_;
  io::Writer* out_mask_ = nullptr;
  std::optional<io::Writer> mask_, labels_, film_;
  std::optional<io::NumberedFiles> pictures_;
};

}  // namespace meander::app
