// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Channels, slices and frames on the pages of a TIFF, as ImageJ and OME lay them out.
#include "io/tiff/notes.hpp"
#include "io/tiff/xml_tags.hpp"
#include "tiff_maker.hpp"

namespace meander::io {
namespace {

/// As many pages as the volume has slices, with these notes.
class Hyperstack : public testing::Test {
 protected:
  void make(std::int64_t count, const std::string& notes, TiffRecipe recipe = {}, int samples = 1) {
    pages = random_image({{13, 9, count}, samples, PixelType::u16, {}});
    recipe.description = notes;
    make_tiff(path, pages, recipe);
  }
  void refused(std::int64_t count, const std::string& notes, const std::string& kind,
               const std::string& part, int samples = 1) {
    make(count, notes, {}, samples);
    expect_error(thrown_by([&] { Reader reader(path); }), kind, path, part);
  }
  /// Page number `index` is what channel, slice and frame hold.
  void expect_page(std::int64_t index, int channel, std::int64_t slice, std::int64_t frame) {
    Reader reader(path, {.frame = frame, .channel = channel});
    const bool volume = reader.description().shape.z > 1;
    const Image found = volume ? reader.slab(slice, slice + 1) : reader.read();
    EXPECT_TRUE(same_pixels(found, pages.slices(index, index + 1)))
        << "channel " << channel << " slice " << slice << " frame " << frame;
  }
  const Folder folder;
  const std::filesystem::path path = folder / "a.tif";
  Image pages;
};

TEST_F(Hyperstack, ImageJPagesAreChannelsThenSlicesThenFrames) {
  make(24,
       "ImageJ=1.53t\nimages=24\nchannels=2\nslices=3\nframes=4\nhyperstack=true\n"
       "finterval=0.25\n");
  Reader reader(path);
  EXPECT_EQ(reader.description().shape, (Shape{13, 9, 3}));
  EXPECT_EQ(reader.description().channels, 2);
  EXPECT_EQ(reader.film(), (Film{4, 0.25}));
  for (int page = 0; page < 24; ++page) expect_page(page, page % 2, page / 2 % 3, page / 6);
  expect_error(thrown_by([&] { reader.read(); }), "InvalidArgument", path, "film of 4 frames");
}

TEST_F(Hyperstack, SlabsAndPartsOfAllChannels) {
  for (const TiffRecipe& recipe :
       {TiffRecipe{}, TiffRecipe{.mode = "wb", .compression = COMPRESSION_LZW},
        TiffRecipe{.tile = 16}}) {
    make(24, "ImageJ=1\nimages=24\nchannels=2\nslices=3\nframes=4\n", recipe);
    Reader reader(path, {.roi = Roi{2, 3, 11, 8}, .frame = 1});
    const Image slab = reader.slab(1, 3);
    ASSERT_EQ(slab.shape(), (Shape{9, 5, 2}));
    for (int c = 0; c < 2; ++c) {
      for (int z = 0; z < 2; ++z) {
        for (int y = 0; y < 5; ++y) {
          const auto* expected = pages.row<std::uint16_t>(y + 3, 6 + 2 * (z + 1) + c) + 2;
          const auto* found = slab.row<std::uint16_t>(y, z, c);
          EXPECT_TRUE(std::equal(found, found + 9, expected)) << c << " " << z << " " << y;
        }
      }
    }
  }
}

TEST_F(Hyperstack, ImageJOrdersAndUnitsOfTime) {
  make(6, "ImageJ=1\nimages=6\nchannels=2\nframes=3\norder=tzc\ntunit=ms\nfinterval=40\n");
  EXPECT_EQ(Reader(path).film(), (Film{3, 0.04}));
  for (int page = 0; page < 6; ++page) expect_page(page, page / 3, 0, page % 3);
  make(2, "ImageJ=1\nimages=2\nframes=2\nfinterval=-3\n");
  EXPECT_EQ(Reader(path).film(), (Film{2, 0}));
  make(2, "ImageJ=1\nimages=2\nframes=2\nfinterval=3\ntunit=fortnight\n");
  EXPECT_EQ(Reader(path).film(), (Film{2, 0}));
}

TEST_F(Hyperstack, ImageJFramesAloneAreAFilm) {
  make(4, "ImageJ=1\nimages=4\nframes=4\n");
  EXPECT_EQ(Reader(path).description().shape, (Shape{13, 9, 1}));
  for (int page = 0; page < 4; ++page) expect_page(page, 0, 0, page);
}

TEST_F(Hyperstack, StacksWithoutAxesAreVolumes) {
  for (const std::string notes : {"", "ImageJ=1\nimages=4\n", "another program"}) {
    make(4, notes);
    EXPECT_EQ(Reader(path).description().shape, (Shape{13, 9, 4})) << notes;
    EXPECT_EQ(Reader(path).film(), Film{}) << notes;
  }
}

TEST_F(Hyperstack, SamplesThatAreCountedAsChannelsStaySamples) {
  make(4, "ImageJ=1\nimages=4\nchannels=3\nslices=4\n", {}, 3);
  EXPECT_EQ(Reader(path).description().channels, 3);
  EXPECT_TRUE(same_pixels(read(path), pages));
}

TEST_F(Hyperstack, HostileImageJNotesAreOneSentence) {
  const std::string head = "ImageJ=1\nimages=4\n";
  for (const std::string count : {"0", "-1", "x", "1.5", "99999999999999999999"}) {
    for (const std::string key : {"channels=", "slices=", "frames=", "images="}) {
      refused(4, head + key + count + "\n", "MalformedFile", "positive numbers");
    }
  }
  const std::string huge = "=1000000000000000000\n";
  refused(4, head + "channels" + huge, "MalformedFile", "on 4 pages");
  refused(4, head + "channels" + huge + "slices" + huge + "frames" + huge, "MalformedFile",
          "on 4 pages");
  // One page may be followed by the pixels of any number of others.
  refused(1, "ImageJ=1\nimages" + huge + "channels" + huge, "Unsupported", "at most 65535");
  refused(1, "ImageJ=1\nimages" + huge + "slices" + huge, "OutOfMemory", "budget");
  refused(1, "ImageJ=1\nimages" + huge + "frames" + huge, "OutOfMemory", "over 2^63");
  refused(4, head + "slices=2\n", "MalformedFile", "1 channels, 2 slices and 1 frames on 4 pages");
  refused(4, head + "channels=2\nslices=2\n", "Unsupported", "pages of 3 samples", 3);
  refused(4, head + "slices=4\norder=xyz\n", "Unsupported", "order 'xyz'");
}

std::string ome(const std::string& attributes, const std::string& inside = "") {
  return "<?xml version=\"1.0\"?><OME xmlns=\"x\" UUID=\"urn:uuid:1\"><Image><Pixels " +
         attributes + ">" + inside + "</Pixels></Image></OME>";
}

TEST_F(Hyperstack, OmeKnowsSixOrders) {
  const std::string sizes = " SizeC=\"2\" SizeZ=\"3\" SizeT=\"4\"";
  const std::pair<std::string, std::array<int, 3>> orders[] = {
      {"XYCZT", {1, 2, 6}},  {"XYCTZ", {1, 8, 2}}, {"XYZCT", {3, 1, 6}},
      {"XYZTC", {12, 1, 3}}, {"XYTCZ", {4, 8, 1}}, {"XYTZC", {12, 4, 1}}};
  for (const auto& [order, step] : orders) {
    make(24, ome("DimensionOrder=\"" + order + "\"" + sizes, "<TiffData/>"));
    SCOPED_TRACE(order);
    EXPECT_EQ(Reader(path).film().frames, 4);
    for (int i = 0; i < 24; ++i) {
      const int c = i % 2, z = i / 2 % 3, t = i / 6;
      expect_page(c * step[0] + z * step[1] + t * step[2], c, z, t);
    }
  }
}

TEST_F(Hyperstack, OmeTiffDataPlacePlanes) {
  const std::string sizes = "DimensionOrder=\"XYZCT\" SizeC=\"2\" SizeZ=\"2\" SizeT=\"1\"";
  make(4, ome(sizes,
              "<!-- <TiffData IFD=\"0\"/> --><ome:TiffData IFD='3' FirstC = '0'/>"
              "<TiffData IFD=\"0\" FirstZ=\"1\" PlaneCount=\"3\">"
              "<UUID FileName=\"old name.ome.tif\"> urn:uuid:1 </UUID></TiffData>"));
  expect_page(3, 0, 0, 0);
  expect_page(0, 0, 1, 0);
  expect_page(1, 1, 0, 0);
  expect_page(2, 1, 1, 0);
  const auto part = [&](const std::string& data, const std::string& kind,
                        const std::string& words) { refused(4, ome(sizes, data), kind, words); };
  part("<TiffData IFD=\"0\"/>", "MalformedFile", "no page for 3 of these planes");
  part("<TiffData/><TiffData IFD=\"1\"/>", "MalformedFile", "twice");
  part("<TiffData IFD=\"4\"/>", "MalformedFile", "directory 4");
  part("<TiffData IFD=\"-1\"/>", "MalformedFile", "directory -1");
  part("<TiffData IFD=\"3\" PlaneCount=\"2\"/>", "MalformedFile", "2 planes from directory 3");
  part("<TiffData IFD=\"9223372036854775807\" PlaneCount=\"9223372036854775807\"/>",
       "MalformedFile", "directory 9223372036854775807");
  part("<TiffData/><TiffData IFD=\"9223372036854775807\" PlaneCount=\"1\"/>", "MalformedFile",
       "1 planes from directory 9223372036854775807");
  part("<TiffData FirstC=\"2\"/>", "MalformedFile", "beyond its 2 channels");
  part("<TiffData FirstT=\"-2\"/>", "MalformedFile", "beyond its");
  part("<TiffData><UUID FileName=\"b.ome.tif\">urn:uuid:2</UUID></TiffData>", "Unsupported",
       "multi-file OME-TIFF with planes in 'b.ome.tif'");
}

TEST_F(Hyperstack, OmeWithoutItsOwnUuidGoesByTheName) {
  const auto text = [](const std::string& name) {
    return "<OME><Image><Pixels SizeC=\"1\"><TiffData><UUID FileName=\"" + name +
           "\">urn:uuid:1</UUID></TiffData></Pixels></Image></OME>";
  };
  make(1, text("a.tif"));
  EXPECT_TRUE(same_pixels(read(path), pages));
  refused(1, text("b.tif"), "Unsupported", "multi-file");
  refused(1, "<OME><BinaryOnly MetadataFile=\"all.companion.ome\" UUID=\"u\"/></OME>",
          "Unsupported", "described by another file, 'all.companion.ome'");
}

TEST_F(Hyperstack, OmeChannelsMayBeSamplesTimesPages) {
  make(2, ome("SizeC=\"6\"", "<Channel SamplesPerPixel=\"3\"/><Channel SamplesPerPixel=\"3\"/>"),
       {}, 3);
  Reader reader(path);
  ASSERT_EQ(reader.description().channels, 6);
  const Image image = reader.read();
  for (int c = 0; c < 6; ++c) {
    const Image expected = pages.slices(c / 3, c / 3 + 1).channel(c % 3);
    EXPECT_TRUE(same_pixels(image.channel(c), expected)) << c;
    EXPECT_TRUE(same_pixels(read(path, {.channel = c}), expected)) << c;
  }
  refused(2, ome("SizeC=\"6\"", "<Channel SamplesPerPixel=\"1\"/>"), "MalformedFile",
          "channels of 1 samples", 3);
  refused(2, ome("SizeC=\"5\""), "MalformedFile", "5 channels on pages of 3 samples", 3);
}

TEST_F(Hyperstack, OmePagesHaveToMatchTheCount) {
  refused(4, ome("SizeZ=\"5\""), "MalformedFile", "5 slices and 1 frames on 4 pages");
  refused(4, ome("SizeZ=\"2\""), "Unsupported", "2 slices and 1 frames on 4 pages");
  refused(4, ome("SizeZ=\"0\""), "MalformedFile", "positive numbers");
  refused(4, ome("SizeC=\"-1\""), "MalformedFile", "positive numbers");
  const std::string huge = "=\"3037000500\"";
  refused(4, ome("SizeC" + huge + " SizeZ" + huge + " SizeT" + huge), "MalformedFile", "4 pages");
  refused(4, ome("SizeT=\"4\" DimensionOrder=\"XYZZT\""), "MalformedFile", "'XYZZT'");
  refused(4, ome("SizeT=\"4\" DimensionOrder=\"YXCZT\""), "MalformedFile", "'YXCZT'");
  refused(4, ome("SizeT=\"4\" DimensionOrder=\"XYCZ\""), "MalformedFile", "'XYCZ'");
}

TEST_F(Hyperstack, OmeCountsThumbnailsOnlyWhereItNumbersDirectories) {
  make(2, ome("SizeT=\"2\"", "<TiffData/>"), {.thumbnails = true});
  expect_page(1, 0, 0, 1);
  make(2, ome("SizeT=\"2\"", "<TiffData IFD=\"0\"/><TiffData IFD=\"2\" FirstT=\"1\"/>"),
       {.thumbnails = true});
  expect_page(0, 0, 0, 0);
  expect_page(1, 0, 0, 1);
}

TEST_F(Hyperstack, OmeReadsTheFirstOfSeveralImages) {
  const std::string text =
      "<OME><Image><Pixels SizeT=\"2\"><TiffData IFD=\"1\" PlaneCount=\"2\"/></Pixels></Image>"
      "<Image><Pixels SizeT=\"7\"><TiffData IFD=\"0\"/></Pixels></Image></OME>";
  make(3, text);
  EXPECT_EQ(Reader(path).film().frames, 2);
  expect_page(1, 0, 0, 0);
  expect_page(2, 0, 0, 1);
}

TEST(XmlTags, AttributesReferencesAndTexts) {
  XmlTags tags(
      "<?xml version='1.0'?><!DOCTYPE x><a:b c = 'd>\"' e=\"&lt;&#181;&#xB5;&amp;&no;\"/>"
      "<!-- <z> --><![CDATA[<z>]]><f>  text &gt; </f ><g h i=j k='l'>");
  auto tag = tags.next();
  ASSERT_TRUE(tag);
  EXPECT_EQ(tag->name, "b");
  EXPECT_TRUE(tag->begins && tag->ends);
  EXPECT_EQ(*tag->attribute("c"), "d>\"");
  EXPECT_EQ(*tag->attribute("e"), "<\u00b5\u00b5&&no;");
  EXPECT_EQ(tag->attribute("f"), nullptr);
  tag = tags.next();
  ASSERT_TRUE(tag && tag->begins && !tag->ends);
  EXPECT_EQ(tag->text, "text >");
  tag = tags.next();
  ASSERT_TRUE(tag && !tag->begins && tag->ends);
  EXPECT_EQ(tag->name, "f");
  tag = tags.next();
  ASSERT_TRUE(tag);
  EXPECT_EQ(*tag->attribute("k"), "l");
  EXPECT_FALSE(tags.next());
}

TEST(XmlTags, EveryTextEnds) {
  const std::string signs = "<>/='\"&;! -?a";
  std::mt19937 random(5);
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (int k = 0; k < 40; ++k) text += signs[random() % signs.size()];
    XmlTags tags(text);
    int count = 0;
    while (tags.next()) ++count;
    EXPECT_LE(count, 20) << text;
  }
}

}  // namespace
}  // namespace meander::io
