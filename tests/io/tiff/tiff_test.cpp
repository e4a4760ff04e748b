// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// TIFF files as other programs write them, here libtiff.
#include "io/tiff/layout.hpp"
#include "io/tiff/notes.hpp"
#include "io/tiff/sink.hpp"
#include "tiff_maker.hpp"

namespace meander::io {
namespace {

struct Flavour {
  std::string name;
  TiffRecipe recipe;
};

void PrintTo(const Flavour& flavour, std::ostream* out) { *out << flavour.name; }

std::vector<Flavour> flavours() {
  std::vector<Flavour> all = {
      {"strips", {}},
      {"one_row_strips", {.rows_per_strip = 1}},
      {"one_strip", {.rows_per_strip = 1000}},
      {"tiles", {.tile = 16}},
      {"big_endian", {.mode = "wb"}},
      {"big_endian_tiles", {.mode = "wb", .tile = 16}},
      {"bigtiff", {.mode = "w8"}},
      {"bigtiff_big_endian", {.mode = "w8b"}},
      {"planes", {.separate = true}},
      {"planes_big_endian", {.mode = "wb", .separate = true}},
      {"planes_tiles", {.tile = 16, .separate = true}},
      {"white_is_zero", {.photometric = PHOTOMETRIC_MINISWHITE}},
      {"thumbnails", {.thumbnails = true}},
  };
  const std::pair<std::string, int> codecs[] = {{"lzw", COMPRESSION_LZW},
                                                {"deflate", COMPRESSION_ADOBE_DEFLATE},
                                                {"packbits", COMPRESSION_PACKBITS},
                                                {"zstd", COMPRESSION_ZSTD},
                                                {"lzma", COMPRESSION_LZMA}};
  for (const auto& [name, code] : codecs) {
    if (TIFFIsCODECConfigured(static_cast<std::uint16_t>(code)) == 0) continue;
    all.push_back({name, {.compression = code}});
    all.push_back({name + "_tiles", {.compression = code, .tile = 16}});
    all.push_back(
        {name + "_big_endian_planes", {.mode = "wb", .compression = code, .separate = true}});
  }
  return all;
}

class TiffFlavour : public testing::TestWithParam<Flavour> {
 protected:
  Folder folder;
};

TEST_P(TiffFlavour, ReadsEveryTypeWholeAndInSlabs) {
  for (const PixelType type : all_pixel_types) {
    for (const int channels : {1, 3}) {
      for (const Shape shape : {Shape{37, 23, 1}, Shape{19, 11, 3}}) {
        SCOPED_TRACE(to_string(shape) + " " + std::string(name_of(type)));
        const Image image = random_image({shape, channels, type, {}});
        make_tiff(folder / "a.tif", image, GetParam().recipe);
        Reader reader(folder / "a.tif");
        EXPECT_EQ(reader.description(), image.description());
        EXPECT_TRUE(same_pixels(reader.read(), image));
        const Image middle = shape.z > 1 ? image.slices(1, 3) : image.rows(3, 18);
        const Image found = shape.z > 1 ? reader.slab(1, 3) : reader.slab(3, 18);
        EXPECT_TRUE(same_pixels(found, middle));
        const Image start = shape.z > 1 ? image.slices(0, 1) : image.rows(0, 1);
        EXPECT_TRUE(same_pixels(reader.slab(0, 1), start));
        const Image next = shape.z > 1 ? image.slices(1, 2) : image.rows(1, 2);
        EXPECT_TRUE(same_pixels(reader.slab(1, 2), next));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tiff, TiffFlavour, testing::ValuesIn(flavours()),
                         [](const auto& tested) { return tested.param.name; });

TEST(Tiff, ReadsPredictors) {
  const Folder folder;
  for (const PixelType type : all_pixel_types) {
    const int predictor = is_integer(type) ? PREDICTOR_HORIZONTAL : PREDICTOR_FLOATINGPOINT;
    for (const std::string mode : {"w", "wb"}) {
      // libtiff writes the bytes of this one in the wrong order; interop.py has a file that is
      // right.
      if (mode == "wb" && predictor == PREDICTOR_FLOATINGPOINT) continue;
      const Image image = random_image({{33, 17, 1}, 2, type, {}});
      make_tiff(folder / "a.tif", image,
                {.mode = mode, .compression = COMPRESSION_ADOBE_DEFLATE, .predictor = predictor});
      EXPECT_TRUE(same_pixels(read(folder / "a.tif"), image)) << name_of(type) << mode;
    }
  }
}

TEST(Tiff, ReadsAnImageJStackThatHasOnlyItsFirstPage) {
  const Folder folder;
  const Image image = random_image({{21, 9, 4}, 1, PixelType::u16, {}});
  make_tiff(folder / "a.tif", image.slices(0, 1),
            {.rows_per_strip = 9, .description = "ImageJ=1.53t\nimages=4\nslices=4\n"});
  // The pixels of the other slices follow those of the first, which libtiff puts behind the header.
  const std::string file = load(folder / "a.tif");
  const std::string first = bytes_of(image.slices(0, 1));
  const auto at = file.find(first);
  ASSERT_EQ(at, 8u);
  std::string moved = file.substr(0, 8) + bytes_of(image) + file.substr(8 + first.size());
  // Shift the directory and all that lies behind the pixels.
  const auto shift = static_cast<std::uint32_t>(bytes_of(image.slices(1, 4)).size());
  std::uint32_t directory = 0;
  std::memcpy(&directory, moved.data() + 4, 4);
  directory += shift;
  std::memcpy(moved.data() + 4, &directory, 4);
  std::uint16_t entries = 0;
  std::memcpy(&entries, moved.data() + directory, 2);
  for (std::uint32_t i = 0; i < entries; ++i) {
    char* entry = moved.data() + directory + 2 + 12 * i;
    std::uint16_t tag = 0;
    std::memcpy(&tag, entry, 2);
    if (tag != TIFFTAG_IMAGEDESCRIPTION) continue;
    std::uint32_t position = 0;
    std::memcpy(&position, entry + 8, 4);
    position += shift;
    std::memcpy(entry + 8, &position, 4);
  }
  save(folder / "a.tif", moved);
  Reader reader(folder / "a.tif");
  EXPECT_EQ(reader.description().shape, image.shape());
  EXPECT_TRUE(same_pixels(reader.read(), image));
  EXPECT_TRUE(same_pixels(reader.slab(2, 3), image.slices(2, 3)));
  save(folder / "a.tif", file);
  expect_error(error_of_reading(folder / "a.tif"), "MalformedFile", folder / "a.tif", "too short");
}

TEST(Tiff, WritesBigTiff) {
  const Folder folder;
  const Image image =
      random_image({{37, 11, 3}, 2, PixelType::i16, {0.5, 0.25, 2, Unit::millimetre}});
  const auto path = folder / "a.tif";
  const TiffStack stack(image.description());
  TiffSink sink(AtomicFile(path), stack, imagej_text(stack), true);
  const Control control;
  Progress progress(control, image.description().bytes());
  sink.append(image, progress);
  sink.complete();
  sink.file.commit();
  EXPECT_EQ(load(path).substr(0, 4), std::string("II+\0", 4));
  const Image back = read(path);
  EXPECT_EQ(back.description(), image.description());
  EXPECT_TRUE(same_pixels(back, image));
  TIFF* tiff = TIFFOpen(path.c_str(), "r");  // and libtiff agrees
  ASSERT_NE(tiff, nullptr);
  EXPECT_EQ(TIFFNumberOfDirectories(tiff), 6u);
  TIFFClose(tiff);
}

TEST(Tiff, ChoosesBigTiffOnlyWhenNeeded) {
  Description description{.shape = {30000, 30000, 1}, .type = PixelType::u16};
  EXPECT_FALSE(TiffLayout::needs_big(TiffStack(description)));
  description.shape.z = 3;
  EXPECT_TRUE(TiffLayout::needs_big(TiffStack(description)));
  EXPECT_TRUE(
      TiffLayout::needs_big(TiffStack({.shape = {1, 1, 10'000'000}, .type = PixelType::u8})));
  description.shape.z = 1;
  EXPECT_TRUE(TiffLayout::needs_big(TiffStack(description, {.frames = 3})));
}

Spacing spacing_read(const TiffRecipe& recipe, std::int64_t slices = 1) {
  const Folder folder;
  make_tiff(folder / "a.tif", random_image({{4, 3, slices}, 1, PixelType::u8, {}}), recipe);
  return Reader(folder / "a.tif").description().spacing;
}

TEST(TiffSpacing, PlainResolutionIsForPrinters) {
  const auto density_read = [](const TiffRecipe& recipe) {
    const Folder folder;
    make_tiff(folder / "a.tif", random_image({{4, 3, 1}, 1, PixelType::u8, {}}), recipe);
    const Reader reader(folder / "a.tif");
    EXPECT_EQ(reader.description().spacing, Spacing{});
    return reader.print_density();
  };
  EXPECT_EQ(density_read({.resolution = 100, .unit = RESUNIT_CENTIMETER}),
            "100 x 200 pixels per centimetre");
  EXPECT_EQ(density_read({.resolution = 72.5, .unit = RESUNIT_INCH}), "72.5 x 145 pixels per inch");
  EXPECT_EQ(density_read({.resolution = 254, .unit = RESUNIT_NONE}), "");
  EXPECT_EQ(density_read({}), "");
}

TEST(TiffSpacing, ResolutionThatImageJWroteWithoutItsUnit) {
  EXPECT_EQ(spacing_read(
                {.description = "ImageJ=1.53t\n", .resolution = 100, .unit = RESUNIT_CENTIMETER}),
            (Spacing{0.01, 0.005, 1, Unit::centimetre}));
  EXPECT_EQ(
      spacing_read({.description = "ImageJ=1.53t\n", .resolution = 254, .unit = RESUNIT_INCH}),
      (Spacing{25.4 / 254, 25.4 / 508, 1, Unit::millimetre}));
}

TEST(TiffSpacing, ImageJ) {
  const std::string head = "ImageJ=1.53t\nimages=2\nslices=2\n";
  const Spacing um{0.5, 0.25, 1.5, Unit::micrometre};
  for (const std::string unit : {"um", "micron", "\\u00B5m", "\xc2\xb5m", "\xb5m"}) {
    EXPECT_EQ(spacing_read(
                  {.description = head + "unit=" + unit + "\nspacing=1.5\n", .resolution = 2}, 2),
              um)
        << unit;
  }
  EXPECT_EQ(spacing_read({.description = head + "unit=inch\n", .resolution = 2}, 2),
            (Spacing{12.7, 6.35, 1, Unit::millimetre}));
  EXPECT_EQ(spacing_read({.description = head + "unit=parsec\nspacing=-3\n", .resolution = 2}, 2),
            (Spacing{0.5, 0.25, 1, Unit::pixel}));
}

TEST(TiffSpacing, ExactLineYieldsToTagsThatAnotherProgramChanged) {
  const std::string text = "ImageJ=1.53t\nunit=um\nmeander_spacing=0.5,0.25,3,mm\n";
  EXPECT_EQ(spacing_read({.description = text, .resolution = 2}),
            (Spacing{0.5, 0.25, 3, Unit::millimetre}));
  EXPECT_EQ(spacing_read({.description = text, .resolution = 4}),
            (Spacing{0.25, 0.125, 1, Unit::micrometre}));
}

std::string ome(const std::string& attributes, int z = 1) {
  return "<?xml version=\"1.0\"?><OME xmlns=\"x\"><Image><Pixels SizeX=\"4\" SizeZ=\"" +
         std::to_string(z) + "\" SizeC=\"1\" SizeT=\"1\" " + attributes + "/></Image></OME>";
}

TEST(TiffSpacing, Ome) {
  EXPECT_EQ(spacing_read({.description = ome("PhysicalSizeX='0.5' PhysicalSizeY=\"0.25\"")}),
            (Spacing{0.5, 0.25, 1, Unit::micrometre}));
  for (const std::string unit : {"&#181;m", "&#xB5;m", "\xc2\xb5m"}) {
    EXPECT_EQ(spacing_read({.description =
                                ome("PhysicalSizeX=\"2\" PhysicalSizeXUnit=\"" + unit +
                                    "\" PhysicalSizeY=\"3\" PhysicalSizeYUnit=\"" + unit + "\"")}),
              (Spacing{2, 3, 1, Unit::micrometre}))
        << unit;
  }
  const Spacing mixed = spacing_read(
      {.description = ome("PhysicalSizeX=\"2\" PhysicalSizeXUnit=\"nm\" PhysicalSizeY=\"3\" "
                          "PhysicalSizeZ=\"4\" PhysicalSizeZUnit=\"mm\"")});
  EXPECT_EQ(mixed.unit, Unit::nanometre);
  EXPECT_DOUBLE_EQ(mixed.y, 3000);
  EXPECT_DOUBLE_EQ(mixed.z, 4e6);
}

TEST(TiffSpacing, OmeScannerSurvivesDamage) {
  const std::string whole = ome("PhysicalSizeX=\"2\" PhysicalSizeXUnit=\"nm\"");
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const auto notes = ome_notes(whole.substr(0, length));
    EXPECT_LE(notes ? notes->size_z : 1, 1);
  }
  EXPECT_EQ(ome_notes(whole)->physical_size[0], 2.0);
  EXPECT_FALSE(ome_notes("<OME><NoPixels SizeX=\"1\"/></OME>"));
  EXPECT_EQ(ome_notes("<ome:OME a='b'><ome:Pixels SizeZ='7' PhysicalSizeX='nan'/>")->size_z, 7);
  EXPECT_FALSE(ome_notes("<OME ><Pixels PhysicalSizeX='-1' />")->physical_size[0]);
}

}  // namespace
}  // namespace meander::io
