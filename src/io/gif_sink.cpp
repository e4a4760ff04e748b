// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gif_lib.h>

#include <exception>
#include <vector>

#include "io/gif.hpp"
#include "io/pixel_rows.hpp"

namespace meander::io {
namespace {

constexpr std::int64_t longest_axis = 65535;
constexpr int bits_per_pixel = 8;
constexpr int greys = 1 << bits_per_pixel;
constexpr int frame_centiseconds = 10;

void check(const AtomicFile& file, const Description& description) {
  const Shape& shape = description.shape;
  const bool small = shape.x <= longest_axis && shape.y <= longest_axis;
  if (description.channels == 1 && small) return;
  throw Unsupported(message(file.path().string(), ": found an image of ", to_string(shape),
                            " with ", description.channels, " channels, expected for GIF at most ",
                            longest_axis, " pixels along x and y and 1 channel"));
}

struct Close {
  // Also writes the byte that ends the file.
  void operator()(GifFileType* gif) const { EGifCloseFile(gif, nullptr); }
};

class GifSink final : public Writer::Sink {
 public:
  GifSink(AtomicFile opened, const Description& announced) : Sink(std::move(opened), announced) {
    check(file, description);
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
    GifColorType colors[greys];
    for (int grey = 0; grey < greys; ++grey) {
      const auto level = static_cast<GifByteType>(grey);
      colors[grey] = {level, level, level};
    }
    const ColorMapObject palette{greys, bits_per_pixel, false, colors};
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
    const GraphicsControlBlock control{DISPOSE_DO_NOT, false, frame_centiseconds,
                                       NO_TRANSPARENT_COLOR};
    GifByteType bytes[4];
    const std::size_t count = EGifGCBToExtension(&control, bytes);
    demand(EGifPutExtension(gif_.get(), GRAPHICS_EXT_FUNC_CODE, static_cast<int>(count), bytes));
    demand(EGifPutImageDesc(gif_.get(), 0, 0, width(), height(), false, nullptr));
  }
  void put_row(const Image& slab, std::int64_t z, std::int64_t y) {
    if (rows_of_frame_ == 0) begin_frame();
    // By way of a copy, because giflib masks the pixels it is given where they are.
    gather(slab, {.z = z, .y = y, .count = slab.shape().x},
           reinterpret_cast<std::byte*>(row_.data()));
    demand(EGifPutLine(gif_.get(), row_.data(), width()));
    rows_of_frame_ = (rows_of_frame_ + 1) % description.shape.y;
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
    const char* reason = GifErrorString(error);
    throw Unsupported(message(file.path().string(), ": giflib refused the image: ",
                              reason == nullptr ? "it gave no reason" : reason));
  }

  std::exception_ptr exception_;
  std::vector<GifPixelType> row_;
  std::int64_t rows_of_frame_ = 0;           ///< Rows of the frame under way, 0 between frames.
  std::unique_ptr<GifFileType, Close> gif_;  ///< Last, because closing it calls `store`.
};

}  // namespace

std::unique_ptr<Writer::Sink> create_gif(AtomicFile file, const Description& description) {
  return std::make_unique<GifSink>(std::move(file), description);
}

}  // namespace meander::io
