// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io_testing.hpp"
#ifdef MEANDER_WITH_TIFF
#include "io/tiff/tiff_maker.hpp"
#endif

/// A reader that was asked for a part of an image reads as if the file had been cropped.
namespace meander::io {
namespace {

/// The bytes that a cropped file would hold, picked one pixel at a time.
std::string bytes_of_part(const Image& image, const Roi& roi, std::int64_t begin,
                          std::int64_t end) {
  const bool is_volume = image.shape().z > 1;
  const auto size = size_of(image.type());
  std::string all;
  for (int c = 0; c < image.channels(); ++c) {
    for (std::int64_t z = is_volume ? begin : 0; z < (is_volume ? end : 1); ++z) {
      for (std::int64_t y = is_volume ? roi.y0 : roi.y0 + begin;
           y < (is_volume ? roi.y1 : roi.y0 + end); ++y) {
        for (std::int64_t x = roi.x0; x < roi.x1; ++x) {
          const std::byte* pixel = image.row_bytes(y, z, c) + x * static_cast<std::int64_t>(size);
          all.append(reinterpret_cast<const char*>(pixel), size);
        }
      }
    }
  }
  return all;
}

const std::vector<Roi> parts = {{0, 0, 13, 11}, {3, 2, 9, 10}, {12, 10, 13, 11},
                                {0, 4, 13, 7},  {5, 0, 6, 11}, {0, 0, 1, 1}};

void expect_parts_of(const std::filesystem::path& path, const Image& image) {
  for (const Roi& roi : parts) {
    SCOPED_TRACE(path.string() + " " + std::to_string(roi.x0) + "," + std::to_string(roi.y0));
    Reader reader(path, {.channels_last = image.channels() > 1, .roi = roi});
    Description expected = image.description();
    expected.shape.x = roi.x1 - roi.x0;
    expected.shape.y = roi.y1 - roi.y0;
    EXPECT_EQ(reader.description(), expected);
    EXPECT_EQ(reader.whole_shape(), image.shape());
    const std::int64_t length = slab_length(expected.shape);
    EXPECT_TRUE(bytes_of(reader.read()) == bytes_of_part(image, roi, 0, length));
    for (std::int64_t begin = length - 1; begin >= 0; begin -= 2) {
      const std::int64_t end = std::min(begin + 3, length);
      EXPECT_TRUE(bytes_of(reader.slab(begin, end)) == bytes_of_part(image, roi, begin, end))
          << "slab " << begin << " to " << end;
    }
  }
}

TEST(RoiOfReader, IsTheCroppedFileInEveryFormat) {
  const Folder folder;
  for (const std::string suffix : {".npy", ".png", ".tif", ".ome.tif", ".nrrd", ".mhd"}) {
    for (const int slices : {1, 4}) {
      for (const int channels : {1, 3}) {
        const PixelType type = suffix == ".png" ? PixelType::u16 : PixelType::f32;
        if (!can_hold("a" + suffix, type) || (suffix == ".png" && slices > 1)) continue;
        const Spacing spacing = suffix == ".npy" ? Spacing{} : Spacing{2, 3, 4, Unit::micrometre};
        const Image image = random_image({{13, 11, slices}, channels, type, spacing});
        write(folder / ("a" + suffix), image);
        expect_parts_of(folder / ("a" + suffix), image);
      }
    }
  }
}

/// (z, y, x, c) of an image in the order of Fortran: the first axis runs fastest.
std::string fortran_file(const Image& image) {
  const Shape& s = image.shape();
  std::string text = "{'descr': '<f4', 'fortran_order': True, 'shape': (" + std::to_string(s.z) +
                     ", " + std::to_string(s.y) + ", " + std::to_string(s.x) + ", " +
                     std::to_string(image.channels()) + "), }";
  text += std::string(117 - text.size(), ' ') + "\n";
  std::string file("\x93NUMPY\x01\x00\x76\x00", 10);
  file += text;
  for (int c = 0; c < image.channels(); ++c) {
    for (std::int64_t x = 0; x < s.x; ++x) {
      for (std::int64_t y = 0; y < s.y; ++y) {
        for (std::int64_t z = 0; z < s.z; ++z) {
          file.append(reinterpret_cast<const char*>(image.row<float>(y, z, c) + x), sizeof(float));
        }
      }
    }
  }
  return file;
}

TEST(RoiOfReader, OfNpyInFortranOrder) {
  const Folder folder;
  for (const int slices : {1, 4}) {
    const Image image = random_image({{13, 11, slices}, 2, PixelType::f32});
    save(folder / "f.npy", fortran_file(image));
    expect_parts_of(folder / "f.npy", image);
  }
}

#ifdef MEANDER_WITH_TIFF
TEST(RoiOfReader, OfTiffInStripsTilesAndPlanes) {
  const Folder folder;
  const Image image = random_image({{13, 11, 1}, 3, PixelType::u16});
  for (const bool separate : {false, true}) {
    for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW}) {
      for (const int tile : {0, 16}) {
        make_tiff(folder / "a.tif", image,
                  {.mode = "wb", .compression = compression, .tile = tile, .separate = separate});
        expect_parts_of(folder / "a.tif", image);
      }
    }
  }
}

TEST(RoiOfReader, OfTiffTakesOnlyTheTilesItNeeds) {
  const Folder folder;
  const Image image = random_image({{64, 64, 1}, 1, PixelType::u8});
  make_tiff(folder / "a.tif", image, {.compression = COMPRESSION_LZW, .tile = 16});
  const Roi corner{48, 48, 64, 64};
  const std::string expected = bytes_of_part(image, corner, 0, 16);
  // Damage to the first tile is not seen from the last one.
  std::string bytes = load(folder / "a.tif");
  for (std::size_t i = 8; i < 40; ++i) bytes[i] = static_cast<char>(~bytes[i]);
  save(folder / "a.tif", bytes);
  EXPECT_EQ(thrown_by([&] { read(folder / "a.tif"); }).kind, "MalformedFile");
  EXPECT_TRUE(bytes_of(read(folder / "a.tif", {.roi = corner})) == expected);
}
#endif

TEST(RoiOfReader, TakesTheMemoryOfThePartOnly) {
  const Folder folder;
  const Image image = random_image({{2048, 2048, 1}, 1, PixelType::f32});
  write(folder / "a.npy", image);
  const Budget budget(std::uint64_t{1} << 20);
  EXPECT_EQ(error_of_reading(folder / "a.npy").kind, "OutOfMemory");
  const Roi roi{1000, 900, 1200, 1000};
  EXPECT_TRUE(bytes_of(read(folder / "a.npy", {.roi = roi})) == bytes_of_part(image, roi, 0, 100));
}

TEST(RoiOfReader, BeyondTheImageOrEmptyIsRefusedWithItsSize) {
  const Folder folder;
  write(folder / "a.npy", random_image({{13, 11, 1}, 1, PixelType::u8}));
  for (const Roi& roi : std::vector<Roi>{{0, 0, 14, 11},
                                         {0, 0, 13, 12},
                                         {-1, 0, 5, 5},
                                         {0, -1, 5, 5},
                                         {5, 5, 5, 9},
                                         {5, 9, 7, 9},
                                         {7, 2, 3, 4},
                                         {13, 0, 14, 1}}) {
    expect_error(error_of_reading(folder / "a.npy", {.roi = roi}), "InvalidArgument",
                 folder / "a.npy", "of an image of 13x11, expected x0 < x1 <= 13");
  }
}

}  // namespace
}  // namespace meander::io
