// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <type_traits>

#include "control_testing.hpp"
#include "io/io_testing.hpp"
#include "meander/film.hpp"
#include "meander/grey.hpp"
#include "meander/window.hpp"

/// Frames of films, slices of volumes and numbered files, one after the other.
namespace meander::io {
namespace {

using Across = Slice::Across;

constexpr Shape plane{13, 9, 1};

std::vector<Image> random_frames(std::int64_t count,
                                 const Description& frame = {plane, 1, PixelType::u8}) {
  std::vector<Image> frames;
  for (std::int64_t i = 0; i < count; ++i) {
    frames.push_back(random_image(frame, static_cast<unsigned>(i + 1)));
  }
  return frames;
}

void write_film(const std::filesystem::path& path, const std::vector<Image>& frames,
                double seconds = 0.5) {
  Writer writer(path, frames.front().description(),
                {.film = {static_cast<std::int64_t>(frames.size()), seconds}});
  for (const Image& frame : frames) writer.append(frame);
  writer.finish();
}

void write_files(const std::filesystem::path& pattern, const std::vector<Image>& frames,
                 std::int64_t first = 7) {
  for (const Image& frame : frames) write(sequence_file(pattern, first++), frame);
}

TEST(FrameSource, GivesTheFramesOfAFilmInAnyOrder) {
  const Folder folder;
  for (const std::string suffix : {".tif", ".npy"}) {
    if (!can_hold("a" + suffix, PixelType::u8)) continue;
    const auto frames = random_frames(5);
    const std::string path = (folder / ("film" + suffix)).string();
    write_film(path, frames);
    FrameSource source(path);
    EXPECT_TRUE(source.is_film());
    EXPECT_EQ(source.word(), "frame");
    EXPECT_EQ(source.count(), 5);
    EXPECT_EQ(source.total(), 5);
    EXPECT_EQ(source.frame().shape, plane);
    EXPECT_EQ(source.whole().shape, plane);
    const double seconds = suffix == ".tif" ? 0.5 : 0;
    EXPECT_EQ(source.film(), (Film{5, seconds}));
    EXPECT_EQ(source.name(3), path + ", frame 3");
    for (const std::int64_t i : {0, 1, 4, 2, 3}) {
      EXPECT_TRUE(same_pixels(source.read(i), frames[static_cast<std::size_t>(i)]));
    }
    for (const std::int64_t beyond : {-1, 5}) {
      expect_error(thrown_by([&] { source.read(beyond); }), "InvalidArgument", path,
                   "of 5 that are taken, expected 0 to 4");
    }
  }
}

TEST(FrameSource, TakesTheFramesThatAreChosen) {
  const Folder folder;
  const auto frames = random_frames(6);
  const std::string path = (folder / "film.npy").string();
  write_film(path, frames);
  FrameSource some(path, {.frames = FrameChoice{2, 5}});
  EXPECT_EQ(some.count(), 3);
  EXPECT_EQ(some.total(), 6);
  EXPECT_EQ(some.film().frames, 3);
  EXPECT_EQ(some.number(0), 2);
  EXPECT_EQ(some.name(2), path + ", frame 4");
  EXPECT_TRUE(same_pixels(some.read(1), frames[3]));
  FrameSource rest(path, {.frames = FrameChoice{4}});
  EXPECT_EQ(rest.count(), 2);
  FrameSource one(path, {.frames = FrameChoice{5, 6}});
  EXPECT_FALSE(one.is_film());
  EXPECT_EQ(one.film(), Film{});
  EXPECT_TRUE(same_pixels(one.read(0), frames[5]));
  expect_error(thrown_by([&] {
                 FrameSource(path, {.frames = FrameChoice{2, 7}});
               }),
               "InvalidArgument", path, "found frames 2:7 of a film of 6, expected 0 to 5");
  expect_error(thrown_by([&] {
                 FrameSource(path, {.frames = FrameChoice{2, 7}, .words = {.frames = "--frame"}});
               }),
               "InvalidArgument", path, "found --frame 2:7 of a film of 6");
}

TEST(FrameSource, TakesAVolumeAsSlicesAcrossEachAxis) {
  const Folder folder;
  const Image volume = random_image({{13, 11, 5}, 2, PixelType::u16});
  const std::string path = (folder / "volume.npy").string();
  write(path, volume);
  for (const auto& [across, count] :
       {std::pair(Across::z, 5), std::pair(Across::y, 11), std::pair(Across::x, 13)}) {
    FrameSource source(path, {.read = {.channels_last = true}, .axis = across});
    EXPECT_EQ(source.word(), "slice");
    EXPECT_FALSE(source.is_film());
    EXPECT_EQ(source.film(), Film{});
    EXPECT_EQ(source.count(), count);
    EXPECT_EQ(source.whole().shape.z, count);
    EXPECT_EQ(source.name(2), path + ", slice 2");
    for (const std::int64_t i : {0, 1, 2, 4}) {
      const Image expected = read(path, {.channels_last = true, .slice = Slice{across, i}});
      EXPECT_TRUE(same_pixels(source.read(i), expected));
    }
  }
  FrameSource some(path, {.slices = FrameChoice{3, 9}, .axis = Across::y});
  EXPECT_EQ(some.count(), 6);
  EXPECT_EQ(some.total(), 11);
  EXPECT_TRUE(same_pixels(some.read(1), read(path, {.slice = Slice{Across::y, 4}})));
  expect_error(thrown_by([&] {
                 FrameSource(path, {.slices = FrameChoice{3, 6}});
               }),
               "InvalidArgument", path, "found slices 3:6 of a volume of 5, expected 0 to 4");
}

TEST(FrameSource, OfAFilmOfVolumesGivesVolumesOrOneSliceOfEach) {
  const Folder folder;
  const auto frames = random_frames(3, {{7, 5, 4}, 1, PixelType::u8});
  const std::string path = (folder / "film.npy").string();
  write_film(path, frames);
  FrameSource volumes(path);
  EXPECT_TRUE(volumes.is_film());
  EXPECT_TRUE(same_pixels(volumes.read(2), frames[2]));
  FrameSource planes(path, {.slices = FrameChoice{3, 4}});
  EXPECT_TRUE(planes.is_film());
  EXPECT_EQ(planes.count(), 3);
  EXPECT_TRUE(same_pixels(planes.read(1), frames[1].slices(3, 4)));
  FrameSource slices(path, {.frames = FrameChoice{1, 2}});
  EXPECT_EQ(slices.word(), "slice");
  EXPECT_EQ(slices.count(), 4);
  EXPECT_TRUE(same_pixels(slices.read(2), frames[1].slices(2, 3)));
  expect_error(thrown_by([&] { FrameSource(path, {.slices = FrameChoice{}}); }), "InvalidArgument",
               path, "found 3 frames with 4 slices each, expected one of them");
}

TEST(FrameSource, TakesNumberedFilesInTheirOrder) {
  const Folder folder;
  const auto frames = random_frames(3);
  const std::string pattern = (folder / "f%d.npy").string();
  write_files(pattern, frames, 9);  // 9, 10, 11
  FrameSource source(pattern);
  EXPECT_FALSE(source.is_film());
  EXPECT_EQ(source.word(), "frame");
  EXPECT_EQ(source.count(), 3);
  EXPECT_EQ(source.total(), 3);
  EXPECT_EQ(source.number(1), 1);
  EXPECT_EQ(source.whole().shape, (Shape{13, 9, 3}));
  EXPECT_EQ(source.name(1), (folder / "f10.npy").string());
  for (const std::size_t i : {0u, 1u, 2u, 0u}) {
    EXPECT_TRUE(same_pixels(source.read(static_cast<std::int64_t>(i)), frames[i]));
  }
  const auto choice = [&](const FrameSourceOptions& options) {
    const Thrown found = thrown_by([&] { FrameSource(pattern, options); });
    EXPECT_EQ(found.kind, "InvalidArgument");
    return found.text;
  };
  EXPECT_NE(choice({.frames = FrameChoice{0, 1}}).find("expected no frames beside"),
            std::string::npos);
  EXPECT_NE(choice({.slices = FrameChoice{}}).find("expected one slice of each"),
            std::string::npos);
}

TEST(FrameSource, OpensAFilmAndAFileOnce) {
  const Folder folder;
  const auto frames = random_frames(3);
  write_film(folder / "film.npy", frames);
  write_files(folder / "f%d.npy", frames);
  FrameSource film((folder / "film.npy").string());
  FrameSource files((folder / "f%d.npy").string());
  // What is open stays readable under no name.
  std::filesystem::remove(folder / "film.npy");
  std::filesystem::remove(folder / "f7.npy");
  for (std::int64_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(same_pixels(film.read(i), frames[static_cast<std::size_t>(i)]));
    EXPECT_TRUE(same_pixels(files.read(i), frames[static_cast<std::size_t>(i)]));
  }
}

TEST(FrameSource, RefusesAFrameThatDiffersFromTheFirst) {
  const Folder folder;
  const std::string pattern = (folder / "f%d.npy").string();
  write_files(pattern, random_frames(1), 1);
  for (const Description& other :
       {Description{{13, 8, 1}, 1, PixelType::u8, {}}, Description{plane, 3, PixelType::u8, {}},
        Description{plane, 1, PixelType::u16, {}}}) {
    write(folder / "f2.npy", random_image(other));
    FrameSource source(pattern, {.read = {.channels_last = true}});
    source.read(0);
    expect_error(thrown_by([&] { source.read(1); }), "MalformedFile", folder / "f2.npy",
                 "with " + std::to_string(other.channels) +
                     " channels, expected 13x9 u8 with 1 as the first");
  }
  write(folder / "f1.npy", random_image({{5, 4, 3}, 1, PixelType::u8}));
  expect_error(thrown_by([&] { FrameSource source(pattern); }), "Unsupported", folder / "f1.npy",
               "a frame has 2 axes, found 5x4x3");
}

TEST(FrameSource, TakesColoursThatAreEqualForGrey) {
  const Folder folder;
  auto frames = random_frames(2, {plane, 3, PixelType::u8});
  const std::string pattern = (folder / "f%d.npy").string();
  for (int c = 1; c < 3; ++c) {
    for (std::int64_t y = 0; y < plane.y; ++y) {
      std::copy_n(frames[0].row<std::uint8_t>(y), plane.x,
                  frames[0].mutable_row<std::uint8_t>(y, 0, c));
    }
  }
  EXPECT_TRUE(is_grey(frames[0]));
  EXPECT_FALSE(is_grey(frames[1]));
  write_files(pattern, frames, 1);
  const FrameSourceOptions grey{
      .read = {.channels_last = true}, .grey = true, .words = {.grey_advice = "; take one"}};
  FrameSource source(pattern, grey);
  EXPECT_EQ(source.frame().channels, 1);
  EXPECT_TRUE(same_pixels(source.read(0), frames[0].channel(0)));
  expect_error(thrown_by([&] { source.read(1); }), "InvalidArgument", folder / "f2.npy",
               "3 channels that differ, expected 1 or a grey one; take one");
  FrameSource colours(pattern, {.read = {.channels_last = true}});
  EXPECT_EQ(colours.frame().channels, 3);
  EXPECT_TRUE(same_pixels(colours.read(1), frames[1]));
}

TEST(FrameSource, KeepsOtherChannelsForGrey) {
  const Folder folder;
  for (const int channels : {2, 5}) {
    const Image all = random_image({{6, 5, 1}, channels, PixelType::u8, {}});
    write(folder / "a.nrrd", all);
    FrameSource source((folder / "a.nrrd").string(), {.grey = true});
    EXPECT_EQ(source.frame().channels, channels);
    EXPECT_TRUE(same_pixels(source.read(0), all));
  }
}

TEST(Grey, ThreeChannelsAreCompared) {
  Image image = Image::allocate({{4, 3, 1}, 3, PixelType::u8, {}});
  for (const int c : {0, 1, 2}) {
    for (std::int64_t y = 0; y < 3; ++y)
      std::fill_n(image.mutable_row<std::uint8_t>(y, 0, c), 4, 9);
  }
  EXPECT_TRUE(is_grey(image));
  for (const int c : {1, 2}) {
    image.mutable_row<std::uint8_t>(2, 0, c)[3] = 8;
    EXPECT_FALSE(is_grey(image)) << c;
    image.mutable_row<std::uint8_t>(2, 0, c)[3] = 9;
  }
  testing::expect_hears([&](const Control& control) { is_grey(image, control); });
  testing::expect_hears([&](const Control& control) { grey_of(image, "a.tif", {}, control); });
  for (const int count : {0, -1, 4}) EXPECT_THROW(first_channels(image, count), InvalidArgument);
  EXPECT_EQ(first_channels(image, 2).channels(), 2);
}

TEST(FrameSource, LeavesOutOpacity) {
  if (!has_format("PNG")) GTEST_SKIP() << "this build has no PNG";
  const Folder folder;
  const Image image = random_image({plane, 4, PixelType::u8});
  write(folder / "f1.png", image);
  FrameSource source((folder / "f%d.png").string());
  EXPECT_EQ(source.frame().channels, 3);
  EXPECT_TRUE(same_pixels(source.read(0), first_channels(image, 3)));
}

TEST(FrameSource, OneWindowIsThatOfAllFrames) {
  const Folder folder;
  std::vector<Image> frames = random_frames(3, {{40, 30, 1}, 1, PixelType::u16});
  write_film(folder / "film.npy", frames);
  FrameSource source((folder / "film.npy").string());
  const FoundWindow expected = find_window(PixelType::u16, [&](const auto& add) {
    for (const Image& frame : frames) add(frame);
  });
  const FoundWindow found = find_window(source);
  EXPECT_EQ(found.window, expected.window);
  EXPECT_EQ(found.range, expected.range);
  EXPECT_EQ(found.beyond, expected.beyond);
  EXPECT_NE(found.window, find_window(frames[0]).window);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(find_window(source, {.stop = stop.get_token()}), Cancelled);
}

static_assert(std::is_move_constructible_v<FrameSource> && std::is_move_assignable_v<FrameSource>);

TEST(FrameChoice, FilesThatHoldNoFilmAreRefusedWithANameThatHelps) {
  check_holds_frames("a.npy", 3);
  check_holds_frames("a.bmp", 3, true);
  EXPECT_THROW(check_holds_frames("a.unknown", 3, true), InvalidArgument);
  EXPECT_THROW(check_holds_frames("a%03d.bmp", 3), InvalidArgument);
  try {
    check_holds_frames("a.bmp", 3);
    FAIL();
  } catch (const InvalidArgument& fault) {
    EXPECT_NE(std::string(fault.what()).find("a%03d.bmp"), std::string::npos) << fault.what();
  }
  EXPECT_EQ(numbered_example("in/a.TIF"), "in/a%03d.tif");
  EXPECT_EQ(numbered_example("a.b.nii.gz"), "a.b%03d.nii.gz");
  EXPECT_EQ(numbered_example("a.b.gz"), "a.b%03d.gz");
}

TEST(FrameChoice, IsWrittenAsItIsRead) {
  using Text = OptionText<FrameChoice>;
  for (const std::string text : {"0", "7", "3:10", "all"}) {
    EXPECT_EQ(Text::format(Text::parse(text)), text);
  }
  EXPECT_EQ(Text::parse("3:10").first, 3);
  EXPECT_EQ(Text::parse("3:10").end, 10);
  EXPECT_EQ(Text::parse("3").end, 4);
  EXPECT_FALSE(Text::parse("all").end);
  for (const std::string text : {"", "-1", "3:3", "4:3", "3:", ":3", "1:2:3", "x"}) {
    EXPECT_THROW(Text::parse(text), InvalidArgument) << text;
  }
}

}  // namespace
}  // namespace meander::io
