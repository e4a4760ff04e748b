// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// GIF files as giflib's decoder sees them.
#include <gif_lib.h>

#include "io_testing.hpp"

namespace meander::io {
namespace {

/// A file decoded, closed at the end of the test.
class Decoded {
 public:
  explicit Decoded(const std::filesystem::path& path) {
    int error = 0;
    gif_ = DGifOpenFileName(path.c_str(), &error);
    if (gif_ == nullptr) throw std::runtime_error(GifErrorString(error));
    if (DGifSlurp(gif_) != GIF_OK) throw std::runtime_error(GifErrorString(gif_->Error));
  }
  Decoded(const Decoded&) = delete;
  Decoded& operator=(const Decoded&) = delete;
  ~Decoded() { DGifCloseFile(gif_, nullptr); }

  const GifFileType* operator->() const { return gif_; }
  int frames() const { return gif_->ImageCount; }
  const SavedImage& frame(int index) const { return gif_->SavedImages[index]; }
  GraphicsControlBlock control(int index) const {
    GraphicsControlBlock block{};
    EXPECT_EQ(DGifSavedExtensionToGCB(gif_, index, &block), GIF_OK) << index;
    return block;
  }
  /// All frames one after the other.
  std::string pixels() const {
    std::string all;
    for (int i = 0; i < frames(); ++i) {
      const GifImageDesc& place = frame(i).ImageDesc;
      const auto count =
          static_cast<std::size_t>(place.Width) * static_cast<unsigned>(place.Height);
      all.append(reinterpret_cast<const char*>(frame(i).RasterBits), count);
    }
    return all;
  }

 private:
  GifFileType* gif_ = nullptr;
};

Image random_bytes(const Shape& shape) {
  return random_image({.shape = shape, .type = PixelType::u8});
}

TEST(Gif, EverySliceIsAFrame) {
  const Folder folder;
  const Shape shapes[] = {{1, 1, 1},     {5, 4, 3},     {300, 200, 7}, {1, 9, 300},
                          {65535, 1, 2}, {1, 65535, 1}, {640, 480, 1}};
  for (const Shape& shape : shapes) {
    const Image image = random_bytes(shape);
    write(folder / "a.gif", image);
    const Decoded gif(folder / "a.gif");
    EXPECT_EQ(gif->SWidth, shape.x);
    EXPECT_EQ(gif->SHeight, shape.y);
    ASSERT_EQ(gif.frames(), shape.z) << to_string(shape);
    for (int i = 0; i < gif.frames(); ++i) {
      const GifImageDesc& place = gif.frame(i).ImageDesc;
      EXPECT_EQ((Shape{place.Width, place.Height, 1}), (Shape{shape.x, shape.y, 1})) << i;
      EXPECT_EQ(place.Left + place.Top, 0) << i;
      EXPECT_EQ(place.ColorMap, nullptr) << i;
    }
    EXPECT_TRUE(gif.pixels() == bytes_of(image)) << to_string(shape);
  }
}

TEST(Gif, ConstantFramesSurviveTheirLongCodes) {
  const Folder folder;
  Image image = Image::allocate({.shape = {257, 129, 3}, .type = PixelType::u8});
  for (std::int64_t z = 0; z < 3; ++z) {
    for (std::int64_t y = 0; y < 129; ++y) {
      std::fill_n(image.mutable_row<std::uint8_t>(y, z), 257, static_cast<std::uint8_t>(85 * z));
    }
  }
  write(folder / "a.gif", image);
  EXPECT_TRUE(Decoded(folder / "a.gif").pixels() == bytes_of(image));
}

TEST(Gif, PaletteIsTheGreys) {
  const Folder folder;
  write(folder / "a.gif", random_bytes({5, 4, 2}));
  const Decoded gif(folder / "a.gif");
  ASSERT_NE(gif->SColorMap, nullptr);
  ASSERT_EQ(gif->SColorMap->ColorCount, 256);
  for (int level = 0; level < 256; ++level) {
    const GifColorType& color = gif->SColorMap->Colors[level];
    EXPECT_TRUE(color.Red == level && color.Green == level && color.Blue == level) << level;
  }
}

TEST(Gif, ShowsTenFramesASecondForEver) {
  const Folder folder;
  write(folder / "a.gif", random_bytes({5, 4, 3}));
  EXPECT_EQ(load(folder / "a.gif").substr(0, 6), "GIF89a");
  const Decoded gif(folder / "a.gif");
  for (int i = 0; i < gif.frames(); ++i) {
    EXPECT_EQ(gif.control(i).DelayTime, 10) << i;
    EXPECT_EQ(gif.control(i).TransparentColor, NO_TRANSPARENT_COLOR) << i;
    EXPECT_FALSE(gif.control(i).UserInputFlag) << i;
  }
  // Byte for byte as browsers expect it, before the first frame.
  const std::string loop("\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 19);
  const std::string file = load(folder / "a.gif");
  EXPECT_EQ(file.find(loop), 6u + 7u + 3u * 256u);
  EXPECT_EQ(file.rfind(loop), file.find(loop));
}

TEST(Gif, SlabsGiveTheSameFileAsTheWhole) {
  const Folder folder;
  for (const Shape& shape : {Shape{31, 17, 7}, Shape{31, 17, 1}}) {
    const Image image = random_bytes(shape);
    write(folder / "whole.gif", image);
    for (const std::int64_t step : {1, 2, 3, 5}) {
      Writer writer(folder / "slabs.gif", image.description());
      const std::int64_t length = slab_length(shape);
      for (std::int64_t begin = 0; begin < length; begin += step) {
        const std::int64_t end = std::min(length, begin + step);
        writer.append(shape.z > 1 ? image.slices(begin, end) : image.rows(begin, end));
      }
      writer.finish();
      EXPECT_TRUE(load(folder / "slabs.gif") == load(folder / "whole.gif"))
          << to_string(shape) << " by " << step;
    }
  }
}

TEST(Gif, TheCallersPixelsStayAsTheyAre) {
  const Folder folder;
  const Image image = random_bytes({31, 17, 2});
  const std::string before = bytes_of(image);
  write(folder / "a.gif", image);
  EXPECT_TRUE(bytes_of(image) == before);
}

TEST(Gif, RefusesWhatItCannotHold) {
  const Folder folder;
  const auto refuse = [&](const Description& description, const std::string& part) {
    const auto thrown = thrown_by([&] { write(folder / "a.gif", random_image(description)); });
    expect_error(thrown, "Unsupported", folder / "a.gif", part);
  };
  refuse({.shape = {5, 4, 1}, .type = PixelType::u16}, "GIF cannot hold u16 pixels");
  refuse({.shape = {5, 4, 2}, .channels = 4, .type = PixelType::u8},
         "found an image of 5x4x2 with 4 channels, expected for GIF");
  refuse({.shape = {65536, 1, 1}, .type = PixelType::u8}, "65536x1 with 1 channels");
  refuse({.shape = {1, 65536, 1}, .type = PixelType::u8}, "at most 65535 pixels along x and y");
  EXPECT_EQ(folder.files(), 0u);
}

TEST(Gif, NoByteIsLostWithoutAWord) {
  const Folder folder;
  const Image image = random_bytes({9, 7, 2});
  write(folder / "a.gif", image);
  const std::string old = load(folder / "a.gif");
  // Up to the last byte, which giflib writes without looking at the outcome.
  for (std::size_t room = 0; room < old.size(); ++room) {
    Thrown thrown;
    {
      const SizeLimit limit(room);
      thrown = thrown_by([&] { write(folder / "a.gif", image); });
    }
    expect_error(thrown, "FileSystemError", folder / "a.gif", "File too large");
  }
  EXPECT_TRUE(load(folder / "a.gif") == old);
  EXPECT_EQ(folder.files(), 1u);
}

}  // namespace
}  // namespace meander::io
