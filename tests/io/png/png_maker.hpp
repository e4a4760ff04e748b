// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <png.h>

#include <cstdio>

#include "io/io_testing.hpp"

namespace meander::io {

/// How another program might have written a PNG; libpng does it.
struct PngRecipe {
  int width = 1;
  int height = 1;
  int bits = 8;
  int color = PNG_COLOR_TYPE_GRAY;
  bool interlaced = false;
  bool transparent_palette = false;
  int density_x = 0;  ///< pHYs, when above 0.
  int density_y = 0;
  int density_unit = PNG_RESOLUTION_METER;
  std::string exact_spacing;  ///< Meander's text.
  std::string exif;           ///< Content of an eXIf chunk.
  bool grey_palette = false;
};

/// Entry i of the palette that make_png uses.
inline std::array<std::uint8_t, 4> palette_entry(int i) {
  return {static_cast<std::uint8_t>(3 * i), static_cast<std::uint8_t>(255 - i),
          static_cast<std::uint8_t>(7 * i), static_cast<std::uint8_t>(i % 2 == 0 ? 255 : i)};
}

/// `rows` holds the packed bytes of each row as the format stores them.
inline void make_png(const std::filesystem::path& path, const std::vector<std::string>& rows,
                     const PngRecipe& recipe) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_IHDR(png, info, static_cast<png_uint_32>(recipe.width),
               static_cast<png_uint_32>(recipe.height), recipe.bits, recipe.color,
               recipe.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  std::vector<png_color> palette;
  std::vector<png_byte> alpha;
  for (int i = 0; i < 1 << std::min(recipe.bits, 8); ++i) {
    const auto [r, g, b, a] = palette_entry(i);
    palette.push_back(recipe.grey_palette ? png_color{r, r, r} : png_color{r, g, b});
    alpha.push_back(a);
  }
  const int entries = static_cast<int>(palette.size());
  if (recipe.color == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette.data(), entries);
  if (recipe.transparent_palette) png_set_tRNS(png, info, alpha.data(), entries, nullptr);
  if (recipe.density_x > 0) {
    png_set_pHYs(png, info, static_cast<png_uint_32>(recipe.density_x),
                 static_cast<png_uint_32>(recipe.density_y), recipe.density_unit);
  }
  png_text text{};
  text.compression = PNG_TEXT_COMPRESSION_NONE;
  text.key = const_cast<char*>("meander_spacing");
  text.text = const_cast<char*>(recipe.exact_spacing.c_str());
  if (!recipe.exact_spacing.empty()) png_set_text(png, info, &text, 1);
  if (!recipe.exif.empty()) {
    png_set_eXIf_1(png, info, static_cast<png_uint_32>(recipe.exif.size()),
                   reinterpret_cast<png_bytep>(const_cast<char*>(recipe.exif.data())));
  }
  png_write_info(png, info);
  std::vector<png_bytep> pointers;
  for (const std::string& row : rows) {
    pointers.push_back(reinterpret_cast<png_bytep>(const_cast<char*>(row.data())));
  }
  png_write_image(png, pointers.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

}  // namespace meander::io
