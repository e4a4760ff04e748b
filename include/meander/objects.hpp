// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "meander/segment.hpp"

/// Many objects in one image, each with an outline of its own and holes where it has some, none
/// over another.
namespace meander {

/// What an object is told from.
enum class Background : std::uint8_t {
  automatic,  ///< local where the light is uneven by more than half the noise of a pixel.
  global,     ///< All of the image that belongs to no object.
  local       ///< What of that lies in a band around the object: for images with shading.
};
template <>
struct ChoiceNames<Background> {
  static constexpr std::pair<Background, std::string_view> values[] = {
      {Background::automatic, "auto"},
      {Background::global, "global"},
      {Background::local, "local"}};
};

/// Which side of the background's level objects are on.
enum class Polarity : std::uint8_t { both, bright, dark };
template <>
struct ChoiceNames<Polarity> {
  static constexpr std::pair<Polarity, std::string_view> values[] = {
      {Polarity::both, "both"}, {Polarity::bright, "bright"}, {Polarity::dark, "dark"}};
};

/// What says which objects of an image are meant.
enum class ObjectBound : std::uint8_t { polarity, min_contrast, min_area, max_area, mask };
template <>
struct ChoiceNames<ObjectBound> {
  static constexpr std::pair<ObjectBound, std::string_view> values[] = {
      {ObjectBound::polarity, "polarity"},
      {ObjectBound::min_contrast, "min-contrast"},
      {ObjectBound::min_area, "min-area"},
      {ObjectBound::max_area, "max-area"},
      {ObjectBound::mask, "mask"}};
};

/// Which objects are looked for, and how they are outlined.
struct ObjectOptions {
  SegmentOptions search;  ///< How each outline is found.
  Background background = Background::automatic;
  Polarity polarity = Polarity::both;
  double min_contrast = 0;
  std::optional<double>
      min_area;  ///< 9 pixels of white noise, more where pixels share their noise.
  std::optional<double> max_area;
  std::optional<double> within;
  std::int64_t max_objects = 65535;
  bool no_split = false;
  bool split = false;  ///< Also those that begin from starts.
  bool merge = false;

  /// Whether they say which objects of an image are meant, besides the least area.
  bool has_bounds() const { return polarity != Polarity::both || min_contrast > 0 || max_area; }
  /// The same without any bound.
  ObjectOptions unbounded() const {
    ObjectOptions options = *this;
    options.polarity = Polarity::both;
    options.min_contrast = 0;
    options.min_area = options.max_area = {};
    return options;
  }

  template <class Visitor>
  void describe(Visitor& v) {
    search.describe(v);
    v(background, {.name = "background",
                   .help = "what objects are told from: all of the image that is none, what lies "
                           "around each, for images with shading, or as the image has it"});
    v(polarity, {.name = "polarity",
                 .help = "only objects that are brighter or darker than their background"});
    v(min_contrast, {.name = "min-contrast",
                     .unit = "noise levels",
                     .min = 0,
                     .max = 1e6,
                     .help = "objects whose mean differs from that of their background by less "
                             "than so many of its standard deviations are left out"});
    v(min_area, {.name = "min-area",
                 .unit = "pixels",
                 .min = 0,
                 .max = 1e12,
                 .help = "objects that cover less are left out [9, more where neighbouring pixels "
                         "share their noise]"});
    v(max_area, {.name = "max-area",
                 .unit = "pixels",
                 .min = 0,
                 .max = 1e12,
                 .help = "objects that cover more are left out"});
    v(within, {.name = "within",
               .unit = "pixels",
               .min = 1,
               .max = 1e6,
               .help = "outlines that begin from --init go no farther than this from their start "
                       "[half the start's size from masks, labels and outlines; what is nearer to "
                       "another start from points, boxes and circles]"});
    v(max_objects, {.name = "max-objects",
                    .min = 1,
                    .max = 65535,
                    .help = "of more objects those that the image speaks for most; 1 divides the "
                            "image once, whatever else is in it, unless --polarity, "
                            "--min-contrast, --max-area or --mask say what is meant"});
    v(no_split, {.name = "no-split",
                 .help = "do not part found objects that touch, where an outline pinches and the "
                         "description is shorter with two"});
    v(split, {.name = "split",
              .help = "part outlines that begin from --init too; found ones are parted anyway"});
    v(merge, {.name = "merge",
              .help = "two outlines that touch become one where the description is shorter with "
                      "one"});
  }
};

/// How far a search for objects has come.
enum class ObjectStage : std::uint8_t {
  begun,     ///< Found or given, none outlined yet.
  outlined,  ///< Each where its outline is best given the others.
  divided,   ///< Those that touch have become one or two, as the options say.
  finished   ///< Those that are returned, in their order.
};
/// With what the objects cover.
using OnObjects = std::function<void(ObjectStage, const std::vector<Region>&)>;

/// Where to begin and which objects are meant; all optional.
struct ObjectInputs {
  /// Where to begin, one for each object; they do not overlap. Without any objects are found.
  std::vector<Region> starts;
  /// Starts have the shapes of their objects, as those of masks, labels and outlines: unless
  /// ObjectOptions::within says otherwise no outline goes farther from its start than the radius of
  /// a disc of the same area. Others, boxes and circles, grow as far as the image supports them and
  /// no other start is nearer.
  bool has_shapes = false;
  /// A host image of the same shape and one channel, or none: objects are those of which more than
  /// half of the pixels lie where it is not 0. The others count as objects until they are left out:
  /// they are nobody's background.
  Image mask;
  /// Called after each stage, on the caller's thread; where nothing was found, or the image is
  /// divided once, after the last alone.
  OnObjects on_objects = {};
};

/// Finds objects: places where the image is unlikely to be background, brighter or darker, at the
/// scale at which they are told best. There is no threshold: an object stays when it shortens the
/// description of the image by more than it takes to say where it is. Regions are not outlined yet,
/// and do not overlap; those of less than half of min_area are left out; see segment for images,
/// devices and what is thrown. A few passes over the image.
std::vector<Region> find_objects(const Image& image, const ObjectOptions& options,
                                 const Control& control = {});

/// Outlines all objects of an image, found or begun as given. Each outline is that of the least J
/// given the others, with the object inside and the background outside; holes that shorten the
/// description are kept. Outlines are simple and none touches another. The same on every device and
/// for any number of threads. Order: of `starts`, or by place from the top when found; ids are the
/// numbers of the starts from 1 on, of which some may be missing, and of what a split has added the
/// next ones, or the order of what was found. A start that is not worth its description, or is
/// beyond a bound of the options, has no outline in the end. Throws InvalidArgument also for a
/// min_area above max_area, and a mask of another shape.
SegmentResult segment_objects(const Image& image, const ObjectOptions& options,
                              const ObjectInputs& inputs = {}, const Control& control = {});

/// Of outlines of an image, which was searched without bounds, the first bound of the options that
/// leaves each out, or none. `mask`: see ObjectInputs.
std::vector<std::optional<ObjectBound>> bounds_against(const std::vector<Outline>& outlines,
                                                       const ObjectOptions& options,
                                                       const Image& mask, const Shape& image,
                                                       const Control& control = {});

/// Bytes of device memory that it holds at its peak, the image included.
std::int64_t estimate_bytes(const Description& image, const ObjectOptions& options,
                            const Device& device);

}  // namespace meander
