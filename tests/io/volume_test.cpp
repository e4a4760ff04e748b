// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "volume_testing.hpp"

/// NRRD and MetaImage, attached and detached: what is written is read back.
namespace meander::io {
namespace {

class VolumeFormat : public testing::TestWithParam<std::string> {
 protected:
  std::filesystem::path path() const { return folder / ("a" + GetParam()); }
  bool is_meta() const { return GetParam().starts_with(".m"); }
  bool is_detached() const { return GetParam() == ".nhdr" || GetParam() == ".mhd"; }
  std::string data_name(bool compress) const {
    if (!compress) return "a.raw";
    return is_meta() ? "a.zraw" : "a.raw.gz";
  }
  /// What arrives: MetaImage has but one world.
  Description arriving(Description description) const {
    if (is_meta() && description.placement) {
      description.placement = description.placement->in_axes(WorldAxes::lps);
    }
    return description;
  }
  std::string header() const {
    const std::string bytes = load(path());
    return bytes.substr(0, bytes.find(is_meta() ? "ElementDataFile" : "\n\n"));
  }
  Folder folder;
};

/// Those with a field for the length of the stream, and those of two files.
class MetaFormat : public VolumeFormat {};
class DetachedFormat : public VolumeFormat {};

TEST_P(VolumeFormat, KeepsEveryBitAndPlace) {
  for (const PixelType type :
       {PixelType::u8, PixelType::u16, PixelType::i16, PixelType::f32, PixelType::f64}) {
    for (const bool compress : {false, true}) {
      Description description = placed_volume();
      description.type = type;
      const Image image = random_image(description);
      write(path(), image, {.compress = compress});
      const Image back = read(path());
      EXPECT_EQ(back.description(), arriving(description)) << name_of(type);
      EXPECT_TRUE(same_pixels(back, image)) << name_of(type);
    }
  }
  expect_error(thrown_by([&] { write(path(), random_image({.type = PixelType::f16})); }),
               "Unsupported", path(), "cannot hold f16");
}

TEST_P(VolumeFormat, KeepsSpacingWithoutAPlace) {
  for (const Spacing spacing : {Spacing{}, Spacing{0.1 + 0.2, 1.0 / 3, 2.7e-3, Unit::micrometre},
                                Spacing{2, 3, 1, Unit::pixel}, Spacing{1, 1, 1, Unit::nanometre},
                                Spacing{1e-7, 5, 1e10, Unit::metre}}) {
    for (const Shape shape : {Shape{7, 5, 1}, Shape{7, 5, 3}, Shape{1, 1, 1}, Shape{1, 1, 9}}) {
      const Description description{.shape = shape, .type = PixelType::u8, .spacing = spacing};
      write(path(), random_image(description));
      EXPECT_EQ(read(path()).description(), description);
    }
  }
}

TEST_P(VolumeFormat, PlanesHaveTwoAxesUnlessThatIsNotAll) {
  const std::string sizes = is_meta() ? "DimSize = " : "sizes: ";
  const auto wrote = [&](const Description& description) {
    write(path(), random_image(description));
    EXPECT_EQ(read(path()).description(), arriving(description));
    const std::string text = header();
    const auto begin = text.find(sizes) + sizes.size();
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  Description plane{.shape = {7, 5, 1}, .type = PixelType::u8, .spacing = {2, 3, 1, Unit::metre}};
  EXPECT_EQ(wrote(plane), "7 5");
  plane.placement = Placement{.origin = {1, 2, 0}, .step = {{{0, 2, 0}, {-3, 0, 0}, {0, 0, 1}}}};
  write(path(), random_image(plane));
  EXPECT_EQ(read(path()).description(), plane) << "two axes have no name in MetaImage either";
  EXPECT_NE(header().find(sizes + "7 5\n"), std::string::npos);
  for (const auto change : std::initializer_list<void (*)(Description&)>{
           [](Description& d) { d.placement->axes = WorldAxes::lps; },
           [](Description& d) { d.placement->origin[2] = 3; },
           [](Description& d) {
             d.placement->step[0] = {0, 0, 2};
             d.placement->step[2] = {0, 1, 0};
           },
           [](Description& d) {
             d.placement->step[2] = {0, 0, -1};
           },
           [](Description& d) {
             d.spacing.z = 4;
             d.placement->step[2] = {0, 0, 4};
           }}) {
    Description changed = plane;
    change(changed);
    EXPECT_EQ(wrote(changed), "7 5 1");
  }
}

/// As a header of directions and spacing gives them: each step is a product.
TEST_P(VolumeFormat, KeepsSkewPlacesToTheBit) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> cosine(-1, 1), size(0.1, 3);
  for (int repeat = 0; repeat < 40; ++repeat) {
    Description description = placed_volume();
    description.spacing = {size(random), size(random), size(random), Unit::millimetre};
    const double sizes[] = {description.spacing.x, description.spacing.y, description.spacing.z};
    for (std::size_t i = 0; i < 3; ++i) {
      for (double& value : description.placement->step[i]) value = cosine(random) * sizes[i];
    }
    write(path(), random_image(description));
    EXPECT_EQ(read(path()).description().placement, arriving(description).placement);
  }
}

TEST_P(VolumeFormat, FilmsInSlabsAndFrames) {
  for (const bool compress : {false, true}) {
    for (const Shape shape : {Shape{7, 5, 3}, Shape{7, 5, 1}}) {
      const Description description{.shape = shape, .channels = 2, .type = PixelType::i16};
      std::vector<Image> frames;
      for (const unsigned seed : {1u, 2u, 3u}) frames.push_back(random_image(description, seed));
      Writer writer(path(), description, {.film = {3, 0.25}, .compress = compress});
      for (const Image& frame : frames) {
        const bool is_volume = shape.z > 1;
        writer.append(is_volume ? frame.slices(0, 1) : frame.rows(0, 2));
        writer.append(is_volume ? frame.slices(1, 3) : frame.rows(2, 5));
      }
      writer.finish();
      Reader reader(path());
      EXPECT_EQ(reader.film(), (Film{3, 0.25}));
      for (const std::int64_t frame : {2, 0, 1}) {
        reader.select_frame(frame);
        EXPECT_TRUE(same_pixels(reader.read(), frames[static_cast<std::size_t>(frame)]));
      }
      const Image second = read(path(), {.frame = 1, .channel = 1});
      EXPECT_TRUE(same_pixels(second, frames[1].channel(1)));
      const Image part = Reader(path(), {.roi = Roi{2, 1, 6, 4}, .frame = 2}).read();
      EXPECT_EQ(part.row<std::int16_t>(2, shape.z - 1, 1)[3],
                frames[2].row<std::int16_t>(3, shape.z - 1, 1)[5]);
      expect_error(error_of_reading(path()), "InvalidArgument", path(), "a film of 3 frames");
    }
  }
}

TEST_P(VolumeFormat, SlabsInAnyOrder) {
  const Image image = random_image({.shape = {9, 7, 6}, .channels = 3, .type = PixelType::u16});
  for (const bool compress : {false, true}) {
    write(path(), image, {.compress = compress});
    Reader reader(path());
    for (const std::int64_t begin : {3, 0, 4, 1}) {
      EXPECT_TRUE(same_pixels(reader.slab(begin, begin + 2), image.slices(begin, begin + 2)));
    }
  }
}

TEST_P(VolumeFormat, OneFileOrTwo) {
  const Image image = random_image({.shape = {70, 50, 1}, .type = PixelType::u8});
  write(path(), image);
  EXPECT_EQ(folder.files(), is_detached() ? 2u : 1u);
  if (!is_detached()) return;
  EXPECT_EQ(load(folder / "a.raw"), bytes_of(image));
  write(path(), image, {.compress = true});
  EXPECT_TRUE(std::filesystem::exists(folder / data_name(true)));
  EXPECT_TRUE(same_pixels(read(path()), image));
}

TEST_P(MetaFormat, SaysHowLongTheStreamIs) {
  write(path(), random_image(placed_volume()), {.compress = true});
  const std::string text = header(), key = "CompressedDataSize = ";
  const auto data = is_detached() ? load(folder / "a.zraw").size()
                                  : load(path()).size() - text.size() - 24;  // the last line
  EXPECT_EQ(std::stoul(text.substr(text.find(key) + key.size(), 20)), data);
}

TEST_P(DetachedFormat, NeverWritesThroughALinkThatNobodyNamed) {
  std::filesystem::create_directory(folder / "in");
  save(folder / "precious", "old");
  for (const bool compress : {false, true}) {
    const auto target = folder / "in" / ("a" + GetParam());
    std::filesystem::create_symlink("../precious", folder / "in" / data_name(compress));
    expect_error(thrown_by([&] {
                   write(target, random_image({.type = PixelType::u8}), {.compress = compress});
                 }),
                 "FileSystemError", target, "symbolic link");
  }
  EXPECT_EQ(load(folder / "precious"), "old");
}

TEST_P(DetachedFormat, NamesThatTheHeaderCannotHoldAreRefused) {
  for (const std::string name : {"a%d", "a\nb", "LIST"}) {
    const Thrown found = thrown_by(
        [&] { write(folder / (name + GetParam()), random_image({.type = PixelType::u8})); });
    EXPECT_EQ(found.kind, "Unsupported") << found.text;
  }
  EXPECT_EQ(folder.files(), 0u);
}

const auto named = [](const auto& one) { return one.param.substr(1); };
INSTANTIATE_TEST_SUITE_P(All, VolumeFormat, testing::Values(".nrrd", ".nhdr", ".mha", ".mhd"),
                         named);
INSTANTIATE_TEST_SUITE_P(All, MetaFormat, testing::Values(".mha", ".mhd"), named);
INSTANTIATE_TEST_SUITE_P(All, DetachedFormat, testing::Values(".nhdr", ".mhd"), named);

}  // namespace
}  // namespace meander::io
