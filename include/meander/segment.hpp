// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "meander/control.hpp"
#include "meander/device.hpp"
#include "meander/image.hpp"
#include "meander/options.hpp"
#include "meander/outline.hpp"
#include "meander/work.hpp"

/// Region snake: the simple polygon that divides an image into two regions of different noise, by
/// generalised likelihood. No threshold and no smoothing: the criterion J is the least negative
/// log-likelihood of both regions, and a node stays only where it lowers J by more than what it
/// costs to say where it is: the log of the number of pixels in the box around the outline.
namespace meander {

/// The family of both regions' noise, and what J is, with n pixels, sum S and sum of squares Q of
/// each region and m = S/n; constants are left out, J is summed over both regions.
enum class NoiseModel : std::uint8_t {
  automatic,  ///< The family under which the image is likeliest, described in full.
  gaussian,   ///< n/2 log(Q/n - m²), the variance at least 1/12 of a grey level squared.
  gamma,      ///< L n log m: speckle of L looks. Values >= 0.
  poisson,    ///< -S log m: counts. Values >= 0.
  bernoulli,  ///< -n (p log p + (1 - p) log(1 - p)), p the part of the higher of two values.
  rayleigh    ///< n log(Q/n): amplitudes. Values >= 0.
};
template <>
struct ChoiceNames<NoiseModel> {
  static constexpr std::pair<NoiseModel, std::string_view> values[] = {
      {NoiseModel::automatic, "auto"},      {NoiseModel::gaussian, "gaussian"},
      {NoiseModel::gamma, "gamma"},         {NoiseModel::poisson, "poisson"},
      {NoiseModel::bernoulli, "bernoulli"}, {NoiseModel::rayleigh, "rayleigh"}};
};

/// In which order an outline is searched.
enum class SegmentSchedule : std::uint8_t {
  pyramid,  ///< From coarse blocks of pixels to single pixels.
  classic   ///< As published: on pixels from the start, long moves first.
};
template <>
struct ChoiceNames<SegmentSchedule> {
  static constexpr std::pair<SegmentSchedule, std::string_view> values[] = {
      {SegmentSchedule::pyramid, "pyramid"}, {SegmentSchedule::classic, "classic"}};
};

/// Which sums along rows are kept. The outlines are the same.
enum class SumStore : std::uint8_t {
  base32,  ///< Those before every 32nd pixel, 0.5 byte a pixel; the rest is added up when needed.
  full     ///< Those before every pixel, 16 bytes each: the cumulated images of the publication.
};
template <>
struct ChoiceNames<SumStore> {
  static constexpr std::pair<SumStore, std::string_view> values[] = {{SumStore::base32, "base32"},
                                                                     {SumStore::full, "full"}};
};

/// Of what an outline is made.
enum class OutlineShape : std::uint8_t {
  automatic,  ///< For each outline a curve where that describes the image in much less.
  polygon,    ///< Straight edges.
  curve       ///< A closed spline, where there is room for one: see Spline.
};
template <>
struct ChoiceNames<OutlineShape> {
  static constexpr std::pair<OutlineShape, std::string_view> values[] = {
      {OutlineShape::automatic, "auto"},
      {OutlineShape::polygon, "polygon"},
      {OutlineShape::curve, "curve"}};
};

/// How outlines are searched.
struct SegmentOptions {
  NoiseModel noise = NoiseModel::automatic;
  std::optional<double> looks;
  SegmentSchedule schedule = SegmentSchedule::pyramid;
  OutlineShape shape = OutlineShape::automatic;
  SumStore store = SumStore::base32;
  double min_segment = 16;
  std::optional<double> max_step;

  template <class Visitor>
  void describe(Visitor& v) {
    v(noise, {.name = "noise", .help = "family of the noise in both regions"});
    v(looks, {.name = "looks",
              .min = 0.1,
              .max = 1e6,
              .help = "looks of gamma noise; estimated when not given"});
    v(schedule, {.name = "schedule",
                 .help = "pyramid goes from coarse blocks to pixels; classic is the published "
                         "search on pixels"});
    v(shape, {.name = "shape",
              .help = "straight edges, smooth curves with corners where they are, or for each "
                      "outline a curve where that describes the image in much less; schedule "
                      "classic has polygons"});
    v(store, {.name = "store", .help = "which sums along rows are kept in memory"});
    v(min_segment, {.name = "min-segment",
                    .unit = "pixels",
                    .min = 2,
                    .max = 1e6,
                    .help = "segments that are longer may get a node in their middle"});
    v(max_step, {.name = "max-step",
                 .unit = "pixels",
                 .min = 1,
                 .max = 1e6,
                 .help = "first length of the moves of the classic schedule; an eighth of the "
                         "shorter side when not given"});
  }
};

/// What has just been done to the outline. On one level the description length, which is J and the
/// cost of every node, never rises.
enum class SegmentAction : std::uint8_t {
  started,   ///< A search, on one level of the pyramid: J is that of the level's cells.
  moved,     ///< Nodes have moved, and J has fallen.
  removed,   ///< Nodes have gone; J may have risen, for each by less than the node's cost.
  rebuilt,   ///< Nodes came or went, others moved after them: the description is shorter now.
  inserted,  ///< Classic schedule: segments have got nodes in their middle; J has not risen.
  curved,    ///< The polygon has become a curve: unless that was asked for, the description is
             ///< shorter now.
  finished   ///< The outline as it is returned, on single pixels.
};

/// A state of the search, for pictures and progress.
struct SegmentState {
  SegmentAction action = SegmentAction::started;  ///< What came before.
  const Polygon& outline;                         ///< Valid until `on_change` returns.
  double criterion = 0;                           ///< J.
  double description_length = 0;  ///< J and the nodes; what a node costs changes with the level,
                                  ///< and with each curve.
  std::int64_t block = 1;         ///< Pixels along the side of a cell of the level.
  std::int64_t step = 0;          ///< Length of the moves, in pixels.
  std::int64_t iteration = 0;     ///< Changes so far.
};

/// Where to begin and who is told; all optional.
struct SegmentInputs {
  /// Where to begin: a simple polygon that holds some pixels of the image and not all; what lies
  /// beyond the image is cut off. Without it: with
  /// pyramid the best rectangle of coarse blocks, with classic a rectangle that leaves a tenth of
  /// the image on each side.
  std::optional<Polygon> start;
  /// Called after every change, on the caller's thread.
  std::function<void(const SegmentState&)> on_change;
};

/// Grey levels of a region.
struct RegionStatistics {
  std::int64_t pixels = 0;  ///< That it covers.
  double mean = 0;          ///< In grey levels of the image.
  double sigma = 0;         ///< Root of the variance about the mean.
};

/// An outline that was found. Lengths are in pixels.
struct Outline {
  std::int64_t id = 1;  ///< Objects of one image are numbered from 1 on.
  Polygon polygon;      ///< Simple, of positive area.
  /// Inside the polygon and not of the object, reversed: of negative area. See Region.
  std::vector<Polygon> holes;
  /// None of polygons. Otherwise of the polygon and of every hole, in this order, the curve that it
  /// is flattened from; of no nodes where it is no curve.
  std::vector<Spline> splines;
  double area = 0;       ///< Of the polygon, less that of the holes.
  double perimeter = 0;  ///< Of all rings.
  double criterion = 0;  ///< J of the image with this outline.
  double gain = 0;       ///< By how much J is lower than that of the image as one region.
  RegionStatistics inside, outside;  ///< Of the object and of its background.
  /// For each node of the polygon, or of its spline: by how much J rises, at least, when the node
  /// moves by one pixel along its normal, outwards or inwards. 0 or less: the image does not say
  /// where it belongs.
  std::vector<double> confidence;
};

/// The spline of its polygon, or of hole number `ring` from 1 on; null where that is no curve.
const Spline* spline_of(const Outline& outline, std::size_t ring = 0);
/// The vertices of its polygon, or of hole number `ring` from 1 on, that are nodes: all of them, or
/// those of its spline's nodes.
std::vector<std::size_t> nodes_of(const Outline& outline, std::size_t ring = 0);

/// What a search took and what it went by.
struct SegmentFigures {
  NoiseModel noise = NoiseModel::gaussian;  ///< The one in use.
  double looks = 0;                         ///< Of gamma noise; 0 otherwise.
  double criterion = 0;                     ///< J at the end.
  std::int64_t evaluations = 0;             ///< Outlines whose J was computed.
  std::int64_t iterations = 0;              ///< Rounds of moves over all nodes.
  double build_seconds = 0;                 ///< Spent on sums along rows and over blocks.
  double search_seconds = 0;                ///< Spent on the rest.
  bool is_local = false;                    ///< Objects were told from what lies around each.
  /// Float images are searched as 16-bit numbers: value = offset + scale·number, those beyond
  /// saturate. 0 and 1 for integers.
  double offset = 0, scale = 1;
};

/// What a search found.
struct SegmentResult {
  std::vector<Outline> outlines;  ///< None when no outline is worth its nodes.
  SegmentFigures figures;         ///< Of the whole search.
};
/// What all outlines cover, with their numbers: what scores, labels and pictures take.
std::vector<LabelledRegion> objects_of(const SegmentResult& result);
/// The outer outlines as closed curves: what edge snakes begin from, and pictures take.
std::vector<Curve> curves_of(const SegmentResult& result);

/// Divides a 2-D image of one channel. Integers of 8 and 16 bits are used as they are, and every
/// decision is exact: the outlines are the same on every device and for any number of threads.
/// Other types are converted to 16 bits first, see SegmentFigures::scale. One pass over the
/// image (floats: some more) and a search whose cost grows with the outline's length; every outline
/// on the way is simple. Throws InvalidArgument for volumes, several channels, values that are not
/// finite or that the noise family cannot have, and for a start that crosses itself or does not
/// divide the image.
SegmentResult segment(const Image& image, const SegmentOptions& options,
                      const SegmentInputs& inputs = {}, const Control& control = {});

/// Bytes of device memory that it holds at its peak, the image included.
std::int64_t estimate_bytes(const Description& image, const SegmentOptions& options,
                            const Device& device);
/// For Device::for_work: the image from host memory, one outline or all objects. How many there are
/// is not known, so pixels count.
Work estimate_work(const Description& image, const SegmentOptions& options);

}  // namespace meander
