// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "meander/convert.hpp"
#include "meander/picture.hpp"
#include "meander/statistics.hpp"

namespace meander {
namespace {

constexpr std::size_t side_of_sheet = 4096;
constexpr std::size_t largest_tile = 512;
constexpr std::size_t smallest_tile = 64;
/// What contact_sheet needs for each character of a label.
constexpr std::int64_t label_step = 12;
constexpr std::uint8_t black = 0;
constexpr std::uint8_t white = 255;

std::int64_t tile_side(std::size_t tiles) {
  return static_cast<std::int64_t>(std::clamp(side_of_sheet / tiles, smallest_tile, largest_tile));
}

Image middle_slice(const Image& image) {
  const std::int64_t middle = image.shape().z / 2;
  return image.slices(middle, middle + 1);
}

/// Components x and y of the slice's vectors, in colours.
Image colours_of(const Image& slice) {
  const auto owner = std::make_shared<Image>(slice);
  Description plane = slice.description();
  plane.channels = 2;
  return field_colours(
      Field(Image::wrap(owner->mutable_row_bytes(0), plane, slice.pitch(), owner)));
}

Image white_picture(const Shape& shape) {
  Image picture = Image::allocate({.shape = shape, .channels = 3, .type = PixelType::u8});
  for (int c = 0; c < 3; ++c) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      std::fill_n(picture.mutable_row<std::uint8_t>(y, 0, c), shape.x, white);
    }
  }
  return picture;
}

/// A plane's values as bytes of one channel; black throughout where the window is empty.
void draw(const Image& plane, const std::array<double, 2>& window, Image& picture, int channel) {
  const bool has_range = window[0] < window[1];
  const Image bytes =
      has_range ? convert(plane, {.type = PixelType::u8, .window = window}).download() : Image();
  for (std::int64_t y = 0; y < plane.shape().y; ++y) {
    auto* row = picture.mutable_row<std::uint8_t>(y, 0, channel);
    if (has_range) {
      std::copy_n(bytes.row<std::uint8_t>(y), plane.shape().x, row);
    } else {
      std::fill_n(row, plane.shape().x, black);
    }
  }
}

}  // namespace

ResultSheet::ResultSheet(std::size_t columns, std::size_t rows, SheetContent content)
    : content_(content), columns_(columns), longest_side_(tile_side(std::max(columns, rows))) {
  if (columns == 0 || rows == 0) {
    throw InvalidArgument("a sheet of results has no column or no row, expected 1 or more of both");
  }
}

void ResultSheet::add(const std::string& label, const Image& result) {
  const Image slice = middle_slice(result);
  const bool is_coloured = content_ == SheetContent::fields && slice.channels() > 1;
  const Image picture = is_coloured ? colours_of(slice) : slice;
  Shown shown{.label = label, .is_picture = is_coloured || content_ == SheetContent::pictures};
  const int planes = picture.channels() < 3 ? 1 : 3;
  for (int c = 0; c < planes; ++c) {
    shown.planes.push_back(reduced_image(picture.channel(c), longest_side_));
  }
  shown_.push_back(std::move(shown));
}

void ResultSheet::add_empty(const std::string& label, const std::string& reason) {
  shown_.push_back({.label = label + ": " + reason});
}

bool ResultSheet::shows_anything() const {
  return std::any_of(shown_.begin(), shown_.end(),
                     [](const Shown& shown) { return !shown.planes.empty(); });
}

std::optional<std::array<double, 2>> ResultSheet::window() const {
  std::optional<std::array<double, 2>> range;
  for (const Shown& shown : shown_) {
    if (shown.is_picture) continue;
    for (const Image& plane : shown.planes) {
      const Statistics found = statistics(plane);
      if (found.finite == 0) continue;
      if (!range) range = {found.min, found.max};
      range = {std::min((*range)[0], found.min), std::max((*range)[1], found.max)};
    }
  }
  return range;
}

Shape ResultSheet::shape_of_first() const {
  const auto first = std::find_if(shown_.begin(), shown_.end(),
                                  [](const Shown& shown) { return !shown.planes.empty(); });
  return first == shown_.end() ? Shape{} : first->planes.front().shape();
}

Image ResultSheet::picture(const Control& control) const {
  const auto values = window().value_or(std::array{0.0, 0.0});
  std::vector<std::vector<Tile>> rows;
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    Control{.stop = control.stop}.step(0);
    const Shown& shown = shown_[i];
    Shape shape = shown.planes.empty() ? shape_of_first() : shown.planes.front().shape();
    // A label ends where its tile does, so a narrow picture gets a margin at its right.
    shape.x = std::max(shape.x, label_step * static_cast<std::int64_t>(shown.label.size()));
    Image tile = white_picture(shape);
    for (int c = 0; c < 3 && !shown.planes.empty(); ++c) {
      const auto& plane = shown.planes[shown.planes.size() == 3 ? static_cast<std::size_t>(c) : 0];
      draw(plane, shown.is_picture ? std::array{0.0, 255.0} : values, tile, c);
    }
    if (i % columns_ == 0) rows.emplace_back();
    rows.back().push_back({.picture = std::move(tile), .label = shown.label});
  }
  // Tiles are small enough already; a margin must not make them smaller.
  return contact_sheet(rows, std::numeric_limits<std::int32_t>::max(), control);
}

}  // namespace meander
