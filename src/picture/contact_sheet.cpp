// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <numeric>

#include "core/control_part.hpp"
#include "core/message.hpp"
#include "meander/error.hpp"
#include "meander/picture.hpp"
#include "picture/font.hpp"
#include "picture/reduce.hpp"

namespace meander {
namespace {

using namespace pictures;
using Rows = std::vector<std::vector<Tile>>;
using Lengths = std::vector<std::int64_t>;

constexpr std::uint8_t black = 0;
constexpr std::uint8_t white = 255;
constexpr std::int64_t margin = 8;
constexpr int font_scale = 2;
constexpr std::int64_t character_step = (glyph_width + 1) * font_scale;
constexpr std::int64_t label_line = glyph_height * font_scale + 2;

void check_picture(const Image& picture, int channels, std::size_t row, std::size_t column) {
  if (picture.empty()) {
    throw InvalidArgument(
        message("tile ", column + 1, " of row ", row + 1, " of a contact sheet has no picture"));
  }
  const Description& found = picture.description();
  const bool fits = found.shape.z == 1 && found.type == PixelType::u8 &&
                    found.channels == channels && (channels == 1 || channels == 3);
  if (fits) return;
  throw InvalidArgument(message("tile ", column + 1, " of row ", row + 1,
                                " of a contact sheet is an image of ", to_string(found.shape),
                                " with ", found.channels, " channels of ", name_of(found.type),
                                ", expected 2-D and u8 with 1 or 3 channels, all tiles alike"));
}

void check(const Rows& rows, std::int64_t longest_side) {
  if (longest_side < 1) {
    throw InvalidArgument(
        message("longest_side of a contact sheet is ", longest_side, ", expected at least 1"));
  }
  if (rows.empty()) throw InvalidArgument("a contact sheet has no rows, expected at least one");
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].empty()) {
      throw InvalidArgument(message("row ", row + 1, " of a contact sheet has no tiles"));
    }
    for (std::size_t column = 0; column < rows[row].size(); ++column) {
      const Image& first = rows.front().front().picture;
      check_picture(rows[row][column].picture, first.empty() ? 1 : first.channels(), row, column);
    }
  }
}

Rows with_reduced_pictures(Rows rows, std::int64_t longest_side, const Control& control) {
  double done = 0;
  const auto count = static_cast<double>(rows.size());
  for (auto& row : rows) {
    control.step(done++ / count);
    for (Tile& tile : row) tile.picture = reduced(tile.picture, longest_side, control);
  }
  return rows;
}

Lengths widths_of_columns(const Rows& rows) {
  Lengths widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].picture.shape().x);
    }
  }
  return widths;
}

/// With the line of labels.
Lengths heights_of_rows(const Rows& rows) {
  Lengths heights;
  for (const auto& row : rows) {
    std::int64_t tallest = 0;
    for (const Tile& tile : row) tallest = std::max(tallest, tile.picture.shape().y);
    heights.push_back(label_line + tallest);
  }
  return heights;
}

std::int64_t with_margins(const Lengths& lengths) {
  return std::accumulate(
      lengths.begin(), lengths.end(), margin,
      [](std::int64_t sum, std::int64_t length) { return sum + length + margin; });
}

Image ground(const Shape& shape, int channels) {
  Image sheet = Image::allocate({.shape = shape, .channels = channels, .type = PixelType::u8});
  for (int c = 0; c < channels; ++c) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      std::fill_n(sheet.mutable_row<std::uint8_t>(y, 0, c), shape.x, white);
    }
  }
  return sheet;
}

void draw_picture(Image& sheet, const Image& picture, std::int64_t left, std::int64_t top) {
  for (int c = 0; c < picture.channels(); ++c) {
    for (std::int64_t y = 0; y < picture.shape().y; ++y) {
      std::copy_n(picture.row<std::uint8_t>(y, 0, c), picture.shape().x,
                  sheet.mutable_row<std::uint8_t>(top + y, 0, c) + left);
    }
  }
}

void draw_character(Image& sheet, char character, std::int64_t left, std::int64_t top) {
  for (int c = 0; c < sheet.channels(); ++c) {
    for (int y = 0; y < glyph_height * font_scale; ++y) {
      std::uint8_t* row = sheet.mutable_row<std::uint8_t>(top + y, 0, c) + left;
      for (int x = 0; x < glyph_width * font_scale; ++x) {
        if (has_ink(character, x / font_scale, y / font_scale)) row[x] = black;
      }
    }
  }
}

/// Only characters that the column has room for: half a digit might be read as another one.
void draw_label(Image& sheet, const std::string& label, std::int64_t left, std::int64_t top,
                std::int64_t width) {
  const std::int64_t end = left + width;
  for (const char character : label) {
    const bool continues = (static_cast<unsigned char>(character) & 0xc0u) == 0x80u;  // UTF-8
    if (continues) continue;
    if (left + glyph_width * font_scale > end) return;
    draw_character(sheet, character, left, top);
    left += character_step;
  }
}

}  // namespace

Image contact_sheet(const Rows& given, std::int64_t longest_side, const Control& control) {
  check(given, longest_side);
  const Rows rows = with_reduced_pictures(given, longest_side, part_of(control, 0, 0.7));
  const Lengths widths = widths_of_columns(rows);
  const Lengths heights = heights_of_rows(rows);
  Image sheet = ground({with_margins(widths), with_margins(heights), 1},
                       rows.front().front().picture.channels());
  std::int64_t top = margin;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    control.step(0.7 + 0.3 * static_cast<double>(row) / static_cast<double>(rows.size()));
    std::int64_t left = margin;
    for (std::size_t column = 0; column < rows[row].size(); ++column) {
      const Tile& tile = rows[row][column];
      draw_label(sheet, tile.label, left, top, widths[column]);
      draw_picture(sheet, tile.picture, left, top + label_line);
      left += widths[column] + margin;
    }
    top += heights[row] + margin;
  }
  control.step(1);
  return sheet;
}

}  // namespace meander
