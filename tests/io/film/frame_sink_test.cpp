// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/io_testing.hpp"
#include "meander/film.hpp"

/// Frames that become a film, a stack or numbered files, all of them or none.
namespace meander::io {
namespace {

const Description plane{{13, 9, 1}, 1, PixelType::u8, {}};

std::vector<Image> random_frames(std::int64_t count) {
  std::vector<Image> frames;
  for (std::int64_t i = 0; i < count; ++i) {
    frames.push_back(random_image(plane, static_cast<unsigned>(i + 1)));
  }
  return frames;
}

void append_all(FrameSink& sink, const std::vector<Image>& frames) {
  for (const Image& frame : frames) sink.append(frame);
}

TEST(FrameSink, WritesAFilmWithItsTime) {
  const Folder folder;
  const auto frames = random_frames(3);
  for (const std::string suffix : {".tif", ".npy", ".nrrd"}) {
    if (!can_hold("a" + suffix, PixelType::u8)) continue;
    const std::string path = (folder / ("film" + suffix)).string();
    FrameSink sink(path, plane, {.count = 3, .seconds = 0.25});
    append_all(sink, frames);
    EXPECT_FALSE(std::filesystem::exists(path));
    sink.finish();
    FrameSource source(path);
    EXPECT_EQ(source.count(), 3);
    EXPECT_EQ(source.film().seconds, suffix == ".npy" ? 0 : 0.25);
    for (const std::size_t i : {0u, 1u, 2u}) {
      EXPECT_TRUE(same_pixels(source.read(static_cast<std::int64_t>(i)), frames[i]));
    }
  }
}

TEST(FrameSink, WritesAStackAndAnAnimation) {
  const Folder folder;
  const auto frames = random_frames(4);
  for (const std::string suffix : {".npy", ".mha", ".gif"}) {
    if (!can_hold("a" + suffix, PixelType::u8)) continue;
    const std::string path = (folder / ("stack" + suffix)).string();
    FrameSink sink(path, plane, {.count = 4, .are_slices = true});
    append_all(sink, frames);
    sink.finish();
    if (suffix == ".gif") {
      EXPECT_EQ(load(path).substr(0, 6), "GIF89a");
      continue;
    }
    const Image stack = read(path);
    ASSERT_EQ(stack.shape(), (Shape{13, 9, 4}));
    EXPECT_TRUE(same_pixels(stack.slices(2, 3), frames[2]));
  }
}

TEST(FrameSink, NumberedFilesAppearTogether) {
  const Folder folder;
  const auto frames = random_frames(3);
  save(folder / "f11.npy", "older");
  FrameSink sink((folder / "f%02d.npy").string(), plane, {.count = 3, .first = 9});
  append_all(sink, frames);
  EXPECT_EQ(folder.files(), 2u);  // the older one, and a hidden folder
  EXPECT_EQ(load(folder / "f11.npy"), "older");
  EXPECT_FALSE(std::filesystem::exists(folder / "f09.npy"));
  sink.finish();
  EXPECT_TRUE(same_pixels(read(folder / "f09.npy"), frames[0]));
  EXPECT_TRUE(same_pixels(read(folder / "f10.npy"), frames[1]));
  EXPECT_TRUE(same_pixels(read(folder / "f11.npy"), frames[2]));
}

TEST(FrameSink, WithoutAnEndNothingIsLeft) {
  const Folder folder;
  const auto frames = random_frames(3);
  for (const std::string name : {"film.npy", "f%d.npy"}) {
    const std::string path = (folder / name).string();
    FrameSink sink(path, plane, {.count = 3});
    sink.append(frames[0]);
    const Thrown early = thrown_by([&] { sink.finish(); });
    EXPECT_EQ(early.kind, "LogicError");
    EXPECT_NE(early.text.find("finished after 1 of 3 frames"), std::string::npos);
  }
  EXPECT_EQ(folder.files(), 0u);
}

TEST(FrameSink, TakesWhatWasAnnouncedAndNoMore) {
  const Folder folder;
  for (const std::string name : {"film.npy", "f%d.npy"}) {
    const std::string path = (folder / name).string();
    FrameSink sink(path, plane, {.count = 1});
    for (const Description& other :
         {Description{{13, 8, 1}, 1, PixelType::u8, {}}, Description{{13, 9, 1}, 2, PixelType::u8},
          Description{{13, 9, 1}, 1, PixelType::u16}}) {
      expect_error(thrown_by([&] { sink.append(random_image(other)); }), "InvalidArgument", path,
                   "does not go on after 0 of 1 of 13x9 u8 with 1");
    }
    sink.append(random_image(plane));
    expect_error(thrown_by([&] { sink.append(random_image(plane)); }), "InvalidArgument", path,
                 "does not go on after 1 of 1");
    sink.finish();
  }
}

TEST(FrameSink, EndsOnce) {
  const Folder folder;
  for (const std::string name : {"film.npy", "f%d.npy"}) {
    FrameSink sink((folder / name).string(), plane, {.count = 2});
    append_all(sink, random_frames(2));
    sink.finish();
    EXPECT_THROW(sink.finish(), LogicError) << name;
    EXPECT_THROW(sink.append(random_frames(1).front()), LogicError) << name;
    FrameSink given((folder / name).string(), plane), taken(std::move(given));
    EXPECT_THROW(given.append(random_frames(1).front()), LogicError) << name;
  }
}

TEST(NumberedFiles, AreAllOrNoneWhereAFolderIsInTheWay) {
  const Folder folder;
  std::filesystem::create_directory(folder / "f1.npy");
  FrameSink sink((folder / "f%d.npy").string(), plane, {.count = 3});
  append_all(sink, random_frames(3));
  expect_error(thrown_by([&] { sink.finish(); }), "FileSystemError", folder / "f1.npy",
               "cannot be put in its place: Is a directory");
  EXPECT_FALSE(std::filesystem::exists(folder / "f0.npy"));
  EXPECT_FALSE(std::filesystem::exists(folder / "f2.npy"));
}

TEST(NumberedFiles, ACancelledFrameIsAboutItsPlace) {
  const Folder folder;
  FrameSink sink((folder / "f%d.npy").string(), plane, {.count = 2});
  std::stop_source source;
  source.request_stop();
  const Thrown thrown = thrown_by(
      [&] { sink.append(random_frames(1).front(), {.stop = source.get_token(), .progress = {}}); });
  EXPECT_EQ(thrown.kind, "Cancelled");
  EXPECT_EQ(thrown.about.path, folder / "f0.npy");
}

TEST(FrameSink, RefusesAPlaceOrAFormatAtOnce) {
  const Folder folder;
  const auto refused = [&](const std::string& name, const FrameSinkOptions& options,
                           const Description& frame = plane) {
    return thrown_by([&] { FrameSink((folder / name).string(), frame, options); });
  };
  expect_error(refused("a.bmp", {.count = 2}), "InvalidArgument", folder / "a.bmp",
               "found 2 frames for it, expected numbered files as " +
                   (folder / "a%03d.bmp").string() + " or a format that has films");
  expect_error(refused("a.xyz", {.count = 2}), "InvalidArgument", folder / "a.xyz", "a%03d.xyz");
  EXPECT_EQ(refused("f%d.xyz", {.count = 2}).kind, "Unsupported");
  EXPECT_EQ(refused("none/f%d.npy", {.count = 2}).kind, "FileSystemError");
  EXPECT_EQ(refused("f%d.npy", {.count = 2, .compress = true}).kind, "Unsupported");
  EXPECT_EQ(refused("a.npy", {.count = 0}).kind, "InvalidArgument");
  EXPECT_EQ(refused("a.npy", {.count = 2, .are_slices = true}, {{3, 3, 3}, 1, PixelType::u8}).kind,
            "InvalidArgument");
  EXPECT_EQ(folder.files(), 0u);
}

TEST(FrameSink, CompressesNumberedFiles) {
  const Folder folder;
  Image flat = Image::allocate({{200, 200, 1}, 1, PixelType::u8});
  for (std::int64_t y = 0; y < 200; ++y) std::fill_n(flat.mutable_row<std::uint8_t>(y), 200, 7);
  FrameSink sink((folder / "f%d.nrrd").string(), flat.description(), {.compress = true});
  sink.append(flat);
  sink.finish();
  EXPECT_LT(std::filesystem::file_size(folder / "f0.nrrd"), 4000u);
}

TEST(NumberedFiles, NameThePlaceThatFilesAreGoingToHave) {
  const Folder folder;
  const NumberedFiles files((folder / "f%d.npy").string());
  const std::string waiting = files.waiting(3);
  EXPECT_NE(std::filesystem::path(waiting).parent_path(), folder.path());
  EXPECT_EQ(files.told(waiting + ": no, " + waiting),
            (folder / "f3.npy").string() + ": no, " + (folder / "f3.npy").string());
  const SizeLimit limit(1000);
  const Image image = random_image({{100, 100, 1}, 1, PixelType::u8});
  expect_error(thrown_by([&] { files.write(3, image); }), "FileSystemError", folder / "f3.npy", "");
}

TEST(NumberedFiles, MayBeMoved) {
  const Folder folder;
  {
    NumberedFiles given(folder / "f%d.npy");
    given.write(3, random_frames(1).front());
    const NumberedFiles taken(std::move(given));
    EXPECT_EQ(taken.pattern(), folder / "f%d.npy");
    EXPECT_TRUE(std::filesystem::exists(taken.waiting(3)));
    taken.finish();
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "f3.npy"));
  EXPECT_EQ(folder.files(), 1u);
}

TEST(NumberedFiles, TakeFoldersAlong) {
  const Folder folder;
  {
    const NumberedFiles files((folder / "f%d.npy").string());
    const auto beside = std::filesystem::path(files.waiting(1)).parent_path() / "beside";
    std::filesystem::create_directory(beside);
    save(beside / "note.txt", "note");
    files.finish();
  }
  EXPECT_EQ(load(folder / "beside/note.txt"), "note");
  EXPECT_EQ(folder.files(), 1u);
}

}  // namespace
}  // namespace meander::io
