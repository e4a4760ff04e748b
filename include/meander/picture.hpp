// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "meander/edge.hpp"
#include "meander/image.hpp"
#include "meander/outline.hpp"
#include "meander/window.hpp"

/// Pictures for people to look at.
namespace meander {

/// One picture of a contact sheet.
struct Tile {
  Image picture;      ///< 2-D, u8, 1 or 3 channels, in host memory.
  std::string label;  ///< Printable ASCII; any other character of UTF-8 is shown as a box.
};

/// Small pictures side by side on a white ground, each with its label in black above it. Every
/// column is as wide as its widest picture, every row as tall as its tallest; pictures lie at the
/// upper left of their place, 8 pixels apart and from the edge, below a line of 20 pixels for the
/// label. Rows may be of unequal length. A label ends at the last character that its column has
/// room for (12 pixels each).
///
/// A picture with more than `longest_side` pixels along x or y is reduced by the smallest whole
/// factor that makes it fit, each pixel being the rounded mean of those it stands for (fewer at the
/// right and lower edge where the factor does not divide the size). None is enlarged.
///
/// Throws InvalidArgument when there is no tile, a row is empty, a picture is of another kind,
/// channel counts are mixed or `longest_side` is below 1.
Image contact_sheet(const std::vector<std::vector<Tile>>& rows, std::int64_t longest_side = 512,
                    const Control& control = {});

/// A 2-D host image of one channel and any type as f32, made smaller as a contact sheet would, but
/// before its values become a picture: each pixel is the mean of the finite values it stands for,
/// NaN where there are none. Throws InvalidArgument for other images and a `longest_side` below 1.
Image reduced_image(const Image& image, std::int64_t longest_side, const Control& control = {});

/// What a sheet of results is made of.
enum class SheetContent : std::uint8_t {
  values,   ///< Images, shown grey, or in colours from three channels on.
  fields,   ///< Vector fields, shown as `field_colours`; those of one channel as values.
  pictures  ///< Pictures already, from 0 to 255, as an OutlineCanvas makes.
};

/// Results as pictures side by side, all grey between the same two values, so that they can be
/// compared: what a Sweep gives, or one image seen by several methods. Of a volume the middle slice
/// is shown; of three channels or more the first three as red, green and blue, of two the first.
/// Results are reduced as they come, and only that is kept.
class ResultSheet {
 public:
  /// `columns` and `rows` of tiles, for which a sheet of about 4096 pixels a side has room, with
  /// tiles of 64 to 512. Throws InvalidArgument when one of them is 0.
  ResultSheet(std::size_t columns, std::size_t rows, SheetContent content = SheetContent::values);

  /// The next result, in host memory. Throws InvalidArgument for an image on a GPU.
  void add(const std::string& label, const Image& result);
  /// The next place without a result, for a reason of a word or two.
  void add_empty(const std::string& label, const std::string& reason);

  /// The values that are black and white; nothing where no result is shown by its values.
  std::optional<std::array<double, 2>> window() const;
  /// False when every place is without a result.
  bool shows_anything() const;
  /// The labelled tiles, as many in a row as there are columns. Throws InvalidArgument without any.
  Image picture(const Control& control = {}) const;

 private:
  struct Shown {
    std::string label;
    std::vector<Image> planes;  ///< f32, one or three; none without a result.
    bool is_picture = false;    ///< Has colours already, 0 to 255.
  };
  Shape shape_of_first() const;

  SheetContent content_;
  std::size_t columns_;
  std::int64_t longest_side_;
  std::vector<Shown> shown_;
};

// Pictures of vector fields. They are RGB, u8, 2-D, in host memory; pixels are drawn square. Of a
// volume they show the middle slice, with the components x and y. A vector that is not finite is
// drawn like one of length 0.

/// Directions as hues on black: right is red, down yellow-green, left cyan, up violet, each quarter
/// turn a quarter of the hues. Brightness is the root of the length, relative to the longest vector
/// of the picture, so that a vector of a hundredth of it still has a tenth of the brightness. Where
/// both sides have at least 96 pixels a wheel at the upper right shows which colour is which.
Image field_colours(const Field& field, const Control& control = {});

/// How arrows are drawn.
struct ArrowOptions {
  bool unit_length = false;       ///< All alike; otherwise by the root of the length, as above.
  std::int64_t pixels_apart = 0;  ///< Of the image; 0: so that about 32 lie along its longer side.
};

/// Arrows on the image, which is shown grey from its least to its largest value. They lie on a
/// regular grid, their middles on the centres of pixels, and point where the vectors point. An
/// image with arrows closer than 16 pixels is enlarged by a whole factor until they have those 16.
/// Throws InvalidArgument unless the image has one channel and the shape of the field.
Image field_arrows(const Image& image, const Field& field, const ArrowOptions& options = {},
                   const Control& control = {});

/// A flow on one sheet. Above: the image, the lengths of the vectors before and after (roots, as
/// above) and the directions after, all of one brightness where there is any vector. Below: up to
/// 24 x 24 pixels around the longest vector before, with arrows before and after, and the colours
/// of the field. Without an image (an empty one) the lengths before take its place. Throws
/// InvalidArgument for shapes that differ.
Image flow_picture(const Image& image, const Field& before, const Field& after,
                   const Control& control = {});

/// An image made ready to have outlines drawn on it: grey, black and white at the ends of a window,
/// by default that of `find_window`. An image with more than `longest_side` pixels along x
/// or y is reduced by the smallest whole factor that makes it fit, each pixel being the mean of the
/// finite values it stands for; one with less than half of 512 is enlarged by the largest whole
/// factor that keeps it within 512. Holds 3 bytes for each pixel of the picture; making it takes
/// one pass over the image and 4 bytes more for each.
class OutlineCanvas {
 public:
  /// A 2-D image of one channel in host memory; it is not kept. Throws InvalidArgument for others
  /// and when `longest_side` is below 1.
  explicit OutlineCanvas(const Image& image, std::int64_t longest_side = 2048,
                         const ValueWindow& window = {}, const Control& control = {});

  /// Lines about 2 pixels wide with smooth edges, and dots at the nodes where there are at
  /// most 8 outlines and in each of them they lie 8 pixels or more apart on average. What lies
  /// outside the image is not drawn. RGB, u8, in host memory.
  Image with(std::span<const Polygon> outlines, const Control& control = {}) const;
  /// The same of curves, open ones without the line back to their first point. Where they started
  /// is drawn below them in blue, with lines half as wide and without dots.
  Image with(std::span<const Curve> curves, std::span<const Curve> starts,
             const Control& control = {}) const;
  /// The same of objects with their holes. Where there are several, each has its label near its
  /// middle, white with a dark rim, 14 or 7 pixels tall, or, too small for that, beside it where
  /// that is free.
  Image with_numbers(std::span<const LabelledRegion> objects, std::span<const Curve> starts = {},
                     const Control& control = {}) const;
  /// Of what `with` returns.
  const Description& description() const { return ground_.description(); }

  /// Most bytes that a canvas of such an image takes: while it is made, and while it is drawn on.
  static std::int64_t bytes_to_make(const Shape& image, std::int64_t longest_side = 2048);

 private:
  Image ground_;      ///< RGB.
  double scale_ = 1;  ///< Pixels of the picture for one of the image.
};

/// Outlines on the image they were found in.
Image outline_overlay(const Image& image, std::span<const Polygon> outlines,
                      std::int64_t longest_side = 2048, const Control& control = {});

/// What an edge snake did. RGB, u8, in host memory, each as large as an OutlineCanvas is.
struct EdgePictures {
  Image smoothed, edges;  ///< Grey; empty where that stage is.
  Image flow;             ///< Directions as hues, as of field_colours, all of one brightness.
  Image outline;          ///< On the image, with the starts.
  /// A sheet: the image and all of these, the flow as arrows of one length too, around the point of
  /// the outlines that lies farthest behind their convex hull.
  Image figure;
};
/// Everything is 2-D and in host memory; the stages `smoothed` and `edges` may be empty. Throws
/// InvalidArgument for shapes that differ and without a field.
EdgePictures edge_pictures(const Image& image, const EdgeStages& stages,
                           std::span<const Curve> starts, std::span<const Curve> outlines,
                           const Control& control = {});

}  // namespace meander
