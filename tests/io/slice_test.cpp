// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io_testing.hpp"

/// Slices of a volume across any axis, and stacks whose slices may be frames.
namespace meander::io {
namespace {

using Across = Slice::Across;

/// The bytes of a slice, picked one pixel at a time.
std::string bytes_of_slice(const Image& image, const Slice& slice, const Roi& roi) {
  const auto size = static_cast<std::int64_t>(size_of(image.type()));
  std::string all;
  for (int c = 0; c < image.channels(); ++c) {
    for (std::int64_t v = roi.y0; v < roi.y1; ++v) {
      for (std::int64_t u = roi.x0; u < roi.x1; ++u) {
        const std::int64_t x = slice.across == Across::x ? slice.index : u;
        const std::int64_t y = slice.across == Across::y   ? slice.index
                               : slice.across == Across::x ? u
                                                           : v;
        const std::int64_t z = slice.across == Across::z ? slice.index : v;
        all.append(reinterpret_cast<const char*>(image.row_bytes(y, z, c) + x * size),
                   static_cast<std::size_t>(size));
      }
    }
  }
  return all;
}

Description volume_with_a_place() {
  Description volume{{13, 11, 5}, 2, PixelType::u16, {0.5, 0.25, 3, Unit::micrometre}};
  volume.placement.emplace();
  volume.placement->origin = {1, 2, 3};
  volume.placement->step = {{{0.5, 0, 0}, {0, 0.25, 0}, {0, 0, 3}}};
  return volume;
}

TEST(SliceOfReader, IsAnImageAcrossEveryAxisInEveryFormat) {
  const Folder folder;
  for (const std::string suffix : {".npy", ".tif", ".nrrd"}) {
    if (!can_hold("a" + suffix, PixelType::u16)) continue;
    const Image image = random_image(volume_with_a_place());
    const auto path = folder / ("a" + suffix);
    write(path, image);
    for (const auto& [across, shape] : {std::pair(Across::z, Shape{13, 11, 1}),
                                        {Across::y, Shape{13, 5, 1}},
                                        {Across::x, Shape{11, 5, 1}}}) {
      Reader reader(path, {.slice = Slice{across, 1}});
      EXPECT_EQ(reader.description().shape, shape);
      const Roi all{0, 0, shape.x, shape.y};
      for (const std::int64_t index : {1, 2, 3, 4, 0}) {  // in order, and back
        reader.select_slice(index);
        EXPECT_TRUE(bytes_of(reader.read()) == bytes_of_slice(image, {across, index}, all))
            << suffix << " " << index;
      }
      const Roi part{2, 1, 9, 4};
      Reader cropped(path, {.roi = part, .slice = Slice{across, 3}});
      EXPECT_TRUE(bytes_of(cropped.read()) == bytes_of_slice(image, {across, 3}, part));
      EXPECT_TRUE(bytes_of(cropped.slab(1, 2)) == bytes_of_slice(image, {across, 3}, {2, 2, 9, 3}));
      const Reader one(path, {.channel = 1, .slice = Slice{across, 3}});
      EXPECT_EQ(one.description().channels, 1);
    }
  }
}

TEST(SliceOfReader, LiesWhereItIsCut) {
  const Folder folder;
  const auto path = folder / "a.nrrd";
  write(path, random_image(volume_with_a_place()));
  Reader reader(path, {.slice = Slice{Across::y, 0}});
  reader.select_slice(4);
  const Description& found = reader.description();
  EXPECT_EQ(found.spacing, (Spacing{0.5, 3, 0.25, Unit::micrometre}));
  ASSERT_TRUE(found.placement);
  EXPECT_EQ(found.placement->origin, (Placement::Vector{1, 3, 3}));
  EXPECT_EQ(found.placement->step[1], (Placement::Vector{0, 0, 3}));
}

TEST(SliceOfReader, ThatIsNoneIsOneSentence) {
  const Folder folder;
  write(folder / "v.npy", random_image({{4, 3, 2}}));
  write(folder / "a.npy", random_image({{4, 3, 1}}));
  for (const Slice slice : {Slice{Across::z, 2}, Slice{Across::y, 3}, Slice{Across::x, -1}}) {
    EXPECT_THROW(Reader(folder / "v.npy", {.slice = slice}), InvalidArgument);
  }
  EXPECT_THROW(Reader(folder / "a.npy", {.slice = Slice{Across::y, 0}}), InvalidArgument);
  Reader reader(folder / "v.npy", {.slice = Slice{}});
  EXPECT_THROW(reader.select_slice(2), InvalidArgument);
  EXPECT_EQ(reader.slices(), 2);
}

TEST(PagesOfReader, OfAnArrayMayBeFrames) {
  const Folder folder;
  const Image image = random_image({{4, 3, 5}});
  write(folder / "v.npy", image);
  EXPECT_FALSE(Reader(folder / "v.npy").pages_unknown());
  Reader reader(folder / "v.npy", {.frame = 3, .pages = Pages::frames});
  EXPECT_EQ(reader.film().frames, 5);
  EXPECT_EQ(reader.description().shape, (Shape{4, 3, 1}));
  EXPECT_TRUE(bytes_of(reader.read()) == bytes_of(image.slices(3, 4)));
  EXPECT_THROW(reader.select_frame(5), InvalidArgument);
}

TEST(PagesOfReader, OfAFileThatSaysSoAreWhatItSays) {
  const Folder folder;
  write(folder / "v.nrrd", random_image({{4, 3, 5}}));
  EXPECT_EQ(Reader(folder / "v.nrrd", {.pages = Pages::slices}).film().frames, 1);
  EXPECT_THROW(Reader(folder / "v.nrrd", {.pages = Pages::frames}), InvalidArgument);
  // Nobody asks what the pages of a single image are.
  write(folder / "a.nrrd", random_image({{4, 3, 1}}));
  EXPECT_EQ(Reader(folder / "a.nrrd", {.pages = Pages::frames}).film().frames, 1);
}

TEST(PagesOfReader, OfATiffWithoutNotesStayUnknown) {
  if (!can_hold("a.tif", PixelType::f32)) GTEST_SKIP() << "this build has no TIFF";
  const Folder folder;
  const Image image = random_image({{4, 3, 5}});
  write(folder / "known.tif", image);
  EXPECT_FALSE(Reader(folder / "known.tif").pages_unknown());
  write(folder / "a.tif", image, {.pages_unknown = true});
  EXPECT_TRUE(Reader(folder / "a.tif").pages_unknown());
  EXPECT_EQ(Reader(folder / "a.tif").description().shape.z, 5);
  EXPECT_FALSE(Reader(folder / "a.tif", {.pages = Pages::slices}).pages_unknown());
  Reader reader(folder / "a.tif", {.frame = 2, .unknown_pages = Pages::frames});
  EXPECT_TRUE(reader.pages_unknown());
  EXPECT_TRUE(bytes_of(reader.read()) == bytes_of(image.slices(2, 3)));
}

}  // namespace
}  // namespace meander::io
