// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/phantom.hpp"

#include <algorithm>

#include "contour/geometry/pixel_set.hpp"
#include "core/message.hpp"
#include "core/parallel_for.hpp"
#include "phantom/camera.hpp"
#include "phantom/noise/noise.hpp"
#include "phantom/scene.hpp"

namespace meander {

using namespace phantoms;

namespace {

constexpr std::int64_t band_pixels = std::int64_t{1} << 18;
constexpr std::int64_t band_rows = 64;
/// Between two cancel points: some ten milliseconds of the slowest noise on one core.
constexpr std::int64_t bands_at_a_time = 4;
constexpr std::int64_t run_length = 2048;
constexpr std::int64_t most_labels = 65535;

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
  bool is_film;
  Description description;
  PhantomLevels levels;
  PerTenth level_of;
  Light light;
  Blur blur;
  std::unique_ptr<NoiseModel> noise;
  std::unique_ptr<Scene> scene;

  explicit State(const PhantomOptions& options)
      : is_film(options.kind == PhantomKind::film),
        description(described(options)),
        levels(levels_of(options)),
        level_of(between(levels.background, levels.target)),
        light(options.size, options.shading),
        blur(options),
        noise(noise_model(options, levels)),
        scene(scene_of(options)) {}

  /// What a band shows before light and noise.
  struct Painting {
    std::vector<std::uint8_t> tenths;
    std::vector<double> levels;
  };

  Painting paint(const Band& band) const {
    const auto pixels = static_cast<std::size_t>(band.pixels());
    Painting painting{std::vector<std::uint8_t>(pixels), std::vector<double>(pixels)};
    auto& [tenths, shown] = painting;
    if (blur.radius() == 0) {
      scene->paint(band, Layer::image, tenths.data());
      for (std::size_t i = 0; i < pixels; ++i) shown[i] = level_of[tenths[i]];
      return painting;
    }
    blur.paint(*scene, band, shown.data());
    for (std::size_t i = 0; i < pixels; ++i) {
      tenths[i] = static_cast<std::uint8_t>(shown[i] + 0.5);
      shown[i] = level_at(shown[i], levels.background, levels.target);
    }
    return painting;
  }

  /// Draws runs of pixels that follow each other in memory order, across the ends of rows, and
  /// hands `f(row, column, values, count)` what falls into one row.
  template <class F>
  void draw_band(const Band& band, F&& f) const {
    const Painting painting = paint(band);
    const Shape& shape = description.shape;
    const std::int64_t first = (band.z * shape.y + band.y_begin) * shape.x;
    double values[run_length], factors[run_length];
    for (std::int64_t begin = 0; begin < band.pixels(); begin += run_length) {
      const std::int64_t end = std::min(begin + run_length, band.pixels());
      light.fill(band.y_begin * shape.x + begin, end - begin, factors);
      noise->draw(
          {painting.tenths.data() + begin, painting.levels.data() + begin, factors,
           static_cast<std::uint64_t>(first + begin), static_cast<std::size_t>(end - begin)},
          values);
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

Description Phantom::truth_description() const {
  Description truth = description();
  truth.type = PixelType::u8;
  return truth;
}

void Phantom::fill(Image& slab, std::int64_t begin, const Control& control) const {
  check_slab(description(), slab, begin);
  for_each_band(description(), slab.shape(), begin, control,
                [&](const Band& band, std::int64_t z, std::int64_t y) {
                  visit(slab.type(), [&]<class T>(std::type_identity<T>) {
                    state_->draw_band(band, [&](std::int64_t row, std::int64_t column,
                                                const double* values, std::int64_t count) {
                      std::transform(values, values + count,
                                     slab.mutable_row<T>(y + row, z) + column, from_double<T>);
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

Description Phantom::labels_description() const {
  const std::int64_t count = state_->scene->object_count();
  if (count == 0) throw Unsupported("only blobs, rings and films have labels");
  if (count > most_labels) {
    throw Unsupported(message(count, " objects have no labels, expected at most ", most_labels));
  }
  Description labels = description();
  labels.type = PixelType::u16;
  return labels;
}

void Phantom::fill_labels(Image& slab, std::int64_t begin, const Control& control) const {
  check_slab(labels_description(), slab, begin);
  for_each_band(description(), slab.shape(), begin, control,
                [&](const Band& band, std::int64_t z, std::int64_t y) {
                  std::vector<std::uint16_t> labels(static_cast<std::size_t>(band.pixels()));
                  rasterise_labels(state_->scene->regions(band, Layer::truth), band, labels.data());
                  for (std::int64_t row = 0; row < band.y_end - band.y_begin; ++row) {
                    std::copy_n(labels.data() + row * band.width, band.width,
                                slab.mutable_row<std::uint16_t>(y + row, z));
                  }
                });
}

std::vector<Polygon> Phantom::outlines() const {
  const Shape& shape = description().shape;
  const std::string_view reason = state_->scene->without_outlines();
  if (!reason.empty()) throw Unsupported(std::string(reason));
  if (shape.rank() == 3) {
    throw Unsupported(message("a volume of ", to_string(shape),
                              " has no outlines, expected a 2-D image; its mask is the truth"));
  }
  std::vector<Polygon> polygons;
  for (auto& region : state_->scene->regions({shape.x, 0, 0, shape.y}, Layer::truth)) {
    polygons.push_back(std::move(region.outline));
  }
  return polygons;
}

std::vector<LabelledRegion> Phantom::regions(std::int64_t z) const {
  labels_description();  // refuses what has none
  const Shape& shape = description().shape;
  if (z < 0 || z >= shape.z) {
    throw InvalidArgument(message("slice ", z, " was asked for, expected 0 to ", shape.z - 1));
  }
  std::vector<LabelledRegion> objects;
  for (auto& region : state_->scene->regions({shape.x, z, 0, shape.y}, Layer::truth)) {
    if (objects.empty() || objects.back().label != region.label) {
      objects.push_back({region.label, {std::move(region.outline), {}}});
    } else {
      objects.back().region.holes.push_back(std::move(region.outline));
    }
  }
  std::ranges::stable_sort(objects, {}, &LabelledRegion::label);
  return objects;
}

std::int64_t Phantom::object_count() const { return state_->scene->object_count(); }

std::vector<PhantomTrack> Phantom::tracks() const {
  if (!state_->is_film) throw Unsupported("only films have tracks");
  std::vector<PhantomTrack> tracks;
  for (std::int64_t frame = 0; frame < description().shape.z; ++frame) {
    for (const auto& [label, region] : regions(frame)) {
      const auto [x, y] = contour::centroid_of(Curve{.points = region.outer.vertices});
      tracks.push_back(
          {frame, label, state_->scene->parent_of(label), x, y, region.outer.signed_area()});
    }
  }
  return tracks;
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

Image Phantom::labels_slab(std::int64_t begin, std::int64_t end, const Control& control) const {
  Image image = new_slab(labels_description(), begin, end);
  fill_labels(image, begin, control);
  return image;
}

Image phantom(const PhantomOptions& options, const Control& control) {
  const Phantom generator(options);
  const Shape& shape = generator.description().shape;
  return generator.slab(0, shape.rank() == 3 ? shape.z : shape.y, control);
}

}  // namespace meander
