// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/volume_testing.hpp"

namespace meander::io {
namespace {

class Nrrd : public testing::Test {
 protected:
  /// Saves a header with these lines and what follows it.
  std::filesystem::path saved(const std::string& lines, const std::string& data = counting(24),
                              const std::string& name = "a.nrrd") {
    save(folder / name, "NRRD0004\n" + lines + "\n" + data);
    return folder / name;
  }
  /// The lines of a volume of 4x3x2 u16, some of them changed or added.
  static std::string lines(const Fields& changes = {}) {
    return header_lines({{"type", "uint16"},
                         {"dimension", "3"},
                         {"sizes", "4 3 2"},
                         {"endian", "little"},
                         {"encoding", "raw"}},
                        ": ", changes);
  }
  /// The same and then some lines as they are.
  static std::string with(const std::string& more) { return lines() + more; }
  void refused(const std::string& text, const std::string& kind, const std::string& part) {
    const auto path = saved(text);
    expect_error(error_of_reading(path), kind, path, part);
  }
  Folder folder;
};

TEST_F(Nrrd, AxesAreFastestFirst) {
  const Image volume = read(saved(lines()));
  EXPECT_EQ(volume.shape(), (Shape{4, 3, 2}));
  EXPECT_EQ(volume.row<std::uint16_t>(2, 1)[3], 23);
  EXPECT_EQ(volume.row<std::uint16_t>(1, 0)[2], 6);
  EXPECT_EQ(volume.spacing(), Spacing{});
  EXPECT_FALSE(volume.description().placement);
  const Image line = read(saved(lines({{"dimension", "1"}, {"sizes", "24"}})));
  EXPECT_EQ(line.shape(), (Shape{24, 1, 1}));
}

TEST_F(Nrrd, NamesOfTypes) {
  for (const std::string name :
       {"ushort", "unsigned short", "unsigned short int", "UINT16", "uint16_t"}) {
    EXPECT_EQ(read(saved(lines({{"type", name}}))).type(), PixelType::u16) << name;
  }
  const std::pair<std::string, PixelType> types[] = {
      {"signed char", PixelType::i16},  {"uchar", PixelType::u8},
      {"short", PixelType::i16},        {"int", PixelType::f64},
      {"unsigned int", PixelType::f64}, {"long long", PixelType::f64},
      {"ulonglong", PixelType::f64},    {"float", PixelType::f32},
      {"double", PixelType::f64}};
  for (const auto& [name, type] : types) {
    EXPECT_EQ(read(saved(lines({{"type", name}}), std::string(192, '\0'))).type(), type) << name;
  }
}

TEST_F(Nrrd, LinesMayEndAsInWindowsAndHaveComments) {
  save(folder / "a.nrrd",
       "NRRD0001\r\n# a: comment\r\nType:  uchar\r\nDIMENSION: 2\r\nsizes: 2 1\r\nnote:=\xff: x\r\n"
       "encoding: raw\r\ncontent: any: thing\r\n\r\nab");
  EXPECT_EQ(bytes_of(read(folder / "a.nrrd")), "ab");
}

TEST_F(Nrrd, ByteOrders) {
  EXPECT_EQ(read(saved(lines({{"endian", "big"}}))).row<std::uint16_t>(0)[1], 0x0100);
  EXPECT_EQ(read(saved(lines({{"endian", "LITTLE"}}))).row<std::uint16_t>(0)[1], 1);
  const auto bytes = saved(lines({{"type", "uchar"}, {"endian", "-"}}));
  EXPECT_EQ(read(bytes).row<std::uint8_t>(0)[2], 1) << "one byte has no order";
}

TEST_F(Nrrd, ChannelsFirstAmongAndLast) {
  const auto at = [](const Image& image, int x, int y, int c) {
    return image.row<std::uint16_t>(y, 0, c)[x];
  };
  const Image first = read(saved(with("kinds: vector domain domain\n")));
  EXPECT_EQ(first.shape(), (Shape{3, 2, 1}));
  EXPECT_EQ(first.channels(), 4);
  EXPECT_EQ(at(first, 2, 1, 3), (1 * 3 + 2) * 4 + 3);
  const Image among = read(saved(with("kinds: domain 3-color domain\n")));
  EXPECT_EQ(among.shape(), (Shape{4, 2, 1}));
  EXPECT_EQ(at(among, 2, 1, 1), (1 * 3 + 1) * 4 + 2);
  const Image last = read(saved(with("kinds: space space 2-vector\n")));
  EXPECT_EQ(last.shape(), (Shape{4, 3, 1}));
  EXPECT_EQ(at(last, 3, 2, 1), (1 * 3 + 2) * 4 + 3);
  const Image unsaid =
      read(saved(with("space dimension: 2\nspace directions: none (1,0) (0,1)\n")));
  EXPECT_EQ(unsaid.channels(), 4);
}

TEST_F(Nrrd, AFourthAxisOrOneOfTimeIsAFilm) {
  const std::string four = lines({{"dimension", "4"}, {"sizes", "2 3 2 2"}});
  Reader plain(saved(four));
  EXPECT_EQ(plain.film(), (Film{2, 0}));
  EXPECT_EQ(plain.description().shape, (Shape{2, 3, 2}));
  plain.select_frame(1);
  EXPECT_EQ(plain.read().row<std::uint16_t>(2, 1)[1], 23);
  EXPECT_EQ(plain.slab(1, 2).row<std::uint16_t>(0, 0)[1], 12 + 6 + 1);
  Reader timed(saved(with("kinds: domain domain time\nspacings: 1 1 20\n"
                          "units: \"mm\" \"mm\" \"ms\"\n")),
               {.frame = 1});
  EXPECT_EQ(timed.film().frames, 2);
  EXPECT_DOUBLE_EQ(timed.film().seconds, 0.02);
  EXPECT_EQ(timed.read().row<std::uint16_t>(2)[3], 23);
  Reader between(saved(with("kinds: domain time domain\n")), {.frame = 2});
  EXPECT_EQ(between.description().shape, (Shape{4, 2, 1}));
  EXPECT_EQ(between.read().row<std::uint16_t>(1)[1], (1 * 3 + 2) * 4 + 1);
  Reader world(saved(four + "space: RAST\nspace directions: (1,0,0,0) (0,2,0,0) (0,0,3,0) "
                            "(0,0,0,0.5)\nspace units: \"mm\" \"mm\" \"mm\" \"s\"\n"));
  EXPECT_EQ(world.film(), (Film{2, 0.5}));
  EXPECT_EQ(world.description().placement->axes, WorldAxes::ras);
}

TEST_F(Nrrd, DirectionsAreStepsAndTheirLengthsTheSpacing) {
  const Image image =
      read(saved(with("space: scanner-xyz\nspace directions: (0,3,4) ( 0.1, 0, 0 ) (0,-2,0)\n"
                      "space origin: (1,-2.5,3e1)\nspace units: \"um\" \"um\" \"um\"\n")));
  const Placement expected{.origin = {1, -2.5, 30},
                           .step = {{{0, 3, 4}, {0.1, 0, 0}, {0, -2, 0}}},
                           .axes = WorldAxes::scanner};
  EXPECT_EQ(image.description().placement, expected);
  EXPECT_EQ(image.spacing(), (Spacing{5, 0.1, 2, Unit::micrometre}));
}

TEST_F(Nrrd, WorldsAndTheirUnits) {
  const std::string steps = "space directions: (1,0,0) (0,1,0) (0,0,1)\n";
  const auto found = [&](const std::string& space) {
    return read(saved(with("space: " + space + "\n" + steps))).description();
  };
  const std::pair<std::string, WorldAxes> worlds[] = {
      {"RAS", WorldAxes::ras}, {"left-anterior-superior", WorldAxes::las}, {"LPS", WorldAxes::lps}};
  for (const auto& [name, axes] : worlds) {
    EXPECT_EQ(found(name).placement->axes, axes) << name;
    EXPECT_EQ(found(name).spacing.unit, Unit::millimetre) << name;
    EXPECT_EQ(found(name + "\nspace units: \"\" \"\" \"\"").spacing.unit, Unit::pixel) << name;
  }
  EXPECT_EQ(found("3D-left-handed").placement->axes, WorldAxes::left_handed);
  EXPECT_EQ(found("3D-right-handed").spacing.unit, Unit::pixel);
  const Description inch = found("LPS\nspace units: \"inch\" \"inch\" \"inch\"");
  EXPECT_EQ(inch.spacing, (Spacing{25.4, 25.4, 25.4, Unit::millimetre}));
  EXPECT_EQ(inch.placement->step[1], (Placement::Vector{0, 25.4, 0}));
}

TEST_F(Nrrd, APlaneInSpaceHasANormal) {
  const std::string plane = lines({{"dimension", "2"}, {"sizes", "4 6"}});
  const Image image =
      read(saved(plane + "space: RAS\nspace directions: (0,2,0) (0,0,3)\nspace origin: (1,2,3)\n"));
  EXPECT_EQ(image.description().placement->step[2], (Placement::Vector{1, 0, 0}));
  EXPECT_EQ(image.spacing(), (Spacing{2, 3, 1, Unit::millimetre}));
}

TEST_F(Nrrd, APartBeginsElsewhereInTheWorld) {
  const auto path = saved(with("space: RAS\nspace directions: (0,2,0) (3,0,0) (0,0,4)\n"));
  const Reader part(path, {.roi = Roi{1, 2, 3, 3}});
  EXPECT_EQ(part.description().placement->origin, (Placement::Vector{6, 2, 0}));
}

TEST_F(Nrrd, DetachedPixelsOnlyInTheHeadersFolder) {
  save(folder / "a.raw", counting(24));
  const Image found = read(saved(with("data file: a.raw\n"), "", "a.nhdr"));
  EXPECT_EQ(found.row<std::uint16_t>(2, 1)[3], 23);
  save(folder / "b.nhdr", "NRRD0004\n" + with("datafile: ./a.raw"));  // no empty line
  EXPECT_TRUE(same_pixels(read(folder / "b.nhdr"), found));
  std::filesystem::create_directory(folder / "in");
  save(folder / "in/a.raw", counting(24));
  EXPECT_TRUE(same_pixels(read(saved(with("data file: in/a.raw\n"), "", "c.nhdr")), found));
  std::filesystem::create_symlink("../a.raw", folder / "in/link.raw");
  for (const std::string outside : {"../a.raw", "/etc/hostname", "link.raw"}) {
    const auto path = saved(with("data file: " + outside + "\n"), "", "in/d.nhdr");
    expect_error(error_of_reading(path), "Unsupported", path, "expected a file in the header's");
  }
  const auto path = saved(with("data file: none.raw\n"), "", "e.nhdr");
  expect_error(error_of_reading(path), "MalformedFile", path, "none.raw");
}

TEST_F(Nrrd, RefusesFieldsThatAreMissingOrTwice) {
  for (const std::string field : {"type", "dimension", "sizes", "endian", "encoding"}) {
    refused(lines({{field, "-"}}), "MalformedFile", "without the field " + field);
    refused(with(field + ": 1\n"), "MalformedFile", field + " twice");
  }
  refused(with("data file: a\ndatafile: b\n"), "MalformedFile", "data file twice");
}

TEST_F(Nrrd, RefusesWhatIsNoHeader) {
  save(folder / "a.nrrd", "NRRD0006\n" + lines() + "\n");
  expect_error(error_of_reading(folder / "a.nrrd"), "Unsupported", folder / "a.nrrd", "NRRD0006");
  save(folder / "a.nrrd", "NRRD0004\n" + lines());
  expect_error(error_of_reading(folder / "a.nrrd"), "MalformedFile", folder / "a.nrrd",
               "expected an empty line");
  save(folder / "a.nrrd", "NRRD0004\n" + lines() + "#" + std::string(2 << 20, 'x') + "\n\n");
  expect_error(error_of_reading(folder / "a.nrrd"), "MalformedFile", folder / "a.nrrd",
               "in 1048576 bytes");
  refused(with("hello\n"), "MalformedFile", "found 'hello'");
  refused(with("colour: red\n"), "MalformedFile", "found the field 'colour'");
}

TEST_F(Nrrd, RefusesValues) {
  refused(lines({{"type", "block"}}), "Unsupported", "found type 'block', expected");
  refused(lines({{"dimension", "0"}}), "MalformedFile", "found dimension '0', expected a whole");
  refused(lines({{"dimension", "three"}}), "MalformedFile", "found dimension 'three'");
  refused(lines({{"dimension", "6"}}), "Unsupported", "found dimension '6', expected at most 5");
  refused(lines({{"sizes", "4 3"}}), "MalformedFile",
          "found sizes '4 3', expected 3 whole numbers");
  refused(lines({{"sizes", "4 3 0"}}), "MalformedFile", "found sizes '4 3 0'");
  refused(lines({{"sizes", "4 3 -2"}}), "MalformedFile", "found sizes '4 3 -2'");
  refused(lines({{"endian", "middle"}}), "MalformedFile", "found endian 'middle', expected big or");
  for (const std::string encoding : {"ascii", "txt", "text", "hex", "bz2", "zrl"}) {
    refused(lines({{"encoding", encoding}}), "Unsupported", "found encoding '" + encoding);
  }
  refused(with("line skip: -1\n"), "MalformedFile", "found line skip '-1'");
  refused(with("line skip: 9\n"), "MalformedFile", "a line skip of 9");
  refused(with("byte skip: -2\n"), "MalformedFile", "found byte skip '-2'");
  refused(with("byte skip: 9223372036854775807\n"), "MalformedFile", "too short");
  refused(lines({{"encoding", "gz"}, {"byte skip", "-1"}}), "Unsupported", "found byte skip '-1'");
  for (const std::string several : {"LIST", "LIST 2", "LIST\na.raw\nb.raw", "a%02d.raw 1 4 1"}) {
    refused(with("data file: " + several + "\n"), "Unsupported", "name of one file");
  }
}

TEST_F(Nrrd, LinesBeforeThePixelsArePassedOver) {
  const Image image =
      read(saved(with("line skip: 2\n"), "one\ntwo\n" + std::string(46, '\x07') + "ab"));
  EXPECT_EQ(image.row<std::uint16_t>(0, 0)[0], 0x0707);
  EXPECT_EQ(image.row<std::uint16_t>(2, 1)[3], 'a' + 256 * 'b');
}

TEST_F(Nrrd, RefusesPlacesInTheWorld) {
  const std::string steps = "space directions: (1,0,0) (0,1,0) (0,0,1)\n";
  refused(with("space: mars\n"), "Unsupported", "found space 'mars'");
  refused(with("space: RAS\nspace dimension: 3\n"), "MalformedFile", "not both");
  refused(with("space dimension: 5\n"), "Unsupported", "expected at most 4");
  refused(with(steps), "MalformedFile", "found space directions");
  for (const std::string bad :
       {"(1,0,0) (0,1,0)", "(1,0,0) (0,1,0) (0,0)", "(1,0,0) (0,1,0) (0,0,x)",
        "(1,0,0) (0,1,0) (0,0,nan)", "(1,0,0) (0,1,0) (0,0,1", "1 0 0",
        "(1,0,0) (0,1,0) (0,0,1) none", "(1,0,0) (0,1,0) (0,0,0)"}) {
    refused(with("space: RAS\nspace directions: " + bad + "\n"), "MalformedFile",
            "found space directions '" + bad);
  }
  refused(with("space: RAS\nspace origin: (1,2)\n"), "MalformedFile", "space origin");
  refused(with("space: RAS\nspace origin: (1,2,3) 4\n"), "MalformedFile", "space origin");
  refused(with("space: RAS\nspace units: \"mm\"\n"), "MalformedFile", "space units");
  refused(with("space: RAS\n" + steps + "space units: \"mm\" \"mm\" \"um\"\n"), "Unsupported",
          "found units 'mm' and 'um'");
  refused(with("space: RAS\n" + steps + "spacings: 1 nan nan\n"), "MalformedFile",
          "expected nan where");
  for (const std::string bad : {"1 1", "1 1 0", "1 1 -1", "1 1 inf", "1 1 x"}) {
    refused(with("spacings: " + bad + "\n"), "MalformedFile", "found spacings '" + bad);
  }
  refused(with("units: \"mm\" \"mm\" \"mm\n"), "MalformedFile", "found units");
}

TEST_F(Nrrd, RefusesKindsOfAxes) {
  refused(with("kinds: domain domain\n"), "MalformedFile", "found kinds");
  for (const std::string kind : {"complex", "3D-matrix", "2D-symmetric-matrix"}) {
    refused(with("kinds: " + kind + " domain domain\n"), "Unsupported", "found kinds");
  }
  refused(with("kinds: domain domain RGB-color\n"), "MalformedFile", "an axis of 3");
  refused(with("kinds: list domain list\n"), "Unsupported", "two axes of channels");
  refused(with("kinds: domain time time\n"), "Unsupported", "two axes of time");
  refused(with("kinds: time domain domain\n"), "Unsupported", "found axis 2 as the first");
  refused(with("kinds: list time domain\n"), "Unsupported", "found axis 3 as the first");
  refused(lines({{"sizes", "4 3 1"}, {"kinds", "list time stub"}}), "Unsupported",
          "two axes of channels");
  refused(lines({{"sizes", "1 1 70000"}, {"kinds", "domain domain list"}}), "Unsupported",
          "found 70000 channels");
}

TEST_F(Nrrd, ClaimsAreHeldAgainstTheFile) {
  refused(lines({{"sizes", "100000 100000 100000"}}), "OutOfMemory", "100000x100000x100000");
  refused(lines({{"sizes", "9223372036854775807 9223372036854775807 2"}}), "OutOfMemory", "claims");
  refused(lines({{"sizes", "99999999999999999999 1 1"}}), "OutOfMemory", "beyond 2^63");
  refused(lines({{"sizes", "100 10 1"}}), "MalformedFile", "too short");
  refused(lines({{"sizes", "100 10 1"}, {"byte skip", "-1"}}), "MalformedFile", "too short");
  refused(lines({{"sizes", "100 10 1000"}, {"encoding", "gzip"}}), "MalformedFile", "too short");
  refused(lines({{"encoding", "gzip"}}), "MalformedFile", "damaged");
}

TEST(NrrdSink, Header) {
  const Folder folder;
  write(folder / "a.nrrd", random_image(placed_volume()));
  const std::string bytes = load(folder / "a.nrrd");
  EXPECT_EQ(bytes.substr(0, bytes.find("\n\n") + 2),
            "NRRD0004\ntype: float\ndimension: 4\nspace: right-anterior-superior\n"
            "sizes: 3 5 4 2\nkinds: vector domain domain domain\n"
            "space directions: none (0,0.3,0) (-0.25,0,0) (0,0,1.5)\nspace origin: (1,-2,0.1)\n"
            "space units: \"mm\" \"mm\" \"mm\"\nendian: little\nencoding: raw\n\n");
}

}  // namespace
}  // namespace meander::io
