// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdio>

#include <jpeglib.h>

#include "io/io_testing.hpp"

namespace meander::io {

/// How another program might have written a JPEG; libjpeg does it.
struct JpegRecipe {
  int width = 37;
  int height = 29;
  J_COLOR_SPACE colours = JCS_GRAYSCALE;
  bool progressive = false;
  int scans = 0;  ///< Of a file that repeats the last bit of every coefficient, when above 0.
  int restart_rows = 0;
  std::string exif;  ///< Content of an APP1 marker.
};

inline int components_of(const JpegRecipe& recipe) {
  return recipe.colours == JCS_GRAYSCALE ? 1 : recipe.colours == JCS_CMYK ? 4 : 3;
}

/// Smooth, with edges and without symmetry, so that a turned image differs from an upright one.
inline std::vector<JSAMPLE> jpeg_row(const JpegRecipe& recipe, int y) {
  std::vector<JSAMPLE> row;
  for (int x = 0; x < recipe.width; ++x) {
    for (int c = 0; c < components_of(recipe); ++c) {
      row.push_back(static_cast<JSAMPLE>((5 * x + 3 * y * (c + 1) + (x > 9 ? 40 : 0)) % 251));
    }
  }
  return row;
}

/// One scan of the DC coefficients and as many of one AC coefficient as are left.
inline std::vector<jpeg_scan_info> many_scans(int count) {
  std::vector<jpeg_scan_info> scans = {{1, {0}, 0, 0, 0, 0}};
  for (int i = 1; i < count; ++i) scans.push_back({1, {0}, i, i, 0, 0});
  return scans;
}

inline void make_jpeg(const std::filesystem::path& path, const JpegRecipe& recipe) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  jpeg_compress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  jpeg_stdio_dest(&jpeg, file);
  jpeg.image_width = static_cast<JDIMENSION>(recipe.width);
  jpeg.image_height = static_cast<JDIMENSION>(recipe.height);
  jpeg.input_components = components_of(recipe);
  jpeg.in_color_space = recipe.colours;
  jpeg_set_defaults(&jpeg);
  jpeg.restart_in_rows = recipe.restart_rows;
  if (recipe.progressive) jpeg_simple_progression(&jpeg);
  const std::vector<jpeg_scan_info> scans = many_scans(recipe.scans);
  if (recipe.scans > 0) {
    jpeg.scan_info = scans.data();
    jpeg.num_scans = static_cast<int>(scans.size());
  }
  jpeg_start_compress(&jpeg, TRUE);
  if (!recipe.exif.empty()) {
    jpeg_write_marker(&jpeg, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(recipe.exif.data()),
                      static_cast<unsigned>(recipe.exif.size()));
  }
  for (int y = 0; y < recipe.height; ++y) {
    std::vector<JSAMPLE> row = jpeg_row(recipe, y);
    JSAMPROW rows[] = {row.data()};
    jpeg_write_scanlines(&jpeg, rows, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  std::fclose(file);
}

}  // namespace meander::io
