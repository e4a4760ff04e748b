// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <new>
#include <vector>

#include "io/gif/gif.hpp"
#include "io/image/pixel_rows.hpp"

namespace meander::io {
namespace {

constexpr std::int64_t longest_axis = 65535;
constexpr int bits_per_pixel = 8;
constexpr int colours = 1 << bits_per_pixel;
constexpr int levels = 6;  ///< Of red, green and blue in the palette of colour images.
constexpr int cube = levels * levels * levels;
constexpr int transparent = colours - 1;  ///< In colour images: a pixel as in the frame before.
constexpr int greys = transparent - cube;

/// How long a frame is shown. Viewers take less than 2 for a mistake and show it for 10.
int centiseconds_of(const Film& film) {
  constexpr int otherwise = 10, least = 2, most = 65535;
  if (film.frames == 1 || !(film.seconds > 0)) return otherwise;
  return static_cast<int>(std::clamp(std::round(100 * film.seconds), double{least}, double{most}));
}

void check(const AtomicFile& file, const Description& description, const Film& film) {
  const Shape& shape = description.shape;
  if (film.frames > 1 && shape.z > 1) {
    throw Unsupported(message(file.path().string(), ": found a film of volumes of ",
                              to_string(shape), ", expected for GIF one of 2-D images"));
  }
  const bool small = shape.x <= longest_axis && shape.y <= longest_axis;
  if ((description.channels == 1 || description.channels == 3) && small) return;
  throw Unsupported(message(file.path().string(), ": found an image of ", to_string(shape),
                            " with ", description.channels, " channels, expected for GIF at most ",
                            longest_axis, " pixels along x and y and 1 or 3 channels"));
}

using Palette = std::array<GifColorType, colours>;

GifColorType grey(int level) {
  const auto byte = static_cast<GifByteType>(level);
  return {byte, byte, byte};
}

Palette palette_of_greys() {
  Palette palette;
  for (int level = 0; level < colours; ++level)
    palette[static_cast<std::size_t>(level)] = grey(level);
  return palette;
}

/// Six levels of each of red, green and blue, then greys, then what shows as nothing.
Palette palette_of_colours() {
  constexpr int step = 255 / (levels - 1);
  Palette palette;
  for (int i = 0; i < cube; ++i) {
    palette[static_cast<std::size_t>(i)] = {static_cast<GifByteType>(i / levels / levels * step),
                                            static_cast<GifByteType>(i / levels % levels * step),
                                            static_cast<GifByteType>(i % levels * step)};
  }
  for (int i = cube; i < transparent; ++i) {
    palette[static_cast<std::size_t>(i)] = grey((2 * (i - cube) + 1) * colours / (2 * greys));
  }
  palette[transparent] = grey(0);
  return palette;
}

/// The nearest of that palette: among its levels, or among its greys.
class NearestColour {
 public:
  int operator()(int red, int green, int blue) const {
    const int mean = (red + green + blue + 1) / 3;
    const int among_levels = (level(red) * levels + level(green)) * levels + level(blue);
    const int among_greys = cube + mean * greys / 256;
    return distance(among_greys, red, green, blue) < distance(among_levels, red, green, blue)
               ? among_greys
               : among_levels;
  }

 private:
  static int level(int value) { return (value * (levels - 1) + 127) / 255; }
  int distance(int index, int red, int green, int blue) const {
    const GifColorType& colour = palette_[static_cast<std::size_t>(index)];
    const auto square = [](int a) { return a * a; };
    return square(colour.Red - red) + square(colour.Green - green) + square(colour.Blue - blue);
  }
  const Palette palette_ = palette_of_colours();
};

struct Close {
  // Also writes the byte that ends the file.
  void operator()(GifFileType* gif) const { EGifCloseFile(gif, nullptr); }
};

class GifSink final : public Writer::Sink {
 public:
  GifSink(AtomicFile opened, const Description& announced, const Film& announced_film)
      : Sink(std::move(opened), announced, announced_film) {
    check(file, description, film);
    int error = E_GIF_SUCCEEDED;
    gif_.reset(EGifOpen(this, store, &error));
    if (gif_ == nullptr) refuse(error);
    put_screen();
    put_endless_loop();
  }

  void append(const Image& slab, Progress& progress) override {
    row_.resize(static_cast<std::size_t>(slab.shape().x));
    for (std::int64_t z = 0; z < slab.shape().z; ++z) {
      for (std::int64_t y = 0; y < slab.shape().y; ++y) {
        put_row(slab, z, y);
        progress.add(slab.shape().x);
      }
    }
  }
  void complete() override {
    gif_.reset();
    // giflib does not look at the outcome of every write.
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  void put_screen() {
    Palette colors = description.channels == 1 ? palette_of_greys() : palette_of_colours();
    const ColorMapObject palette{colours, bits_per_pixel, false, colors.data()};
    EGifSetGifVersion(gif_.get(), true);  // the first version knows neither delays nor loops
    demand(EGifPutScreenDesc(gif_.get(), width(), height(), bits_per_pixel, 0, &palette));
  }
  void put_endless_loop() {
    constexpr GifByteType times[] = {1, 0, 0};  // 1 stands for the loop, 0 for ever
    demand(EGifPutExtensionLeader(gif_.get(), APPLICATION_EXT_FUNC_CODE));
    demand(EGifPutExtensionBlock(gif_.get(), 11, "NETSCAPE2.0"));
    demand(EGifPutExtensionBlock(gif_.get(), sizeof times, times));
    demand(EGifPutExtensionTrailer(gif_.get()));
  }
  void begin_frame() {
    const GraphicsControlBlock control{DISPOSE_DO_NOT, false, centiseconds_of(film),
                                       before_.empty() ? NO_TRANSPARENT_COLOR : transparent};
    GifByteType bytes[4];
    const std::size_t count = EGifGCBToExtension(&control, bytes);
    demand(EGifPutExtension(gif_.get(), GRAPHICS_EXT_FUNC_CODE, static_cast<int>(count), bytes));
    demand(EGifPutImageDesc(gif_.get(), 0, 0, width(), height(), false, nullptr));
  }
  void put_row(const Image& slab, std::int64_t z, std::int64_t y) {
    if (rows_of_frame_ == 0) begin_frame();
    // By way of a copy, because giflib masks the pixels it is given where they are.
    if (slab.channels() == 1) {
      gather(slab, {.z = z, .y = y, .count = slab.shape().x},
             reinterpret_cast<std::byte*>(row_.data()));
    } else {
      gather_colours(slab, z, y);
      leave_out_what_stays();
    }
    demand(EGifPutLine(gif_.get(), row_.data(), width()));
    rows_of_frame_ = (rows_of_frame_ + 1) % description.shape.y;
  }

  void gather_colours(const Image& slab, std::int64_t z, std::int64_t y) {
    const auto* red = slab.row<std::uint8_t>(y, z, 0);
    const auto* green = slab.row<std::uint8_t>(y, z, 1);
    const auto* blue = slab.row<std::uint8_t>(y, z, 2);
    for (std::size_t x = 0; x < row_.size(); ++x) {
      row_[x] = static_cast<GifPixelType>(nearest_(red[x], green[x], blue[x]));
    }
  }

  /// Films change little from frame to frame: what stays is written as nothing, which packs well.
  void leave_out_what_stays() {
    const auto place = static_cast<std::size_t>(rows_of_frame_) * row_.size();
    const bool is_first_frame = before_.size() < place + row_.size();
    if (is_first_frame) before_.resize(place + row_.size());
    for (std::size_t x = 0; x < row_.size(); ++x) {
      const GifPixelType colour = row_[x];
      if (!is_first_frame && colour == before_[place + x]) row_[x] = transparent;
      before_[place + x] = colour;
    }
  }

  int width() const { return static_cast<int>(description.shape.x); }
  int height() const { return static_cast<int>(description.shape.y); }

  /// No exception may pass through giflib, so it is kept until giflib has returned.
  static int store(GifFileType* gif, const GifByteType* bytes, int count) {
    auto* self = static_cast<GifSink*>(gif->UserData);
    try {
      self->file.write(std::as_bytes(std::span(bytes, static_cast<std::size_t>(count))));
      return count;
    } catch (...) {
      self->exception_ = std::current_exception();
      return 0;
    }
  }
  void demand(int outcome) const {
    if (outcome != GIF_OK) refuse(gif_->Error);
  }
  [[noreturn]] void refuse(int error) const {
    if (exception_) std::rethrow_exception(exception_);
    if (error == E_GIF_ERR_NOT_ENOUGH_MEM) throw std::bad_alloc();
    const char* reason = GifErrorString(error);
    throw Unsupported(message(file.path().string(), ": giflib refused the image: ",
                              reason == nullptr ? "it gave no reason" : reason));
  }

  const NearestColour nearest_;
  std::exception_ptr exception_;
  std::vector<GifPixelType> row_;
  std::vector<GifPixelType> before_;         ///< The frame before, of a colour image.
  std::int64_t rows_of_frame_ = 0;           ///< Rows of the frame under way, 0 between frames.
  std::unique_ptr<GifFileType, Close> gif_;  ///< Last, because closing it calls `store`.
};

}  // namespace

std::unique_ptr<Writer::Sink> create_gif(AtomicFile file, const Description& description,
                                         const WriteOptions& options) {
  return std::make_unique<GifSink>(std::move(file), description, options.film);
}

}  // namespace meander::io
