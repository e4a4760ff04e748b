// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// GIF files as giflib's decoder sees them.
#include <gif_lib.h>

#include <cmath>

#include "io/io_testing.hpp"

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

/// What a viewer shows after each frame, as RGB: transparent pixels leave what was there.
std::vector<Image> shown_by(const Decoded& gif) {
  std::vector<Image> shown;
  for (int i = 0; i < gif.frames(); ++i) {
    Image screen =
        i == 0
            ? Image::allocate(
                  {.shape = {gif->SWidth, gif->SHeight, 1}, .channels = 3, .type = PixelType::u8})
            : shown.back().clone().download();
    for (std::int64_t y = 0; y < gif->SHeight; ++y) {
      for (std::int64_t x = 0; x < gif->SWidth; ++x) {
        const int index = gif.frame(i).RasterBits[y * gif->SWidth + x];
        if (index == gif.control(i).TransparentColor) continue;
        const GifColorType& color = gif->SColorMap->Colors[index];
        screen.mutable_row<std::uint8_t>(y, 0, 0)[x] = color.Red;
        screen.mutable_row<std::uint8_t>(y, 0, 1)[x] = color.Green;
        screen.mutable_row<std::uint8_t>(y, 0, 2)[x] = color.Blue;
      }
    }
    shown.push_back(screen);
  }
  return shown;
}

int largest_difference(const Image& a, const Image& b) {
  int largest = 0;
  for (int c = 0; c < 3; ++c) {
    for (std::int64_t y = 0; y < a.shape().y; ++y) {
      for (std::int64_t x = 0; x < a.shape().x; ++x) {
        largest = std::max(
            largest, std::abs(a.row<std::uint8_t>(y, 0, c)[x] - b.row<std::uint8_t>(y, 0, c)[x]));
      }
    }
  }
  return largest;
}

/// From a pixel to the nearest colour of the palette.
double least_distance(const Decoded& gif, const std::array<int, 3>& pixel) {
  double least = 1e9;
  for (int i = 0; i < 255; ++i) {
    const GifColorType& color = gif->SColorMap->Colors[i];
    least = std::min(
        least, std::hypot(color.Red - pixel[0], color.Green - pixel[1], color.Blue - pixel[2]));
  }
  return least;
}

TEST(Gif, ColoursAreTheNearestOfThePalette) {
  const Folder folder;
  const Image film = random_image({.shape = {31, 27, 3}, .channels = 3, .type = PixelType::u8});
  write(folder / "a.gif", film);
  const Decoded gif(folder / "a.gif");
  const auto shown = shown_by(gif);
  ASSERT_EQ(shown.size(), 3u);
  for (std::int64_t z = 0; z < 3; ++z) {
    for (std::int64_t y = 0; y < 27; ++y) {
      for (std::int64_t x = 0; x < 31; ++x) {
        std::array<int, 3> pixel{}, off{};
        for (int c = 0; c < 3; ++c) {
          const auto channel = static_cast<std::size_t>(c);
          pixel[channel] = film.row<std::uint8_t>(y, z, c)[x];
          off[channel] =
              shown[static_cast<std::size_t>(z)].row<std::uint8_t>(y, 0, c)[x] - pixel[channel];
        }
        ASSERT_LE(std::hypot(off[0], off[1], off[2]), least_distance(gif, pixel) + 2);
      }
    }
  }
}

TEST(Gif, GreysOfAColourImageAreFine) {
  const Folder folder;
  Image ramp = Image::allocate({.shape = {256, 1, 1}, .channels = 3, .type = PixelType::u8});
  for (int x = 0; x < 256; ++x) {
    for (int c = 0; c < 3; ++c)
      ramp.mutable_row<std::uint8_t>(0, 0, c)[x] = static_cast<std::uint8_t>(x);
  }
  write(folder / "a.gif", ramp);
  EXPECT_LE(largest_difference(shown_by(Decoded(folder / "a.gif"))[0], ramp), 4);
}

TEST(Gif, WhatStaysIsLeftOut) {
  const Folder folder;
  const Image still = random_image({.shape = {200, 100, 1}, .channels = 3, .type = PixelType::u8});
  write(folder / "one.gif", still);
  Description film = still.description();
  film.shape.z = 20;
  Writer writer(folder / "many.gif", film);
  for (int i = 0; i < 20; ++i) writer.append(still);
  writer.finish();
  EXPECT_LT(load(folder / "many.gif").size(), 2 * load(folder / "one.gif").size());
  const Image first = shown_by(Decoded(folder / "one.gif"))[0];
  for (const Image& shown : shown_by(Decoded(folder / "many.gif"))) {
    EXPECT_EQ(largest_difference(shown, first), 0);
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
