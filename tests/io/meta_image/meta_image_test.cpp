// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/volume_testing.hpp"

namespace meander::io {
namespace {

class MetaImage : public testing::Test {
 protected:
  std::filesystem::path saved(const std::string& text, const std::string& data = counting(24),
                              const std::string& name = "a.mha") {
    save(folder / name, text + data);
    return folder / name;
  }
  /// The lines of a volume of 4x3x2 u16, some of them changed or added, and the last one.
  static std::string lines(const Fields& changes = {}, const std::string& data_file = "LOCAL") {
    return header_lines({{"ObjectType", "Image"},
                         {"NDims", "3"},
                         {"DimSize", "4 3 2"},
                         {"ElementType", "MET_USHORT"}},
                        " = ", changes) +
           "ElementDataFile = " + data_file + "\n";
  }
  Description found(const Fields& changes) { return read(saved(lines(changes))).description(); }
  void refused(const Fields& changes, const std::string& kind, const std::string& part) {
    refused_text(lines(changes), kind, part);
  }
  void refused_text(const std::string& text, const std::string& kind, const std::string& part) {
    const auto path = saved(text, text.find("LOCAL") == text.npos ? "" : counting(24));
    expect_error(error_of_reading(path), kind, path, part);
  }
  Folder folder;
};

TEST_F(MetaImage, AxesAreFastestFirst) {
  const Image volume = read(saved(lines()));
  EXPECT_EQ(volume.shape(), (Shape{4, 3, 2}));
  EXPECT_EQ(volume.row<std::uint16_t>(2, 1)[3], 23);
  EXPECT_EQ(volume.spacing(), Spacing{});
  EXPECT_FALSE(volume.description().placement);
  EXPECT_EQ(found({{"NDims", "1"}, {"DimSize", "24"}}).shape, (Shape{24, 1, 1}));
  EXPECT_EQ(found({{"NDims", "2"}, {"DimSize", "4 6"}}).shape, (Shape{4, 6, 1}));
}

TEST_F(MetaImage, IsRecognisedByItsFirstLine) {
  EXPECT_EQ(Reader(saved("Comment = any: thing\n" + lines())).format(), "MetaImage");
  EXPECT_EQ(Reader(saved("NDims:3\r\nDimSize: 4 3 2\r\n\r\nElementType=MET_USHORT\r\n"
                         "ElementDataFile = Local\r\n"))
                .format(),
            "MetaImage");
  refused_text("Sausages = 3\n" + lines(), "Unsupported", "begins with 'Sausages'");
  refused_text("ndims = 3\n", "Unsupported", "MetaImage");
}

TEST_F(MetaImage, TypesAndByteOrders) {
  const std::pair<std::string, PixelType> types[] = {
      {"MET_CHAR", PixelType::i16},      {"MET_UCHAR", PixelType::u8},
      {"MET_SHORT", PixelType::i16},     {"MET_USHORT_ARRAY", PixelType::u16},
      {"MET_INT", PixelType::f64},       {"MET_ULONG", PixelType::f64},
      {"MET_LONG_LONG", PixelType::f64}, {"MET_FLOAT", PixelType::f32},
      {"MET_DOUBLE", PixelType::f64}};
  for (const auto& [name, type] : types) {
    const auto path = saved(lines({{"ElementType", name}}), std::string(192, '\0'));
    EXPECT_EQ(read(path).type(), type) << name;
  }
  for (const std::string key : {"BinaryDataByteOrderMSB", "ElementByteOrderMSB"}) {
    EXPECT_EQ(read(saved(lines({{key, "True"}}))).row<std::uint16_t>(0)[1], 0x0100) << key;
    EXPECT_EQ(read(saved(lines({{key, "F"}}))).row<std::uint16_t>(0)[1], 1) << key;
  }
}

TEST_F(MetaImage, ChannelsAreNeighbours) {
  const Image image = read(saved(lines({{"DimSize", "2 3 2"}, {"ElementNumberOfChannels", "2"}})));
  EXPECT_EQ(image.channels(), 2);
  EXPECT_EQ(image.row<std::uint16_t>(2, 1, 1)[0], ((1 * 3 + 2) * 2 + 0) * 2 + 1);
}

TEST_F(MetaImage, AFourthAxisIsAFilm) {
  const Fields four = {{"NDims", "4"},
                       {"DimSize", "2 3 2 2"},
                       {"ElementSpacing", "1 2 3 0.5"},
                       {"TransformMatrix", "0 1 0 0 1 0 0 0 0 0 1 0 0 0 0 1"},
                       {"Offset", "1 2 3 4"}};
  Reader reader(saved(lines(four)), {.frame = 1});
  EXPECT_EQ(reader.film(), (Film{2, 0.5}));
  EXPECT_EQ(reader.read().row<std::uint16_t>(2, 1)[1], 23);
  const Placement expected{
      .origin = {1, 2, 3}, .step = {{{0, 1, 0}, {2, 0, 0}, {0, 0, 3}}}, .axes = WorldAxes::lps};
  EXPECT_EQ(reader.description().placement, expected);
  Fields unknown = four;
  unknown[2].second = "1 2 3 1";
  EXPECT_EQ(Reader(saved(lines(unknown))).film(), (Film{2, 0}));
  Fields mixed = four;
  mixed[3].second = "0 1 0 0 1 0 0 0 0 0 1 0 0 0 1 1";
  refused(mixed, "Unsupported", "0 between the axes of space and that of time");
}

TEST_F(MetaImage, RowsOfTheMatrixAreDirections) {
  const Description turned = found({{"TransformMatrix", "0 1 0 0 0 -1 1 0 0"},
                                    {"Offset", "1 -2.5 3e1"},
                                    {"ElementSpacing", "2 3 4"},
                                    {"CenterOfRotation", "9 9 9"},
                                    {"AnatomicalOrientation", "RAI"}});
  const Placement expected{.origin = {1, -2.5, 30},
                           .step = {{{0, 2, 0}, {0, 0, -3}, {4, 0, 0}}},
                           .axes = WorldAxes::lps};
  EXPECT_EQ(turned.placement, expected);
  EXPECT_EQ(turned.spacing, (Spacing{2, 3, 4, Unit::millimetre}));
  const Description flipped = found({{"ElementSpacing", "2 -3 4"}});
  EXPECT_EQ(flipped.spacing.y, 3);
  EXPECT_EQ(flipped.placement->step[1], (Placement::Vector{0, -3, 0}));
  const Description plane = found({{"NDims", "2"}, {"DimSize", "4 6"}, {"Rotation", "0 1 1 0"}});
  EXPECT_EQ(plane.placement->axes, WorldAxes::unnamed);
  EXPECT_EQ(plane.placement->step[2], (Placement::Vector{0, 0, -1}));
}

TEST_F(MetaImage, Units) {
  EXPECT_EQ(found({{"ElementSize", "2 3 4"}}).spacing, (Spacing{2, 3, 4, Unit::millimetre}));
  EXPECT_EQ(found({{"ElementSpacing", "2 3 4"}, {"ElementSize", "9 9 9"}}).spacing.x, 2);
  for (const auto& [name, unit] :
       {std::pair{"um", Unit::micrometre}, {"cm", Unit::centimetre}, {"?", Unit::pixel}}) {
    EXPECT_EQ(found({{"ElementSpacing", "2 3 4"}, {"DistanceUnits", name}}).spacing.unit, unit);
  }
}

TEST_F(MetaImage, SlopeAndOffsetAreHonoured) {
  const Image image = read(saved(lines(
      {{"ElementToIntensityFunctionSlope", "0.5"}, {"ElementToIntensityFunctionOffset", "-3"}})));
  EXPECT_EQ(image.type(), PixelType::f32);
  EXPECT_EQ(image.row<float>(2, 1)[3], 23 * 0.5f - 3);
}

TEST_F(MetaImage, APartBeginsElsewhereInTheWorld) {
  const auto path =
      saved(lines({{"TransformMatrix", "0 1 0 1 0 0 0 0 1"}, {"ElementSpacing", "2 3 4"}}));
  const Reader part(path, {.roi = Roi{1, 2, 3, 3}});
  EXPECT_EQ(part.description().placement->origin, (Placement::Vector{6, 2, 0}));
}

TEST_F(MetaImage, PixelsElsewhere) {
  save(folder / "a.raw", "abc" + counting(24));
  std::filesystem::create_directory(folder / "in");
  std::filesystem::create_symlink("../a.raw", folder / "in/link.raw");
  for (const std::string skip : {"3", "-1"}) {
    const auto path = saved(lines({{"HeaderSize", skip}}, "a.raw"), "", "a.mhd");
    EXPECT_EQ(read(path).row<std::uint16_t>(2, 1)[3], 23) << skip;
  }
  const std::string local = lines({{"HeaderSize", "200"}});
  EXPECT_EQ(read(saved(local, std::string(200 - local.size(), 'x') + counting(24)))
                .row<std::uint16_t>(2, 1)[3],
            23);
  for (const std::string outside : {"../a.raw", "/etc/hostname", "link.raw"}) {
    const auto path = saved(lines({}, outside), "", "in/a.mhd");
    expect_error(error_of_reading(path), "Unsupported", path, "expected a file in the header's");
  }
  for (const std::string several : {"LIST", "LIST 2", "a%03d.raw 1 4 1", ""}) {
    refused_text(lines({}, several), "Unsupported", "expected LOCAL or one file's name");
  }
}

TEST_F(MetaImage, RefusesFieldsThatAreMissingOrTwice) {
  for (const std::string field : {"NDims", "DimSize", "ElementType"}) {
    refused({{field, "-"}}, "MalformedFile", "without the field " + field);
    refused_text(field + " = 1\n" + lines(), "MalformedFile", field + " twice");
  }
  refused_text("NDims = 3\n", "MalformedFile", "expected the field ElementDataFile");
  refused_text("NDims = 3\nhello\n", "MalformedFile", "found 'hello'");
  refused_text("NDims = 3\nComment = " + std::string(2 << 20, 'x') + "\n", "MalformedFile",
               "in 1048576 bytes");
  refused({{"BinaryDataByteOrderMSB", "True"}, {"ElementByteOrderMSB", "False"}}, "MalformedFile",
          "found ElementByteOrderMSB 'False', expected the same");
  refused({{"Offset", "1 2 3"}, {"Origin", "1 2 4"}}, "MalformedFile", "found Origin '1 2 4'");
}

TEST_F(MetaImage, RefusesValues) {
  refused({{"ObjectType", "Tube"}}, "Unsupported", "found ObjectType 'Tube', expected Image");
  refused({{"NDims", "5"}}, "Unsupported", "found NDims '5', expected at most 4");
  refused({{"NDims", "0"}}, "MalformedFile", "found NDims '0'");
  refused({{"NDims", "3.5"}}, "MalformedFile", "found NDims '3.5'");
  refused({{"DimSize", "4 3"}}, "MalformedFile", "found DimSize '4 3', expected 3 whole numbers");
  refused({{"DimSize", "4 3 0"}}, "MalformedFile", "found DimSize");
  refused({{"ElementType", "MET_STRING"}}, "Unsupported", "found ElementType 'MET_STRING'");
  refused({{"ElementNumberOfChannels", "0"}}, "MalformedFile", "found ElementNumberOfChannels");
  refused({{"ElementNumberOfChannels", "70000"}}, "Unsupported", "expected at most 65535");
  refused({{"ElementSpacing", "1 2"}}, "MalformedFile", "found ElementSpacing '1 2', expected 3");
  refused({{"ElementSpacing", "1 2 0"}}, "MalformedFile", "numbers other than 0");
  refused({{"ElementSpacing", "1 2 1e308"}, {"DistanceUnits", "inch"}}, "MalformedFile",
          "found a spacing of inf");
  refused({{"ElementSize", "1 2 inf"}}, "MalformedFile", "found ElementSize '1 2 inf'");
  refused({{"TransformMatrix", "1 0 0 0 1 0 0 0"}}, "MalformedFile", "expected 9 numbers");
  refused({{"Rotation", "1 0 0 0 1 0 0 0 0"}}, "MalformedFile", "found Rotation");
  refused({{"Position", "1 2 x"}}, "MalformedFile", "found Position '1 2 x', expected 3 numbers");
  refused({{"BinaryData", "False"}}, "Unsupported", "found BinaryData 'False', expected True");
  refused({{"BinaryData", "maybe"}}, "MalformedFile", "expected True or False");
  refused({{"CompressedData", "2"}}, "MalformedFile", "found CompressedData '2'");
  refused({{"ElementByteOrderMSB", "2"}}, "MalformedFile", "found ElementByteOrderMSB '2'");
  refused({{"HeaderSize", "-2"}}, "MalformedFile", "found HeaderSize '-2'");
  refused({{"HeaderSize", "-1"}, {"CompressedData", "True"}}, "Unsupported", "found HeaderSize");
  refused({{"ElementToIntensityFunctionSlope", "0"}}, "MalformedFile", "other than 0");
  refused({{"ElementToIntensityFunctionOffset", "a"}}, "MalformedFile", "expected 1 numbers");
}

TEST_F(MetaImage, ClaimsAreHeldAgainstTheFile) {
  refused({{"DimSize", "100000 100000 100000"}}, "OutOfMemory", "100000x100000x100000");
  refused({{"DimSize", "9223372036854775807 9223372036854775807 2"}}, "OutOfMemory", "claims");
  refused({{"DimSize", "99999999999999999999 1 1"}}, "OutOfMemory", "beyond 2^63");
  refused({{"DimSize", "100 10 1"}}, "MalformedFile", "too short");
  refused({{"DimSize", "100 10 1"}, {"HeaderSize", "-1"}}, "MalformedFile", "too short");
  refused({{"HeaderSize", "9223372036854775807"}}, "MalformedFile", "expected pixels from byte");
  refused({{"CompressedData", "True"}}, "MalformedFile", "compressed data");
}

TEST(MetaImageSink, Header) {
  const Folder folder;
  write(folder / "a.mha", random_image(placed_volume()));
  const std::string bytes = load(folder / "a.mha");
  EXPECT_EQ(bytes.substr(0, bytes.find("LOCAL")),
            "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
            "CompressedData = False\nTransformMatrix = 0 -1 0 1 0 0 0 0 1\nOffset = -1 2 0.1\n"
            "CenterOfRotation = 0 0 0\nAnatomicalOrientation = PRI\nElementSpacing = 0.3 0.25 1.5\n"
            "DistanceUnits = mm\nDimSize = 5 4 2\nElementNumberOfChannels = 3\n"
            "ElementType = MET_FLOAT\nElementDataFile = ");
}

}  // namespace
}  // namespace meander::io
