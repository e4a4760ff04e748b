// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "meander/find.hpp"

/// Objects followed through the frames of a film or the slices of a volume: each begins where it
/// was in the last frame and keeps its number; objects appear, vanish and divide.
namespace meander {

/// How an object came into its frame.
enum class TrackEvent : std::uint8_t {
  appeared,   ///< It was not there in the frame before; all of the first frame.
  continued,  ///< It is that of the frame before.
  divided,    ///< It is a part of one of the frame before, which is there no more.
  returned    ///< It had vanished for no more frames than the gap, and is back.
};
template <>
struct ChoiceNames<TrackEvent> {
  static constexpr std::pair<TrackEvent, std::string_view> values[] = {
      {TrackEvent::appeared, "appeared"},
      {TrackEvent::continued, "continued"},
      {TrackEvent::divided, "divided"},
      {TrackEvent::returned, "returned"}};
};

/// How many frames an object may be lost for and still keep its number.
inline constexpr std::int64_t default_track_gap = 1;

/// An object in one frame. Lengths are in pixels.
struct TrackedObject {
  std::int64_t id = 0;      ///< From 1 on, in the order of appearance; none is given twice.
  std::int64_t parent = 0;  ///< The object that divided into this and others; 0: none.
  TrackEvent event = TrackEvent::appeared;  ///< How it came to be here.
  Curve curve;                  ///< Its outer outline; closed ones are of positive area.
  std::vector<Polygon> holes;   ///< As of Region.
  std::vector<Spline> splines;  ///< See Outline::splines; none where edges moved the curve.
  double area = 0;              ///< Without the holes; 0 of open curves.
  double perimeter = 0;         ///< Of all rings; of an open curve its length.
  double x = 0, y = 0;          ///< Centroid of what it covers; of an open curve that of the line.
  /// From the centroid in the frame before, if it was there.
  std::optional<double> dx, dy;
};
/// What it covers; of closed curves.
Region region_of(const TrackedObject& object);

/// An object of a later frame and what it was a part of.
struct TrackPart {
  /// Both are ids.
  std::int64_t part = 0, whole = 0;
};

/// What happened in one frame.
struct TrackFrame {
  std::int64_t frame = 0;              ///< From 0 on, or as the caller counts.
  std::vector<TrackedObject> objects;  ///< In the order of their ids.
  std::vector<std::int64_t> vanished;  ///< Of the frame before and neither here nor divided.
  std::vector<TrackPart> joined;       ///< What became one here, on the way back only.
  FlowFigures flow;                    ///< Of the edge model; no cycles otherwise.
};

/// What objects of a frame cover, with their numbers; open curves cover nothing.
std::vector<LabelledRegion> objects_of(const TrackFrame& frame);

/// How often things happened in a frame, or in several: then they add up.
struct TrackCounts {
  std::int64_t appeared = 0;  ///< With no earlier track.
  std::int64_t vanished = 0;  ///< Also for no longer than the gap.
  std::int64_t returned = 0;  ///< Of those that had vanished.
  std::int64_t divided = 0;   ///< Objects that divided, not their parts.
  std::int64_t tracks = 0;    ///< Numbers that were given: of what appeared, and of parts.

  TrackCounts& operator+=(const TrackCounts& b);  ///< The sums of each.
};
/// Of one frame.
TrackCounts counts_of(const TrackFrame& frame);

/// Which way frames are gone through.
enum class TrackDirection : std::uint8_t { forward, back };

/// Follows regions. In every frame objects are found anew (find_objects) and matched one to one
/// with those of the last frame, each expected where its last step leads: first by what the
/// expected outline and the finding have in common, then by distance, up to the object's own
/// diameter. A match begins from the last outline, moved; what is not matched begins where it is
/// expected, or appears. An object divides when two findings or more lie in its expected
/// outline and cover much of it. segment_objects then decides: what it does not keep vanishes. For
/// `gap` more frames it is expected on its way, and what nothing else claims there is it again.
/// On the way back nothing divides, but objects that come to lie in one finding by the same measure
/// join: it has a number of its own, and `joined` says what it was divided into. If it comes apart
/// within the gap, its parts are back.
/// The same on every device and for any number of threads.
class ObjectTracker {
 public:
  /// With starts those are the objects of the first frame and no other appears later.
  explicit ObjectTracker(const ObjectOptions& options, ObjectInputs inputs = {},
                         std::int64_t gap = default_track_gap,
                         TrackDirection direction = TrackDirection::forward);
  ObjectTracker(ObjectTracker&&) noexcept;
  ObjectTracker& operator=(ObjectTracker&&) noexcept;
  ~ObjectTracker();

  /// The next frame; all are of one shape. Cost: that of find_objects and segment_objects. Throws
  /// like them; a frame that threw may be tried again.
  TrackFrame next(const Image& image, const Control& control = {});
  /// Of the last frame.
  const SegmentFigures& figures() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Follows curves along edges. Each begins where it settled in the last frame, moved by its last
/// step; the flow begins from that of the last frame while no curve goes farther than 2 pixels. Ids
/// are those of the starts, from 1 on. A curve that vanished, or that came to rest away from edges
/// (SnakeEnd::adrift), has lost its object: it begins for `gap` more frames where it would be by
/// then, and ends.
class EdgeTracker {
 public:
  /// Without starts the first frame begins as segment_edges does. `are_rough`: see EdgeInputs.
  explicit EdgeTracker(const EdgeOptions& options, std::vector<Curve> starts = {},
                       bool are_rough = false, std::int64_t gap = default_track_gap);
  EdgeTracker(EdgeTracker&&) noexcept;
  EdgeTracker& operator=(EdgeTracker&&) noexcept;
  ~EdgeTracker();

  /// The next frame; all are of one shape and device. Throws like segment_edges.
  TrackFrame next(const Image& image, const Control& control = {});
  /// Moves the regions of a frame onto its edges; they keep their ids. Those that lose their edges
  /// stay as they were.
  TrackFrame refine(const Image& image, TrackFrame regions, const Control& control = {});
  /// Of the last frame: all curves, those that ended too.
  const EdgeResult& result() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// All frames of what was followed from one of them on, in the order of time. `back` begins with
/// the same frame as `forward` and goes the other way; each has a tracker of its own, made alike
/// but for the direction. Up to that frame events, steps and what vanished are told as time goes:
/// what joined on the way back divides. What was found there only has numbers beyond all others.
std::vector<TrackFrame> joined_tracks(std::vector<TrackFrame> back,
                                      std::vector<TrackFrame> forward);
/// Frames whose objects have the same numbers as if the one at `index` had come first: its own from
/// 1 on, then the others, each in the order of the numbers before.
std::vector<TrackFrame> numbered_from(std::vector<TrackFrame> frames, std::size_t index);

/// Which frames are followed.
struct TrackPlan {
  std::int64_t frames = 1;  ///< How many there are.
  std::int64_t from = 0;    ///< The one to begin with, where starts apply.
  /// For how many frames an object may be lost and keep its number.
  std::int64_t gap = default_track_gap;
};

/// Where it begins; all optional.
struct TrackInputs {
  ObjectInputs regions;       ///< Of the region models.
  std::vector<Curve> curves;  ///< Of model edge.
  bool are_rough = false;     ///< Of curves: see EdgeInputs.
};

/// Follows objects through all frames of a film or slices of a volume, by the models in use. Starts
/// are followed from their frame on in both directions. Regions without starts are found anew in
/// every frame, so they are followed as time goes; what the frame to begin with says of the
/// background holds for all then, and its objects have the first numbers. The caller reads frames
/// as they are wanted, and may hold one at a time:
///
///     FilmTracker tracker({.model = SegmentModel::region}, {.frames = count});
///     while (const auto index = tracker.wanted()) tracker.add(read(*index));
///     const std::vector<TrackFrame> tracks = tracker.frames();
class FilmTracker {
 public:
  /// Throws InvalidArgument for options out of their ranges, a frame to begin with that is not
  /// there, and starts of a model that is not in use.
  FilmTracker(const FindOptions& options, const TrackPlan& plan, TrackInputs inputs = {});
  FilmTracker(FilmTracker&&) noexcept;
  FilmTracker& operator=(FilmTracker&&) noexcept;
  ~FilmTracker();

  /// The frame that is to be added next, counted from 0; none when all are followed. With a frame
  /// to begin with that is not the first, one of them is wanted twice.
  std::optional<std::int64_t> wanted() const;
  /// The frame that is wanted, of the shape and on the device of the others. From the first frame
  /// on its result is final; otherwise numbers and events are those of one direction. It is there
  /// until the next frame is added. Cost and errors: see ObjectTracker and EdgeTracker; with one
  /// model what threw may be tried again.
  const TrackFrame& add(const Image& image, const Control& control = {});
  /// All frames, in the order of time. Throws LogicError while one is wanted.
  std::vector<TrackFrame> frames() const;
  /// The curves of the last frame; empty where no edges are in use.
  const EdgeResult& edges() const;
  /// Which of them neither settled nor lost their object, by their index.
  std::vector<std::size_t> unsettled() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Time and space of tracks as text. Without a unit lengths are in pixels; without seconds speeds
/// are per frame.
struct TrackScale {
  Spacing spacing;     ///< Size of a pixel.
  double seconds = 0;  ///< From one frame to the next; 0: not known.
};

/// One line for each object of each frame: `frame,id,parent,event,area,perimeter,x,y,speed`; a
/// spacing that is not in pixels adds the column `unit`, known seconds add `seconds`, the time of
/// the frame. Empty: no parent, and the speed of what was not there before. Numbers as in
/// outline_text.hpp.
std::string tracks_as_csv(std::span<const TrackFrame> frames, const TrackScale& scale = {},
                          const Control& control = {});
/// All outlines: a FeatureCollection as outlines_as_geojson has it, with the properties frame, id,
/// parent (or null), event, nodes, holes, area, perimeter, x, y, speed (or null), unit and, where
/// they are known, seconds.
std::string tracks_as_geojson(std::span<const TrackFrame> frames, const TrackScale& scale = {},
                              const Control& control = {});
/// The header `frame,id,ring,vertex,x,y` and one line a vertex; ring 0 is the outer one, others are
/// holes. A unit as above.
std::string track_outlines_as_csv(std::span<const TrackFrame> frames, const TrackScale& scale = {},
                                  const Control& control = {});
/// ImageJ's set of regions of interest, see outlines_as_roi_zip: `0003-0012.roi` is object 12 in
/// the third image of the stack, which is also its position in ImageJ.
std::string tracks_as_roi_zip(std::span<const TrackFrame> frames, const Control& control = {});

}  // namespace meander
