// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <bit>
#include <exception>
#include <vector>

#include "io/image/pixel_rows.hpp"
#include "io/image/spacing.hpp"
#include "io/png/guard.hpp"
#include "io/png/png.hpp"
#include "io/png/spacing.hpp"

namespace meander::io {
namespace {

constexpr int most_channels = 4;
constexpr std::size_t idat_bytes = 1 << 20;
// Noisy images hardly gain from more effort, which costs several times as long.
constexpr int compression_level = 3;

int color_of(int channels) {
  constexpr int colors[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                            PNG_COLOR_TYPE_RGB_ALPHA};
  return colors[channels - 1];
}

void check(const AtomicFile& file, const Description& description) {
  const bool small =
      description.shape.x <= PNG_UINT_31_MAX && description.shape.y <= PNG_UINT_31_MAX;
  if (description.shape.z == 1 && description.channels <= most_channels && small) return;
  throw Unsupported(message(file.path().string(), ": found an image of ",
                            to_string(description.shape), " with ", description.channels,
                            " channels, expected for PNG 2-D and 1 to ", most_channels,
                            " channels"));
}

class PngSink final : public Writer::Sink {
 public:
  PngSink(AtomicFile opened, const Description& announced) : Sink(std::move(opened), announced) {
    check(file, description);
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &failure_, png_fail, png_ignore_warning);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    const std::string exact = exact_text(description.spacing);
    const auto density = density_of(description.spacing);
    const bool begun = info_ != nullptr && guarded(png_, [&] {
                         write_header(density ? &*density : nullptr, exact.c_str());
                       });
    if (begun) return;
    png_destroy_write_struct(&png_, &info_);
    refuse();
  }
  PngSink(const PngSink&) = delete;
  PngSink& operator=(const PngSink&) = delete;
  ~PngSink() override { png_destroy_write_struct(&png_, &info_); }

  void append(const Image& slab, Progress& progress) override {
    row_.resize(static_cast<std::size_t>(slab.shape().x * pixel_bytes(slab)));
    for (std::int64_t y = 0; y < slab.shape().y; ++y) {
      gather(slab, {.y = y, .count = slab.shape().x}, row_.data());
      run([this] { png_write_row(png_, reinterpret_cast<png_const_bytep>(row_.data())); });
      progress.add(static_cast<std::int64_t>(row_.size()));
    }
  }
  void complete() override {
    run([this] { png_write_end(png_, nullptr); });
  }

 private:
  void write_header(const PngDensity* density, const char* exact) {
    png_set_write_fn(png_, this, store, nullptr);
    png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_compression_level(png_, compression_level);
    png_set_compression_buffer_size(png_, idat_bytes);
    png_set_IHDR(png_, info_, static_cast<png_uint_32>(description.shape.x),
                 static_cast<png_uint_32>(description.shape.y),
                 description.type == PixelType::u16 ? 16 : 8, color_of(description.channels),
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (density != nullptr) {
      png_set_pHYs(png_, info_, density->x, density->y,
                   density->per_metre ? PNG_RESOLUTION_METER : PNG_RESOLUTION_UNKNOWN);
    }
    if (description.spacing != Spacing{}) set_text(exact);
    png_write_info(png_, info_);
    if (std::endian::native == std::endian::little) png_set_swap(png_);
  }
  void set_text(const char* exact) {
    png_text text{};
    text.compression = PNG_TEXT_COMPRESSION_NONE;
    text.key = const_cast<char*>(exact_spacing_key.data());
    text.text = const_cast<char*>(exact);
    png_set_text(png_, info_, &text, 1);
  }

  static void store(png_structp png, png_bytep bytes, std::size_t count) {
    auto* self = static_cast<PngSink*>(png_get_io_ptr(png));
    self->keep_exception([&] { self->file.write({reinterpret_cast<std::byte*>(bytes), count}); });
    if (self->exception_) png_error(png, "the system could not write it");
  }
  template <class Work>
  void keep_exception(const Work& work) {
    try {
      work();
    } catch (...) {
      exception_ = std::current_exception();
    }
  }

  template <class Calls>
  void run(const Calls& calls) {
    if (!guarded(png_, calls)) refuse();
  }
  [[noreturn]] void refuse() const {
    if (exception_) std::rethrow_exception(exception_);
    if (failure_.no_memory || failure_.text[0] == 0) {
      throw OutOfMemory(file.path().string() + ": no memory to encode it");
    }
    throw Unsupported(message(file.path().string(), ": libpng refused the image: ", failure_.text));
  }

  PngFailure failure_;
  std::exception_ptr exception_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::vector<std::byte> row_;
};

}  // namespace

std::unique_ptr<Writer::Sink> create_png(AtomicFile file, const Description& description,
                                         const WriteOptions&) {
  return std::make_unique<PngSink>(std::move(file), description);
}

}  // namespace meander::io
