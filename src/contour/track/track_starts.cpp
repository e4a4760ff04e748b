// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/track/track_starts.hpp"

namespace meander::contour {
namespace {

/// The image and half a pixel around it.
bool lies_within(const Region& region, const Shape& image) {
  constexpr std::int64_t half = grid_steps_per_pixel / 2;
  for (const GridPoint& vertex : region.outer.vertices) {
    if (vertex.x < -half || vertex.x > image.x * grid_steps_per_pixel - half) return false;
    if (vertex.y < -half || vertex.y > image.y * grid_steps_per_pixel - half) return false;
  }
  return true;
}

}  // namespace

bool TrackStarts::add(const Region& wanted, const Region* other) {
  const PixelSet pixels = pixels_of(wanted, image_);
  const PixelSet free = free_pixels(pixels);
  if (add_if_free(wanted, pixels, free)) return true;
  if (other != nullptr) {
    const PixelSet of_other = pixels_of(*other, image_);
    if (add_if_free(*other, of_other, free_pixels(of_other))) return true;
  }
  const auto part = largest_part(free);
  if (!part) return false;
  PixelSet left = pixels_of(*part, image_);
  // Filled holes may hold what is in the way.
  if (free_pixels(left).runs != left.runs || 2 * left.count() < pixels.count()) return false;
  push(*part, std::move(left));
  return true;
}

std::optional<std::size_t> TrackStarts::nearest(const PixelSet& pixels) const {
  std::optional<std::size_t> best;
  std::int64_t most = 0;
  for (const std::size_t start : index_.near(pixels.box())) {
    const std::int64_t common = count_common(pixels, pixels_[start]);
    if (common > most) best = start, most = common;
  }
  return best;
}

PixelSet TrackStarts::free_pixels(const PixelSet& pixels) const {
  PixelSet free = pixels;
  for (const std::size_t near : index_.near(pixels.box())) free = without(free, around_[near]);
  return free;
}

bool TrackStarts::add_if_free(const Region& region, const PixelSet& pixels, const PixelSet& free) {
  const bool is_all = pixels.count() == image_.x * image_.y;
  if (pixels.runs.empty() || is_all || free.runs != pixels.runs) return false;
  if (!lies_within(region, image_)) return false;
  push(region, pixels);
  return true;
}

void TrackStarts::push(const Region& region, PixelSet pixels) {
  around_.push_back(grown(pixels, image_));
  index_.add(around_.back().box(), regions_.size());
  regions_.push_back(region);
  pixels_.push_back(std::move(pixels));
}

}  // namespace meander::contour
