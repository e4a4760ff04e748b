// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <span>
#include <string>

#include "meander/evolution.hpp"
#include "meander/picture.hpp"
#include "segment/segment.hpp"
#include "segment/stages.hpp"

namespace meander::app {

/// What one run writes: OUT, as outlines or as a mask by its suffix, and what options ask for
/// beside it. Targets that cannot be written are refused when it is made; nothing appears before
/// `write`.
class SegmentOutputs {
 public:
  SegmentOutputs(Session& session, const SegmentVerbOptions& given, const Description& image,
                 const SegmentPlace& place);

  bool needs_evolution() const { return !given_.evolution.empty(); }
  bool needs_stages() const { return stages_.has_value(); }
  /// Makes what pictures are drawn on, while the image is there; a host image.
  void look_at(const Image& image);
  /// Throws Unsupported for what OUT cannot hold.
  void check(const FindResult& found) const;
  /// OUT comes last, so that it is not left behind alone. The image is that of the stages.
  void write(const FindResult& found, const std::vector<EvolutionFrame>& evolution,
             const Image& image);

 private:
  void check_targets() const;
  void open_beside();
  void check_pictures();
  void write_pictures(const FindResult& found, const std::vector<EvolutionFrame>& evolution);
  void write_beside(std::span<const LabelledRegion> objects, const FindResult& whole);
  void write_out(std::span<const LabelledRegion> objects, const FindResult& whole);
  void write_objects(io::Writer& writer, PixelType type, std::span<const LabelledRegion> objects);
  void write_film(const std::vector<EvolutionFrame>& evolution);

  Session& session_;
  const SegmentVerbOptions& given_;
  const Description image_;
  const SegmentPlace place_;
  const std::string& out_;
  io::Writer* out_mask_ = nullptr;
  std::optional<io::Writer> mask_, labels_;
  std::optional<OutlineCanvas> canvas_, film_canvas_;
  std::optional<StageFolder> stages_;
};

/// Whether an evolution is to be written as text.
bool is_text_of_evolution(const std::string& path);

/// Longest sides of the pictures.
inline constexpr std::int64_t overlay_side = 2048;
inline constexpr std::int64_t film_side = 512;

}  // namespace meander::app
