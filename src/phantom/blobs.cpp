// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "phantom/blob.hpp"
#include "phantom/cells.hpp"
#include "phantom/noise/elementary.hpp"
#include "phantom/noise/noise.hpp"
#include "phantom/scene.hpp"

namespace meander::phantoms {
namespace {

/// Two blobs that share a straight piece of their outlines, left and right of it.
struct TouchingPair {
  Polygon left, right;
};

/// Two cells side by side, in pixels but for `reach`, which is in cells as a single blob's.
struct DoubleCell {
  double x, y;  ///< Its middle, where the two meet.
  double pitch;
  double reach;
};

/// Half the length of what they share, of the smaller radius.
constexpr double half_share = 0.4;
constexpr double most_tilt = 1.0 / 16;  // of a full turn

double cross(const Point& a, const Point& b) { return a.x * b.y - a.y * b.x; }

Point direction(double turns) {
  const auto [sine, cosine] = sine_cosine_of_turns(turns);
  return {cosine, sine};
}

/// One of the two; lengths in cells, points from the middle of what they share.
struct Half {
  const Blob& blob;
  double facing;  ///< The turns at which it sees the other.
  double radius;  ///< There.
  Point centre{};

  Half(const Blob& blob_, double facing_)
      : blob(blob_), facing(facing_), radius(blob_.radius_at(facing_)) {}

  void move_from(double half_length) {
    centre = -std::sqrt(radius * radius - half_length * half_length) * direction(facing);
  }

  /// From the far side, so that the other blob is met half way.
  template <class F>
  void for_each_vertex(F&& f) const {
    for (int i = 0; i < vertices_of_blob; ++i) {
      const double turns = facing + 0.5 + static_cast<double>(i) / vertices_of_blob;
      f(centre + blob.radius_at(turns) * direction(turns), 2 * i <= vertices_of_blob);
    }
  }
};

struct Box {
  Point low{0, 0}, high{0, 0};
  void add(const Point& point) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y)};
  }
};

/// From cells about what they share to pixels of the image.
struct Place {
  Point middle;
  double scale;
  Point in_image(const Point& point) const { return middle + scale * point; }
  GridPoint grid_point(const Point& point) const {
    const Point there = in_image(point);
    return on_grid(there.x, there.y);
  }
};

/// Anywhere in the cell, smaller when it would be too large.
Place place_in(const DoubleCell& cell, const Box& box, UniformSequence& uniforms) {
  const Point room{1 + 2 * cell.reach, 2 * cell.reach};
  const Point size = box.high - box.low;
  const double scale = std::min({1.0, room.x / size.x, room.y / size.y});
  const Point slack = room - scale * size;
  const double u = uniforms.next(), v = uniforms.next();
  const Point corner = Point{u * slack.x, v * slack.y} - 0.5 * room;
  return {Point{cell.x, cell.y} + cell.pitch * (corner - scale * box.low), cell.pitch * scale};
}

/// Vertices on the other side of the line from `first` to `second`, or seen from the centre between
/// them, give way to these two. What is left goes round the centre once, so it is simple.
Polygon cut(const Half& half, const Place& place, const GridPoint& first, const GridPoint& second) {
  const Point centre = place.in_image(half.centre), a = in_pixels(first), b = in_pixels(second);
  Polygon polygon;
  bool is_joined = false;
  half.for_each_vertex([&](const Point& point, bool comes_before) {
    if (!comes_before && !is_joined) {
      polygon.vertices.insert(polygon.vertices.end(), {first, second});
      is_joined = true;
    }
    const GridPoint vertex = place.grid_point(point);
    const Point v = in_pixels(vertex);
    const bool is_beyond = cross(b - a, v - a) <= 0;
    const bool is_between =
        cross(a - centre, v - centre) >= 0 && cross(v - centre, b - centre) >= 0;
    if (!is_beyond && !is_between) polygon.vertices.push_back(vertex);
  });
  return polygon;
}

/// Where the piece lies and how it leans is drawn; the blobs' own shifts are not used. The piece is
/// one edge of both, each polygon stays on its side of it, so no pixel belongs to both and none
/// between them to neither.
TouchingPair touching_pair(const Blob& left_blob, const Blob& right_blob, const DoubleCell& cell,
                           UniformSequence uniforms) {
  const double tilt = most_tilt * (2 * uniforms.next() - 1);
  Half left(left_blob, tilt), right(right_blob, tilt + 0.5);
  const double half_length = half_share * std::min(left.radius, right.radius);
  left.move_from(half_length);
  right.move_from(half_length);
  Box box;
  for (const Half& half : {left, right}) {
    half.for_each_vertex([&](const Point& point, bool) { box.add(point); });
  }
  const Place place = place_in(cell, box, uniforms);
  const Point along = half_length * direction(tilt + 0.25);
  const GridPoint first = place.grid_point(-1 * along), second = place.grid_point(along);
  return {cut(left, place, first, second), cut(right, place, second, first)};
}

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
