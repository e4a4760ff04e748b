// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/smooth/slabs.hpp"

#include "core/image_state.hpp"
#include "engine/ghost.hpp"
#include "filter/check.hpp"

namespace meander {

Description SlabAxis::with_length(Description description, std::int64_t length) const {
  (axis == 2 ? description.shape.z : description.shape.y) = length;
  return description;
}

Image SlabAxis::part(const Image& slab, std::int64_t begin, std::int64_t end) const {
  return axis == 2 ? slab.slices(begin, end) : slab.rows(begin, end);
}

namespace {

/// Whether the run could take the pixel at its end; takes it then.
bool extend(GhostRun& run, std::int64_t pixel) {
  const bool constant = pixel < 0;
  if (constant != run.constant) return false;
  const bool single = run.count() == 1;
  if (constant || (pixel == run.end && (run.ascending || single))) {
    run.ascending = true;
    ++run.end;
    return true;
  }
  if (pixel == run.begin - 1 && (!run.ascending || single)) {
    run.ascending = false;
    --run.begin;
    return true;
  }
  return false;
}

}  // namespace

std::vector<GhostRun> ghost_runs(std::int64_t first, int step, std::int64_t count,
                                 std::int64_t length, Border border, std::int64_t most) {
  std::vector<GhostRun> runs;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t pixel =
        engine::ghost_index(first + step * i, length, static_cast<int>(border));
    const bool full = runs.empty() || runs.back().count() == most;
    if (!full && extend(runs.back(), pixel)) continue;
    runs.push_back({.begin = pixel, .end = pixel + 1, .constant = pixel < 0});
  }
  return runs;
}

SlabLayers::SlabLayers(const SmoothStream& stream, const SmoothDesign& design,
                       const BorderRule& border, const Device& device)
    : stream_(stream),
      design_(design),
      border_(border),
      device_(device),
      along_(stream.image.shape),
      normaliser_(device, design.output.type, design.normalised ? least_weight(design) : 1) {}

PixelType SlabLayers::type() const {
  return design_.normalised ? design_.output.type : readable_type(design_.input.type);
}

BorderRule SlabLayers::border_of(int layer) const {
  return layer == 0 ? border_ : border_of_weights(border_);
}

Image SlabLayers::image(std::int64_t begin, std::int64_t end) const {
  const Image slab = stream_.read(begin, end);
  const Description expected = along_.with_length(stream_.image, end - begin);
  if (slab.shape() != expected.shape || slab.channels() != expected.channels ||
      slab.type() != expected.type) {
    throw InvalidArgument("a slab was read that is not as the image was described");
  }
  return device_.upload(slab);
}

void SlabLayers::set_mask(std::int64_t begin, std::int64_t end) {
  if (!stream_.read_mask) return;
  const Image mask = stream_.read_mask(begin, end);
  check_mask(along_.with_length(stream_.image, end - begin), mask.description());
  normaliser_.set_mask(device_.upload(mask));
}

std::vector<Image> SlabLayers::read(std::int64_t begin, std::int64_t end) {
  const Image slab = image(begin, end);
  if (!design_.normalised) return {readable(slab)};
  Description description = slab.description();
  description.type = design_.output.type;
  set_mask(begin, end);
  std::vector<Image> layers{device_.allocate(description), device_.allocate(description)};
  normaliser_.weigh(slab, layers[0], layers[1]);
  return layers;
}

void SlabLayers::place(const GhostRun& run, std::int64_t at, std::vector<Image>& into) {
  engine::Backend& backend = device_.backend();
  const auto copy = [&](const engine::View& from, int layer, std::int64_t begin,
                        std::int64_t count) {
    const Image to = along_.part(into[static_cast<std::size_t>(layer)], begin, begin + count);
    backend.convert(from, to.state().view, {});
  };
  if (run.constant) {
    for (int layer = 0; layer < count(); ++layer) {
      const Description& slab = into[static_cast<std::size_t>(layer)].description();
      copy(constant_view(device_, slab.type, border_of(layer).value,
                         along_.with_length(slab, run.count()).shape, slab.channels),
           layer, at, run.count());
    }
    return;
  }
  const std::vector<Image> piece = read(run.begin, run.end);
  for (int layer = 0; layer < count(); ++layer) {
    const Image& from = piece[static_cast<std::size_t>(layer)];
    if (run.ascending) copy(from.state().view, layer, at, run.count());
    for (std::int64_t i = 0; i < run.count() && !run.ascending; ++i) {
      const std::int64_t last = run.count() - 1 - i;
      copy(along_.part(from, last, last + 1).state().view, layer, at + i, 1);
    }
  }
}

std::vector<Image> SlabLayers::read_beyond(std::int64_t begin, std::int64_t end,
                                           std::int64_t most) {
  const std::int64_t length = length_along(design_.input.shape, along_.axis);
  if (begin >= 0 && end <= length) return read(begin, end);
  const auto runs = ghost_runs(begin, 1, end - begin, length, border_.kind, most);
  Description description = along_.with_length(design_.input, end - begin);
  // A constant beyond the border need not be a number that the image's pixels can hold.
  description.type = border_.kind == Border::constant ? design_.output.type : type();
  std::vector<Image> whole;
  for (int layer = 0; layer < count(); ++layer) whole.push_back(device_.allocate(description));
  std::int64_t at = 0;
  for (const GhostRun& run : runs) {
    place(run, at, whole);
    at += run.count();
  }
  return whole;
}

void SlabLayers::divide(std::int64_t begin, std::int64_t end, const Image& values,
                        const Image& weights, Nonfinite nonfinite) {
  set_mask(begin, end);
  normaliser_.divide(image(begin, end), values, weights, nonfinite);
}

}  // namespace meander
