// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <optional>
#include <string>

#include "session.hpp"

namespace meander {

/// Where the search begins, as --init says it.
struct SegmentStart {
  enum class Kind : std::uint8_t { automatic, box, circle, file };
  Kind kind = Kind::automatic;
  std::array<double, 4> numbers{};  ///< x0, y0, x1, y1 of a box; x, y, r of a circle; in pixels.
  std::string file;
};
template <>
struct OptionText<SegmentStart> {
  static SegmentStart parse(std::string_view text);
  static std::string format(const SegmentStart& start);
  static std::string syntax() { return "auto, box:x0,y0,x1,y1, circle:x,y,r or a file"; }
};

/// What coordinates in files of outlines are measured in.
enum class OutlineUnits : std::uint8_t { physical, pixel };
template <>
struct ChoiceNames<OutlineUnits> {
  static constexpr std::pair<OutlineUnits, std::string_view> values[] = {
      {OutlineUnits::physical, "physical"}, {OutlineUnits::pixel, "pixel"}};
};

}  // namespace meander

namespace meander::app {

struct SegmentVerbOptions : SegmentOptions {
  SegmentStart init;
  std::string overlay;
  std::string mask_out;
  std::string evolution;
  std::string truth;
  OutlineUnits units = OutlineUnits::physical;
  std::optional<std::int64_t> repeat;

  template <class Visitor>
  void describe(Visitor& v) {
    SegmentOptions::describe(v);
    v(init, {.name = "init",
             .help = "where to start, in pixels: by itself, from a box or circle, or from a file "
                     "with a mask, GeoJSON or CSV"});
    v(overlay, {.name = "overlay", .help = "a PNG that shows the outline on the image"});
    v(mask_out, {.name = "mask-out", .help = "an image, 255 inside the outline and 0 elsewhere"});
    v(evolution, {.name = "evolution", .help = "a GIF that shows how the outline was found"});
    v(truth, {.name = "truth",
              .help = "a mask of the same shape, not 0 inside: the intersection over union with it "
                      "goes into the report"});
    v(units, {.name = "units",
              .help = "of coordinates in files: physical where the image has a spacing in a unit "
                      "of length, or always pixels"});
    v(repeat, {.name = "repeat",
               .min = 1,
               .max = 1000,
               .help = "compute so many times after one warm-up and report each time"});
  }
};

/// The files that one run reads, opened, and found to fit each other by their headers.
struct SegmentFiles {
  /// Throws InvalidArgument, with the file, for axes, channels or shapes that do not fit.
  SegmentFiles(Session& session, const SegmentVerbOptions& given);

  io::Reader input;
  Description image;  ///< What is taken of the input.
  std::optional<io::Reader> truth, start_mask;
  std::optional<Polygon> start;  ///< That of a mask is found when it is read.
};

/// The outline of a box, a circle or a file with outlines.
std::optional<Polygon> start_of(const SegmentStart& start, const Spacing& image);
/// Throws InvalidArgument for an outline that holds no pixel or all pixels of an image.
void check_start(Session& session, const Polygon& start, const Shape& image);
std::string words(const SegmentStart& start);

/// The spacing that files of outlines are written with.
Spacing spacing_of_files(const SegmentVerbOptions& given, const Spacing& image);

/// Throws OutOfMemory, with the need and the store that would fit, for what the budget cannot hold.
void check_segment_memory(Session& session, const SegmentVerbOptions& given,
                          const SegmentFiles& files);

void report_segment_plan(Session& session, const SegmentVerbOptions& given);
void report_segment_result(Session& session, const SegmentResult& result, const Spacing& spacing,
                           std::optional<double> iou);

/// Of the pixels that a mask file holds and those inside the outlines: intersection over union, 1
/// when both are empty.
double overlap_with(Session& session, io::Reader& truth, const std::vector<Polygon>& outlines);

std::vector<Polygon> polygons_of(const SegmentResult& result);

}  // namespace meander::app
