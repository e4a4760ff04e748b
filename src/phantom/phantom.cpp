// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/phantom.hpp"

#include <algorithm>

#include "core/message.hpp"
#include "core/parallel_for.hpp"
#include "phantom/levels.hpp"
#include "phantom/noise.hpp"
#include "phantom/scene.hpp"

namespace meander {

using namespace phantoms;

namespace {

constexpr std::int64_t band_pixels = std::int64_t{1} << 18;
constexpr std::int64_t band_rows = 64;
/// Between two cancel points: some ten milliseconds of the slowest noise on one core.
constexpr std::int64_t bands_at_a_time = 4;
constexpr std::int64_t run_length = 2048;

std::int64_t& slab_axis(Shape& shape, int rank) { return rank == 3 ? shape.z : shape.y; }

Description described(const PhantomOptions& options) {
  validate(options);
  const Description description{
      .shape = options.size, .channels = 1, .type = options.type, .spacing = {}};
  description.bytes();  // refuses what cannot be addressed
  return description;
}

/// The slab's bands, several at a time on the threads of the pool: `f(band, z, y)` with the slab's
/// own slice and first row. A band depends on its place alone, so the order does not matter.
template <class F>
void for_each_band(const Description& whole, const Shape& slab, std::int64_t begin,
                   const Control& control, F&& f) {
  const bool volume = whole.shape.rank() == 3;
  const std::int64_t rows = std::clamp(band_pixels / slab.x, std::int64_t{1}, band_rows);
  const std::int64_t bands_per_slice = (slab.y + rows - 1) / rows;
  const std::int64_t bands = bands_per_slice * slab.z;
  for (std::int64_t done = 0; done < bands; done += bands_at_a_time) {
    control.step(static_cast<double>(done) / static_cast<double>(bands));
    parallel_for(std::min(bands_at_a_time, bands - done), [&](std::int64_t task) {
      const std::int64_t z = (done + task) / bands_per_slice;
      const std::int64_t y = (done + task) % bands_per_slice * rows;
      const std::int64_t first = volume ? y : begin + y;
      const std::int64_t count = std::min(rows, slab.y - y);
      f(Band{slab.x, volume ? begin + z : 0, first, first + count}, z, y);
    });
  }
  control.step(1);
}

void check_slab(const Description& whole, const Image& slab, std::int64_t begin) {
  Shape shape = slab.shape();
  const int rank = whole.shape.rank();
  const std::int64_t end = begin + slab_axis(shape, rank);
  Shape expected = whole.shape;
  const std::int64_t length = slab_axis(expected, rank);
  slab_axis(expected, rank) = slab_axis(shape, rank);
  if (shape != expected || slab.type() != whole.type || slab.channels() != 1) {
    throw InvalidArgument(message(
        "a slab of ", to_string(shape), " ", name_of(slab.type()), " with ", slab.channels(),
        " channels was given for a phantom of ", to_string(whole.shape), " ", name_of(whole.type)));
  }
  if (begin < 0 || end > length) {
    throw InvalidArgument(
        message("a slab from ", begin, " to ", end, " of a phantom whose length is ", length));
  }
}

}  // namespace

struct Phantom::State {
  Description description;
  PhantomLevels levels;
  std::unique_ptr<NoiseModel> noise;
  std::unique_ptr<Scene> scene;

  explicit State(const PhantomOptions& options)
      : description(described(options)),
        levels(levels_of(options)),
        noise(noise_model(options, levels)),
        scene(scene_of(options.kind, {options.size, options.seed})) {}

  /// Draws runs of pixels that follow each other in memory order, across the ends of rows, and
  /// hands `f(row, column, values, count)` what falls into one row.
  template <class F>
  void draw_band(const Band& band, const std::uint8_t* tenths, F&& f) const {
    const Shape& shape = description.shape;
    const std::int64_t first = (band.z * shape.y + band.y_begin) * shape.x;
    double values[run_length];
    for (std::int64_t begin = 0; begin < band.pixels(); begin += run_length) {
      const std::int64_t end = std::min(begin + run_length, band.pixels());
      noise->draw(tenths + begin, static_cast<std::uint64_t>(first + begin),
                  static_cast<std::size_t>(end - begin), values);
      for (std::int64_t i = begin; i < end;) {
        const std::int64_t column = i % band.width;
        const std::int64_t count = std::min(end - i, band.width - column);
        f(i / band.width, column, values + (i - begin), count);
        i += count;
      }
    }
  }
};

Phantom::Phantom(const PhantomOptions& options) : state_(std::make_shared<const State>(options)) {}

const Description& Phantom::description() const { return state_->description; }
const PhantomLevels& Phantom::levels() const { return state_->levels; }
std::vector<Polygon> Phantom::outlines() const { return state_->scene->outlines(); }

Description Phantom::truth_description() const {
  Description truth = description();
  truth.type = PixelType::u8;
  return truth;
}

void Phantom::fill(Image& slab, std::int64_t begin, const Control& control) const {
  check_slab(description(), slab, begin);
  for_each_band(
      description(), slab.shape(), begin, control,
      [&](const Band& band, std::int64_t z, std::int64_t y) {
        std::vector<std::uint8_t> tenths(static_cast<std::size_t>(band.pixels()));
        state_->scene->paint(band, Layer::image, tenths.data());
        visit(slab.type(), [&]<class T>(std::type_identity<T>) {
          state_->draw_band(
              band, tenths.data(),
              [&](std::int64_t row, std::int64_t column, const double* values, std::int64_t count) {
                std::transform(values, values + count, slab.mutable_row<T>(y + row, z) + column,
                               from_double<T>);
              });
        });
      });
}

void Phantom::fill_truth(Image& slab, std::int64_t begin, const Control& control) const {
  check_slab(truth_description(), slab, begin);
  for_each_band(description(), slab.shape(), begin, control,
                [&](const Band& band, std::int64_t z, std::int64_t y) {
                  std::vector<std::uint8_t> tenths(static_cast<std::size_t>(band.pixels()));
                  state_->scene->paint(band, Layer::truth, tenths.data());
                  for (std::int64_t row = 0; row < band.y_end - band.y_begin; ++row) {
                    const std::uint8_t* from = tenths.data() + row * band.width;
                    std::transform(
                        from, from + band.width, slab.mutable_row<std::uint8_t>(y + row, z),
                        [](std::uint8_t t) { return static_cast<std::uint8_t>(t > 0 ? 255 : 0); });
                  }
                });
}

Image Phantom::new_slab(Description part, std::int64_t begin, std::int64_t end) const {
  const int rank = part.shape.rank();
  const std::int64_t length = slab_axis(part.shape, rank);
  if (begin < 0 || end <= begin || end > length) {
    throw InvalidArgument(
        message("a slab from ", begin, " to ", end, " of a phantom whose length is ", length));
  }
  slab_axis(part.shape, rank) = end - begin;
  return Image::allocate(part);
}

Image Phantom::slab(std::int64_t begin, std::int64_t end, const Control& control) const {
  Image image = new_slab(description(), begin, end);
  fill(image, begin, control);
  return image;
}

Image Phantom::truth_slab(std::int64_t begin, std::int64_t end, const Control& control) const {
  Image image = new_slab(truth_description(), begin, end);
  fill_truth(image, begin, control);
  return image;
}

Image phantom(const PhantomOptions& options, const Control& control) {
  const Phantom generator(options);
  const Shape& shape = generator.description().shape;
  return generator.slab(0, shape.rank() == 3 ? shape.z : shape.y, control);
}

}  // namespace meander
