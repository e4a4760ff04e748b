// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <optional>
#include <string>

#include "meander/find.hpp"
#include "meander/track.hpp"
#include "meander/window.hpp"
#include "session/session.hpp"

namespace meander {

/// Where the search begins, as --init says it.
struct SegmentStart {
  enum class Kind : std::uint8_t { automatic, box, circle, line, file };
  Kind kind = Kind::automatic;
  /// x0, y0, x1, y1 of a box or line; x, y, r of a circle; in pixels.
  std::array<double, 4> numbers{};
  std::string file;
};
template <>
struct OptionText<SegmentStart> {
  static SegmentStart parse(std::string_view text);
  static std::string format(const SegmentStart& start);
  static std::string syntax() {
    return "auto, box:x0,y0,x1,y1, circle:x,y,r, line:x0,y0,x1,y1 or a file";
  }
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

/// Passes options on to another visitor, their help with a label before it.
template <class Visitor>
class LabelledVisitor {
 public:
  LabelledVisitor(Visitor& inner, std::string label) : inner_(inner), label_(std::move(label)) {}

  template <class T>
  void operator()(T& value, OptionInfo info) {
    const std::string help = label_ + std::string(info.help);
    info.help = help;
    inner_(value, info);
  }

 private:
  Visitor& inner_;
  const std::string label_;
};

struct SegmentVerbOptions {
  FindOptions find;
  SegmentStart init;
  std::string mask;
  std::string field;
  std::string stages;
  bool keep = false;
  std::string overlay;
  ValueWindow window;
  std::string mask_out;
  std::string labels_out;
  std::string table;
  bool propagate = false;
  std::optional<std::int64_t> from;
  std::int64_t gap = default_track_gap;
  std::string evolution;
  std::string truth;
  OutlineUnits units = OutlineUnits::physical;
  std::optional<std::int64_t> repeat;

  /// Of the region model: which objects are meant, or how far they go.
  bool is_bounded() const {
    return find.region.has_bounds() || find.region.within || !mask.empty();
  }

  template <class Visitor>
  void describe(Visitor& v) {
    v(find.model,
      {.name = "model",
       .help = "what an outline is: region divides two kinds of noise, edge is pulled onto "
               "edges, region+edge moves the outline of a region onto edges"});
    v(init,
      {.name = "init",
       .help = "where to start, in pixels: by itself, from a box or circle, from a line "
               "(--open), or from a file with a mask, labels, GeoJSON, or CSV of "
               "outlines, boxes (x0,y0,x1,y1) or points (x,y or x,y,r), one object for each"});
    v(overlay, {.name = "overlay",
                .help = "a PNG that shows the outline on the image, and where an edge model "
                        "started"});
    v(window, {.name = "window",
               .help = "pixel values that are black and white in --overlay and --evolution; auto: "
                       "the 0.1 and 99.9 percentiles"});
    v(mask_out, {.name = "mask-out", .help = "an image, 255 inside the outline and 0 elsewhere"});
    v(labels_out, {.name = "labels-out",
                   .help = "an image of type u16, the number of its object at every pixel and 0 "
                           "elsewhere"});
    v(table, {.name = "table",
              .help = "a .csv with a line an object: area, perimeter, circularity, centroid, mean, "
                      "sigma, contrast, confidence; of many files one, with a column for the "
                      "file"});
    v(propagate,
      {.name = "propagate",
       .help = "follow objects through the frames of a film or the slices of a volume: "
               "those of a frame are found in it, and keep the numbers of those they match"});
    v(from,
      {.name = "from",
       .min = 0,
       .help = "of --propagate: the frame or slice to begin with, where --init applies, from "
               "0 on, and whose objects have the first numbers; starts are followed from it in "
               "both directions [the first]"});
    v(gap, {.name = "gap",
            .min = 0,
            .max = 1000,
            .help = "of --propagate: how many frames an object may be lost for and keep its "
                    "number"});
    v(evolution,
      {.name = "evolution",
       .help = "how an outline was found: a GIF, or the curves as .json; --init auto then divides "
               "the image once, as with --max-objects 1"});
    v(truth, {.name = "truth",
              .help = "a mask of the same shape, not 0 inside: the intersection over union with it "
                      "goes into the report; of an image of labels also how many objects were "
                      "found; with --propagate a film or a volume of them"});
    v(units, {.name = "units",
              .help = "of coordinates, areas and lengths: physical where the size of a pixel is "
                      "known, or always pixels"});
    v(repeat, {.name = "repeat",
               .min = 1,
               .max = 1000,
               .help = "compute so many times after one warm-up and report each time"});
    LabelledVisitor region(v, "region model: ");
    find.region.describe(region);
    region(mask, {.name = "mask",
                  .help = "an image of the same shape: objects of which more than half of the "
                          "pixels lie where it is not 0"});
    LabelledVisitor edge(v, "edge model: ");
    find.edge.describe(edge);
    describe_edge_files(edge);
  }

  template <class Visitor>
  void describe_edge_files(Visitor& v) {
    v(field, {.name = "field",
              .help = "a vector field to move in, as flow makes of an edge map (smooth --output "
                      "magnitude), components x and y as channels (the last axis of "
                      "an .npy), instead of smoothing, edges and flow"});
    v(stages,
      {.name = "stages", .help = "a folder for pictures of each stage and of all on one sheet"});
    v(keep,
      {.name = "keep", .help = "write curves that have not settled too; the exit code stays 8"});
  }
};

/// Throws InvalidArgument for options that would do nothing, and for a start that does not fit
/// them.
void check_segment_options(const Session& session, const SegmentVerbOptions& given);

}  // namespace meander::app
