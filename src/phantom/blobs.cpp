// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/blobs.hpp"

#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "phantom/blob.hpp"
#include "phantom/cells.hpp"
#include "phantom/noise/noise.hpp"
#include "phantom/touching.hpp"

namespace meander::phantoms {
namespace {

/// In smaller cells a blob may hold no pixel, and a ring may be open or have no hole.
constexpr std::int64_t least_pitch_of_blob = 8;
constexpr std::int64_t least_pitch_of_ring = 24;
constexpr std::int64_t least_pitch_of_pair = 16;
/// Draws of a pair, apart from those of its blobs.
constexpr std::uint64_t index_of_pairs = std::uint64_t{1} << 62;
/// More than the diagonal of a pixel: the pixels of two blobs do not touch by their corners either.
constexpr double gap_between_counted = 2;

/// Two side by side need a row of at least two cells.
Grid grid_of_pairs(const PhantomOptions& options) {
  const Shape& size = options.size;
  if (size.rank() == 3 || options.count.value_or(2) < 2) {
    throw InvalidArgument(message("touching was given for ", options.count.value_or(2),
                                  " blobs in ", to_string(size),
                                  ", expected at least 2 in a 2-D image"));
  }
  const std::int64_t most = options.count ? size.x / 2 : std::min(size.x / 2, usual_pitch);
  return grid_of_count(size, options.count.value_or(2), {least_pitch_of_pair, most});
}

Grid grid_of(const PhantomOptions& options) {
  if (options.touching) return grid_of_pairs(options);
  if (!options.count) return Grid(options.size);
  const bool is_ring = options.kind == PhantomKind::rings;
  const std::int64_t least = is_ring ? least_pitch_of_ring : least_pitch_of_blob;
  return grid_of_count(options.size, *options.count, {least, options.size.x});
}

class BlobScene : public Scene {
 public:
  explicit BlobScene(const PhantomOptions& options)
      : is_ring_(options.kind == PhantomKind::rings),
        is_touching_(options.touching),
        seed_(options.seed),
        grid_(grid_of(options)),
        count_(options.count.value_or(grid_.cell_count())),
        reach_(options.count || is_touching_ ? reach_of(grid_.x.pitch, gap_between_counted)
                                             : usual_reach) {}

  std::int64_t object_count() const override { return count_; }
  std::string_view without_outlines() const override {
    return is_ring_ ? "rings have holes, for which an outline has no place; "
                      "their mask, labels and regions are the truth"
                    : "";
  }

  std::vector<Region> regions(const Band& band, Layer) const override {
    const std::int64_t layer = grid_.z.at(band.z);
    std::vector<Region> found;
    const std::int64_t last = grid_.y.at(band.y_end - 1);
    for (std::int64_t row = grid_.y.at(band.y_begin); row <= last; ++row) {
      add_row(row, layer, band.z, found);
    }
    return found;
  }

 private:
  void add_row(std::int64_t row, std::int64_t layer, std::int64_t z,
               std::vector<Region>& found) const {
    const std::int64_t before = grid_.cells_before(row, layer);
    const std::int64_t columns = std::min(grid_.cells_in_row(row, layer), count_ - before);
    for (std::int64_t column = 0; column < columns; ++column) {
      const Cell cell{column, row, layer};
      if (is_touching_ && column + 1 < columns) {
        add_pair(cell, before + column + 1, found);
        ++column;
      } else {
        add_blob(cell, before + column + 1, z, found);
      }
    }
  }

  void add_blob(const Cell& cell, std::int64_t label, std::int64_t z,
                std::vector<Region>& found) const {
    const Blob blob = blob_in(cell);
    const double x = grid_.centre_x(cell), y = grid_.centre_y(cell);
    const auto pitch = static_cast<double>(grid_.x.pitch);
    const double scale = scale_in_slice(blob, cell.layer, z, 1);
    if (scale == 0) return;
    found.push_back({blob.outline(x, y, pitch, scale), tenths_of_target, label});
    const double hollow = is_ring_ ? scale_in_slice(blob, cell.layer, z, 0.5) : 0;
    if (hollow == 0) return;
    found.push_back({blob.hole(x, y, pitch, hollow), tenths_of_target, label});
  }

  void add_pair(const Cell& cell, std::int64_t label, std::vector<Region>& found) const {
    const Cell next{cell.column + 1, cell.row, cell.layer};
    const DoubleCell both{(grid_.centre_x(cell) + grid_.centre_x(next)) / 2, grid_.centre_y(cell),
                          static_cast<double>(grid_.x.pitch), reach_};
    auto [left, right] = touching_pair(
        blob_in(cell), blob_in(next), both,
        UniformSequence(seed_, index_of_pairs + grid_.draw_index(cell), Purpose::geometry));
    found.push_back({std::move(left), tenths_of_target, label});
    found.push_back({std::move(right), tenths_of_target, label + 1});
  }

  Blob blob_in(const Cell& cell) const {
    UniformSequence uniforms(seed_, grid_.draw_index(cell), Purpose::geometry);
    return Blob(uniforms, reach_);
  }

  /// Of the cut through a ball whose radius is `share` of the blob's.
  double scale_in_slice(const Blob& blob, std::int64_t layer, std::int64_t z, double share) const {
    if (grid_.z.pitch == 1) return 1;
    const auto pitch = static_cast<double>(grid_.z.pitch);
    const double centre = grid_.z.centre(static_cast<double>(layer)) + pitch * blob.shift[2];
    const double distance = (static_cast<double>(z) - centre) / (pitch * blob.radius * share);
    return std::sqrt(std::max(0.0, 1 - distance * distance));
  }

  bool is_ring_, is_touching_;
  std::uint64_t seed_;
  Grid grid_;
  std::int64_t count_;
  double reach_;
};

}  // namespace

std::unique_ptr<Scene> blob_scene(const PhantomOptions& options) {
  return std::make_unique<BlobScene>(options);
}

}  // namespace meander::phantoms
