// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>

#include "phantom/elementary.hpp"
#include "phantom/noise.hpp"
#include "phantom/philox.hpp"
#include "phantom/shapes.hpp"

namespace meander::phantoms {
namespace {

constexpr int vertices_of_blob = 48;

/// Cells of equal size along one axis, as many as fit, the rest shared by both ends.
struct Cells {
  std::int64_t pitch;
  std::int64_t count;
  double margin;
  Cells(std::int64_t length, std::int64_t pitch_)
      : pitch(pitch_),
        count(length / pitch_),
        margin(static_cast<double>(length - count * pitch_) / 2 - 0.5) {}
  /// Centre of a cell in pixels; indices may be halves.
  double centre(double index) const { return margin + static_cast<double>(pitch) * (index + 0.5); }
};

struct Grid {
  Cells x, y, z;
  explicit Grid(const Shape& shape)
      : x(shape.x, std::min({std::int64_t{64}, shape.x, shape.y})),
        y(shape.y, x.pitch),
        z(shape.z, std::min(std::int64_t{64}, shape.z)) {}
  bool is_shifted(std::int64_t row, std::int64_t layer) const {
    return (row + layer) % 2 == 1 && x.count > 1;
  }
};

/// Lengths in cells. Radius times wobble plus shift stays below 0.48, so neighbours cannot touch.
struct Blob {
  double radius;
  double wobble[2], phase[2];  // of the second and the third harmonic
  double shift[3];

  explicit Blob(UniformSequence uniforms) {
    radius = 0.24 + 0.12 * uniforms.next();
    for (int h = 0; h < 2; ++h) {
      wobble[h] = (h == 0 ? 0.12 : 0.06) * uniforms.next();
      phase[h] = uniforms.next();
    }
    const double room = 0.48 - radius * (1 + wobble[0] + wobble[1]);
    for (double& s : shift) s = room * (2 * uniforms.next() - 1);
  }

  double radius_at(double turns) const {
    double relative = 1;
    for (int h = 0; h < 2; ++h) {
      relative += wobble[h] * sine_cosine_of_turns((h + 2) * turns + phase[h]).cosine;
    }
    return radius * relative;
  }

  /// `scale` shrinks the outline in slices beside the centre.
  Polygon outline(double x, double y, double pitch, double scale) const {
    Polygon polygon;
    for (int i = 0; i < vertices_of_blob; ++i) {
      const double turns = static_cast<double>(i) / vertices_of_blob;
      const auto [sine, cosine] = sine_cosine_of_turns(turns);
      const double r = scale * radius_at(turns);
      polygon.vertices.push_back(
          on_grid(x + pitch * (shift[0] + r * cosine), y + pitch * (shift[1] + r * sine)));
    }
    return polygon;
  }
};

double scale_in_slice(const Blob& blob, const Cells& cells, std::int64_t layer, std::int64_t z) {
  if (cells.pitch == 1) return 1;
  const auto pitch = static_cast<double>(cells.pitch);
  const double centre = cells.centre(static_cast<double>(layer)) + pitch * blob.shift[2];
  const double distance = (static_cast<double>(z) - centre) / (pitch * blob.radius);
  return std::sqrt(std::max(0.0, 1 - distance * distance));
}

void add_row_of_blobs(const Canvas& canvas, const Grid& grid, std::int64_t row, std::int64_t layer,
                      std::int64_t z, std::vector<Region>& regions) {
  const bool shifted = grid.is_shifted(row, layer);
  for (std::int64_t column = 0; column < grid.x.count - (shifted ? 1 : 0); ++column) {
    const std::int64_t index = (layer * grid.y.count + row) * grid.x.count + column;
    const Blob blob(
        UniformSequence(canvas.seed, static_cast<std::uint64_t>(index), Purpose::geometry));
    const double scale = scale_in_slice(blob, grid.z, layer, z);
    if (scale == 0) continue;
    const double x = grid.x.centre(static_cast<double>(column) + (shifted ? 0.5 : 0.0));
    const double y = grid.y.centre(static_cast<double>(row));
    regions.push_back(
        {blob.outline(x, y, static_cast<double>(grid.x.pitch), scale), tenths_of_target});
  }
}

std::int64_t cell_at(const Cells& cells, std::int64_t pixel) {
  const double index =
      (static_cast<double>(pixel) - cells.margin) / static_cast<double>(cells.pitch);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(index)), 0, cells.count - 1);
}

}  // namespace

std::vector<Region> blobs(const Canvas& canvas, const Band& band, Layer) {
  const Grid grid(canvas.shape);
  const std::int64_t layer = cell_at(grid.z, band.z);
  std::vector<Region> regions;
  const std::int64_t last = cell_at(grid.y, band.y_end - 1);
  for (std::int64_t row = cell_at(grid.y, band.y_begin); row <= last; ++row) {
    add_row_of_blobs(canvas, grid, row, layer, band.z, regions);
  }
  return regions;
}

}  // namespace meander::phantoms
