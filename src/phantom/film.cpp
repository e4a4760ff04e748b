// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/scene.hpp"

#include <algorithm>
#include <utility>

#include "core/message.hpp"
#include "phantom/blob.hpp"
#include "phantom/cells.hpp"
#include "phantom/noise/noise.hpp"

namespace meander::phantoms {
namespace {

constexpr std::int64_t least_pitch = 32;
constexpr double gap = 3.5;
constexpr std::int64_t most_labels = 65535;
constexpr std::int64_t least_blobs_with_fate = 4, least_frames_with_fate = 8;
constexpr std::int64_t blobs_per_fate = 20;
constexpr std::uint64_t index_of_fates = std::uint64_t{1} << 62;

Grid grid_of(const PhantomOptions& options) {
  const Shape frame{options.size.x, options.size.y, 1};
  if (options.size.z < 2) {
    throw InvalidArgument(message("size is ", to_string(options.size),
                                  " with kind film, expected frames too, as in 512x512x60"));
  }
  if (options.count) return grid_of_count(frame, *options.count, {least_pitch, frame.x});
  return grid_of_count(frame, 1, {least_pitch, usual_pitch});
}

/// Each as many of a random order; the first ones of it appear, the next vanish, the next divide.
std::vector<Fate> draw_fates(std::int64_t count, std::int64_t frames, std::uint64_t seed) {
  std::vector<Fate> fates(static_cast<std::size_t>(count), Fate::stays);
  if (count < least_blobs_with_fate || frames < least_frames_with_fate) return fates;
  const std::int64_t each = std::max<std::int64_t>(1, count / blobs_per_fate);
  UniformSequence uniforms(seed, index_of_fates, Purpose::geometry);
  for (const Fate fate : {Fate::appears, Fate::vanishes, Fate::divides}) {
    for (std::int64_t i = 0; i < each;) {
      const auto place = static_cast<std::size_t>(uniforms.next() * static_cast<double>(count));
      if (fates[place] != Fate::stays) continue;
      fates[place] = fate;
      ++i;
    }
  }
  return fates;
}

struct Actor {
  MovingBlob blob;
  std::int64_t label;
  std::int64_t label_of_halves;  ///< Of the first; 0 when it does not divide.
};

class FilmScene : public Scene {
 public:
  explicit FilmScene(const PhantomOptions& options)
      : grid_(grid_of(options)), count_(options.count.value_or(grid_.cell_count())) {
    if (count_ + 2 * std::max<std::int64_t>(1, count_ / blobs_per_fate) > most_labels) {
      throw InvalidArgument(message("a film of ", to_string(options.size), " has ", count_,
                                    " blobs, expected at most ", most_labels,
                                    " with the halves of those that divide; give count"));
    }
    fill_cells(options);
  }

  std::int64_t object_count() const override {
    return count_ + static_cast<std::int64_t>(parents_.size());
  }
  std::int64_t parent_of(std::int64_t label) const override {
    return label > count_ ? parents_[static_cast<std::size_t>(label - count_ - 1)] : 0;
  }

  std::vector<Region> regions(const Band& band, Layer) const override {
    const std::int64_t first = grid_.cells_before(grid_.y.at(band.y_begin), 0);
    const std::int64_t end = grid_.cells_before(grid_.y.at(band.y_end - 1) + 1, 0);
    std::vector<Region> found;
    for (std::int64_t i = first; i < std::min(end, count_); ++i) {
      const Actor& actor = actors_[static_cast<std::size_t>(i)];
      const bool is_divided = actor.blob.is_divided(band.z);
      std::int64_t label = is_divided ? actor.label_of_halves : actor.label;
      for (Polygon& outline : actor.blob.outlines(band.z)) {
        found.push_back({std::move(outline), tenths_of_target, label++});
      }
    }
    return found;
  }

 private:
  void fill_cells(const PhantomOptions& options) {
    const std::vector<Fate> fates = draw_fates(count_, options.size.z, options.seed);
    for (std::int64_t row = 0; row < grid_.y.count; ++row) {
      for (std::int64_t column = 0; column < grid_.cells_in_row(row, 0); ++column) {
        if (std::ssize(actors_) == count_) return;
        add({column, row, 0}, fates[actors_.size()], options);
      }
    }
  }

  void add(const Cell& cell, Fate fate, const PhantomOptions& options) {
    const Home home{grid_.centre_x(cell), grid_.centre_y(cell), static_cast<double>(grid_.x.pitch),
                    reach_of(grid_.x.pitch, gap), options.size.z};
    const UniformSequence uniforms(options.seed, grid_.draw_index(cell), Purpose::geometry);
    const std::int64_t label = std::ssize(actors_) + 1;
    const bool divides = fate == Fate::divides;
    actors_.push_back({MovingBlob(home, fate, uniforms), label, divides ? object_count() + 1 : 0});
    if (divides) parents_.insert(parents_.end(), 2, label);
  }

  Grid grid_;
  std::int64_t count_;
  std::vector<Actor> actors_;
  std::vector<std::int64_t> parents_;  ///< Of the labels behind those of all others.
};

}  // namespace

std::unique_ptr<Scene> film_scene(const PhantomOptions& options) {
  return std::make_unique<FilmScene>(options);
}

}  // namespace meander::phantoms
