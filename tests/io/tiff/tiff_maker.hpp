// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <tiffio.h>

#include "io/io_testing.hpp"

namespace meander::io {

/// How another program might have written a TIFF; libtiff does it.
struct TiffRecipe {
  std::string mode = "w";  ///< 8: BigTIFF, b: big-endian, l: little-endian.
  int compression = COMPRESSION_NONE;
  int predictor = 1;
  int tile = 0;  ///< Edge of a tile; 0 for strips.
  int rows_per_strip = 5;
  bool separate = false;
  int photometric = PHOTOMETRIC_MINISBLACK;
  bool thumbnails = false;  ///< A reduced page after every page.
  std::string description;
  float resolution = 0;  ///< Pixels per `unit`, in x; twice that in y.
  int unit = RESUNIT_NONE;
  int orientation = 0;  ///< The tag, when above 0.
};

inline int sample_format_of(PixelType type) {
  if (!is_integer(type)) return SAMPLEFORMAT_IEEEFP;
  return type == PixelType::i16 ? SAMPLEFORMAT_INT : SAMPLEFORMAT_UINT;
}

inline void set_fields(TIFF* tiff, const Image& image, const TiffRecipe& recipe) {
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<int>(image.shape().x));
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<int>(image.shape().y));
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * size_of(image.type())));
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, sample_format_of(image.type()));
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, image.channels());
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, recipe.photometric);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, recipe.compression);
  if (recipe.predictor != 1) TIFFSetField(tiff, TIFFTAG_PREDICTOR, recipe.predictor);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG,
               recipe.separate ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
  if (recipe.tile != 0) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, recipe.tile);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, recipe.tile);
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, recipe.rows_per_strip);
  }
  if (!recipe.description.empty()) {
    TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, recipe.description.c_str());
  }
  if (recipe.orientation > 0) TIFFSetField(tiff, TIFFTAG_ORIENTATION, recipe.orientation);
  if (recipe.resolution > 0) {
    TIFFSetField(tiff, TIFFTAG_XRESOLUTION, recipe.resolution);
    TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 2 * recipe.resolution);
    TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, recipe.unit);
  }
}

/// Pixels [x, x + width) of a row, channels [first, last) interleaved; zeros beyond the image.
inline std::string pixels_of(const Image& image, std::int64_t z, std::int64_t y, std::int64_t x,
                             std::int64_t width, int first, int last) {
  const std::size_t size = size_of(image.type());
  std::string bytes;
  for (std::int64_t i = x; i < x + width; ++i) {
    for (int c = first; c < last; ++c) {
      const bool inside = i < image.shape().x && y < image.shape().y;
      const auto* at = inside ? reinterpret_cast<const char*>(image.row_bytes(y, z, c)) +
                                    static_cast<std::size_t>(i) * size
                              : nullptr;
      bytes += inside ? std::string(at, size) : std::string(size, '\0');
    }
  }
  return bytes;
}

inline void write_page(TIFF* tiff, const Image& image, std::int64_t z, const TiffRecipe& recipe) {
  const int planes = recipe.separate ? image.channels() : 1;
  for (int plane = 0; plane < planes; ++plane) {
    const int first = recipe.separate ? plane : 0;
    const int last = recipe.separate ? plane + 1 : image.channels();
    if (recipe.tile == 0) {
      for (std::int64_t y = 0; y < image.shape().y; ++y) {
        std::string row = pixels_of(image, z, y, 0, image.shape().x, first, last);
        ASSERT_EQ(TIFFWriteScanline(tiff, row.data(), static_cast<std::uint32_t>(y),
                                    static_cast<std::uint16_t>(plane)),
                  1);
      }
      continue;
    }
    for (std::int64_t y = 0; y < image.shape().y; y += recipe.tile) {
      for (std::int64_t x = 0; x < image.shape().x; x += recipe.tile) {
        std::string tile;
        for (int row = 0; row < recipe.tile; ++row) {
          tile += pixels_of(image, z, y + row, x, recipe.tile, first, last);
        }
        ASSERT_GT(
            TIFFWriteTile(tiff, tile.data(), static_cast<std::uint32_t>(x),
                          static_cast<std::uint32_t>(y), 0, static_cast<std::uint16_t>(plane)),
            0);
      }
    }
  }
}

inline void make_tiff(const std::filesystem::path& path, const Image& image,
                      const TiffRecipe& recipe) {
  TIFF* tiff = TIFFOpen(path.c_str(), recipe.mode.c_str());
  ASSERT_NE(tiff, nullptr);
  for (std::int64_t z = 0; z < image.shape().z; ++z) {
    set_fields(tiff, image, recipe);
    write_page(tiff, image, z, recipe);
    TIFFWriteDirectory(tiff);
    if (!recipe.thumbnails) continue;
    const Image small = random_image({.shape = {3, 2, 1}, .type = PixelType::u8});
    set_fields(tiff, small, {});
    TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
    write_page(tiff, small, 0, {});
    TIFFWriteDirectory(tiff);
  }
  TIFFClose(tiff);
}

}  // namespace meander::io
