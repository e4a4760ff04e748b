// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/detect/detect.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <tuple>

#include "contour/detect/spots.hpp"
#include "contour/geometry/pixel_set.hpp"
#include "core/parallel_for.hpp"

namespace meander::contour {
namespace {

/// Along the shorter side of the scale on which backgrounds are compared, less than this.
constexpr std::int64_t most_along = 256;

/// A Gaussian of one cell takes the mean of so many independent ones, squared.
double smoothing() { return std::sqrt(4 * std::numbers::pi); }

/// An image at all scales, without its background.
class ScaleStack {
 public:
  ScaleStack(const Image& image, const FindingConstants& constants, const Control& control)
      : constants_(constants), control_(control) {
    ScaleImage finest = means_over_blocks(image, finest_block(image.shape()));
    parallel_for(2, [&](std::int64_t task) {
      if (task == 0) pixel_noise_ = noise_of_pixels(image, finest);
      if (task == 1) white_ = noise_of(finest);
    });
    const double pixels = static_cast<double>(finest.size() * finest.block * finest.block);
    cost_ = {std::log(pixels), pixel_noise_.correlation >= constants.smoothed};
    // Its place is known no better than the noise is fine.
    if (cost_.is_ellipse) cost_.place -= std::log(pixel_noise_.correlation);
    choose_background(finest);
    background_.take_off(finest.cells, finest.columns, finest.rows);
    scales_.push_back(std::move(finest));
    while (may_be_halved(scales_.back())) scales_.push_back(coarser(scales_.back()));
    for (ScaleImage& scale : scales_) smooth(scale);
    control_.step(0);
    std::vector<double> noise(2 * scales_.size());
    parallel_for(static_cast<std::int64_t>(noise.size()), [&](std::int64_t task) {
      const auto i = static_cast<std::size_t>(task);
      noise[i] = smooth_noise_at(scales_[i / 2], i % 2 == 0 ? 1.0F : -1.0F, this->finest().block);
    });
    for (const std::size_t dark : {std::size_t{0}, std::size_t{1}}) {
      noise_.push_back(noise_at_scales(noise, dark));
    }
  }

  const BackgroundSurface& background() const { return background_; }
  const PixelNoise& pixel_noise() const { return pixel_noise_; }
  bool is_uneven() const { return background_.range() > white_ / 2; }
  const ScaleImage& finest() const { return scales_.front(); }

  /// Objects of all scales and of the polarities asked for, the best first, none over another.
  Spots spots(const FindingBounds& bounds) const {
    const std::size_t count = scales_.size();
    // What is found may be smaller than what is outlined in the end.
    const double least_area =
        bounds.least_area.value_or(least_area_in(pixel_noise_, constants_)) / 2;
    const double least_contrast = bounds.least_contrast * pixel_noise_.deviation;
    std::vector<std::optional<Components>> components(2 * count);
    parallel_for(static_cast<std::int64_t>(2 * count), [&](std::int64_t task) {
      const auto i = static_cast<std::size_t>(task);
      const Polarity polarity = i % 2 == 0 ? Polarity::bright : Polarity::dark;
      if (bounds.polarity != Polarity::both && bounds.polarity != polarity) return;
      const std::size_t number = i / 2;
      const ScaleImage& scale = scales_[number];
      const auto pixels = static_cast<double>(scale.block * scale.block);
      components[i].emplace(scale, i % 2 == 0 ? 1.0F : -1.0F, noise_[i % 2][number], constants_,
                            cost_, std::max(constants_.fewest_cells, least_area / pixels),
                            least_contrast);
    });
    struct Part {
      std::size_t scale, number;
    };
    std::vector<Part> parts;
    for (std::size_t i = 0; i < 2 * count; ++i) {
      const std::size_t of_scale = components[i] ? components[i]->parts.size() : 0;
      for (std::size_t k = 0; k < of_scale; ++k) parts.push_back({i, k});
    }
    std::vector<Spots> of_part(parts.size());
    parallel_for(static_cast<std::int64_t>(parts.size()), [&](std::int64_t task) {
      const auto i = static_cast<std::size_t>(task);
      of_part[i] = spots_of(*components[parts[i].scale], parts[i].number);
    });
    std::vector<Spots> found(2 * count);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::move(of_part[i].begin(), of_part[i].end(), std::back_inserter(found[parts[i].scale]));
    }
    std::vector<std::int32_t> map(scales_.front().cells.size(), 0);
    Spots all;
    for (const std::size_t dark : {std::size_t{0}, std::size_t{1}}) {
      Spots best;
      for (std::size_t i = 0; i < count; ++i) {
        control_.step(0);
        best = better(std::move(best), std::move(found[2 * i + dark]), finest(), map);
      }
      std::move(best.begin(), best.end(), std::back_inserter(all));
    }
    return side_by_side(std::move(all), finest(), map);
  }

 private:
  /// At least what the numbers of a float can tell.
  static double noise_of(const ScaleImage& finest) {
    const auto [low, high] = std::minmax_element(finest.cells.begin(), finest.cells.end());
    const double range = low == finest.cells.end() ? 0 : static_cast<double>(*high - *low);
    constexpr double part = 1e-6;
    return std::max({white_noise(finest.cells, finest.columns, finest.rows), part * range, 1e-30});
  }

  /// Of the finest cells where these are pixels, else of a part of the image.
  static PixelNoise noise_of_pixels(const Image& image, const ScaleImage& finest) {
    if (finest.block == 1) return contour::pixel_noise(finest.cells, finest.columns, finest.rows);
    constexpr std::int64_t bands = 16;
    const ScaleImage part = means_over_blocks(image, 1, bands);
    return contour::pixel_noise(part.cells, part.columns, part.rows);
  }

  double smooth_noise_at(const ScaleImage& scale, float sign, std::int64_t finest) const {
    const double blocks = static_cast<double>(scale.block) / static_cast<double>(finest);
    return std::max(white_ / blocks / smoothing(), smooth_noise(scale, sign));
  }

  /// From the noise of each smoothed scale, for bright and for dark objects.
  std::vector<ScaleNoise> noise_at_scales(const std::vector<double>& smooth,
                                          std::size_t dark) const {
    std::vector<ScaleNoise> noise;
    for (std::size_t i = dark; i < smooth.size(); i += 2) noise.push_back({smooth[i], {}});
    // Cells side by side may share noise that those of the next scale do not.
    for (std::size_t i = 0; i + 1 < noise.size(); ++i) {
      const auto pixels = static_cast<double>(scales_[i].block * scales_[i].block);
      if (i > 0 && pixels >= pixel_noise_.correlation) break;
      noise[i].smooth = std::max(noise[i].smooth, 2 * noise[i + 1].smooth);
    }
    for (std::size_t i = 0; i < noise.size(); ++i) {
      double most = 0, blocks = 1;
      for (std::size_t k = i; k < noise.size(); ++k, blocks *= 2) {
        most = std::max(most, noise[k].smooth * smoothing() * blocks);
        noise[i].cell.push_back(most);
      }
    }
    return noise;
  }

  /// The number of tiles with which the description is shortest: that of cells that are neither
  /// background nor of an object's level, of the objects, and of the tiles.
  void choose_background(const ScaleImage& finest) {
    ScaleImage fine = may_be_halved(finest) ? coarser(finest) : finest;
    // Cells that have noise of their own: among others no level is frequent.
    const auto pixels = [&] {
      const std::int64_t factor = fine.block / finest.block;
      return static_cast<double>(factor * factor);
    };
    while (pixels() < pixel_noise_.correlation && may_be_halved(fine)) fine = coarser(fine);
    smooth(fine);
    const double noise = smooth_noise(fine, 1);
    const auto surface = [&](int tiles) {
      return BackgroundSurface(fine.smooth, fine.columns, fine.rows, noise, tiles);
    };
    ScaleImage coarse = fine;
    while (std::min(coarse.columns, coarse.rows) >= most_along) coarse = coarser(coarse);
    std::size_t choices = 1;
    for (int tiles = 2; tiles <= most_tiles; tiles *= 2, ++choices) {
      if (std::min(coarse.columns, coarse.rows) < fewest_along * tiles / 2) break;
    }
    control_.step(0);
    std::vector<Rest> rests(choices);
    parallel_for(static_cast<std::int64_t>(choices), [&](std::int64_t task) {
      // The longest first.
      const std::size_t i = choices - 1 - static_cast<std::size_t>(task);
      rests[i] = rest_without(surface(1 << i), coarse, finest.block);
    });
    control_.step(0);
    double least_noise = rests[0].noise, least = 0;
    for (const Rest& rest : rests) least_noise = std::min(least_noise, rest.noise);
    for (Rest& rest : rests) {
      const double length = rest.length + rest.unexplained(least_noise);
      if (&rest == rests.data() || length < least) {
        least = length;
        background_ = std::move(rest.background);
      }
    }
  }

  struct Rest {
    BackgroundSurface background;
    double noise = 0;          ///< Of a cell.
    double length = 0;         ///< Of the description of objects and tiles.
    std::vector<float> cells;  ///< Less the level of the background or of their object.

    double unexplained(double cell_noise) const {
      // What is three noise levels away is something else, however far away.
      constexpr double most = 4.5;
      double sum = 0;
      for (const float cell : cells) {
        const double level = static_cast<double>(cell) / cell_noise;
        sum += std::min(level * level / 2, most);
      }
      return sum;
    }
  };

  Rest rest_without(BackgroundSurface background, const ScaleImage& coarse,
                    std::int64_t finest) const {
    ScaleImage scale = coarse;
    background.take_off(scale.cells, scale.columns, scale.rows);
    smooth(scale);
    Rest rest{.background = background,
              .noise = 1e300,
              .length = cost_.place / 2 * background.tiles() * background.tiles(),
              .cells = scale.cells};
    // What the border of the image cuts in half is no background either.
    FindingConstants any = constants_;
    any.frame = std::numeric_limits<double>::infinity();
    any.borders = 4;
    // And its shape says nothing.
    any.shape = 0;
    for (const float sign : {1.0F, -1.0F}) {
      const double noise = smooth_noise_at(scale, sign, finest);
      rest.noise = std::min(rest.noise, noise * smoothing());
      const ScaleNoise at_scale{noise, {noise * smoothing()}};
      for (const Candidate& object :
           best_components({scale, sign, at_scale, any, cost_, constants_.fewest_cells})) {
        rest.length += cost_.place + object.sides * constants_.side;
        double sum = 0;
        for (const std::int32_t cell : object.cells)
          sum += static_cast<double>(scale.cells[static_cast<std::size_t>(cell)]);
        const auto mean = static_cast<float>(sum / static_cast<double>(object.cells.size()));
        for (const std::int32_t cell : object.cells) {
          rest.cells[static_cast<std::size_t>(cell)] =
              scale.cells[static_cast<std::size_t>(cell)] - mean;
        }
      }
    }
    return rest;
  }

  Spots spots_of(Components& components, std::size_t part) const {
    const ScaleImage& scale = components.image;
    const float sign = components.sign;
    Spots spots;
    for (const Candidate& candidate : best_components(components, part)) {
      // A hole that does not pay for its place.
      const double least_hole =
          2 * cost_.place * white_ * white_ / (candidate.contrast * candidate.contrast);
      Spot spot = spot_of(candidate, scale, finest(), sign, least_hole, constants_);
      if (spot.cells == 0) continue;
      spot.background = static_cast<double>(sign) * background_for(candidate);
      double sum = 0;
      for_cells(spot, finest(),
                [&](std::size_t cell) { sum += static_cast<double>(finest().cells[cell]); });
      const double height = static_cast<double>(sign) * sum / static_cast<double>(spot.cells);
      const double contrast = height - candidate.around;
      // A gap between objects is as high as the background, and texture stands on its object.
      const bool is_object = contrast > 0 && height > constants_.pedestal * contrast &&
                             contrast > constants_.pedestal * height;
      if (!is_object) continue;
      // In cells of the finest scale, for all scales alike.
      const std::int64_t factor = scale.block / finest().block;
      const double sides = candidate.sides * static_cast<double>(factor);
      const auto saved = [&](double fit) {
        return std::max(1e-3, saved_by(static_cast<double>(spot.cells), contrast, sides, fit,
                                       white_, cost_, constants_));
      };
      spot.saved = saved(1), spot.saved_with_fit = saved(candidate.fit);
      spots.push_back(std::move(spot));
    }
    return spots;
  }

  /// The level with which a candidate's mean has its outline between them, halfway. In noise that
  /// is where an edge is best told. Where noise is low its foot is seen, and whoever draws an
  /// outline by hand draws it there; half of a convex object that is blurred lies within it as
  /// well.
  double background_for(const Candidate& candidate) const {
    const double ratio = candidate.contrast / white_ / constants_.clear_contrast;
    const double level = constants_.level + (0.5 - constants_.level) / (1 + ratio * ratio);
    return candidate.around - (1 - 2 * level) * candidate.contrast;
  }

  const FindingConstants constants_;
  const Control& control_;
  double white_ = 0;  ///< Noise of a cell of the finest scale.
  PixelNoise pixel_noise_;
  ObjectCost cost_;
  BackgroundSurface background_;
  std::vector<ScaleImage> scales_;              ///< From the finest.
  std::vector<std::vector<ScaleNoise>> noise_;  ///< For bright and for dark objects, by scale.
};

/// Differences of neighbours have twice the variance of independent pixels. Decided by most of the
/// cells of objects: a hot pixel in one of them says nothing about the others.
bool scatters_by_noise(const Spots& spots, const ScaleImage& finest) {
  double by_noise = 0, all = 0;
  for (const Spot& spot : spots) {
    double sum = 0, squares = 0, between = 0, pairs = 0;
    for (const CellRun& run : spot.runs) {
      const float* row = finest.cells.data() + run.row * finest.columns;
      for (std::int64_t x = run.begin; x < run.end; ++x) {
        const auto level = static_cast<double>(row[x]);
        sum += level, squares += level * level;
        if (x == run.begin) continue;
        const double step = level - static_cast<double>(row[x - 1]);
        between += step * step, pairs += 1;
      }
    }
    constexpr double part = 0.7;
    const auto cells = static_cast<double>(spot.cells);
    const double within = (squares - sum * sum / cells) / cells;
    if (pairs == 0 || between / (2 * pairs) >= part * within) by_noise += cells;
    all += cells;
  }
  return 2 * by_noise >= all;
}

bool starts_before(const FoundObject& a, const FoundObject& b) {
  const GridPoint p = a.region.outer.vertices.front(), q = b.region.outer.vertices.front();
  return std::tie(p.y, p.x) < std::tie(q.y, q.x);
}

Detected background_of(const ScaleStack& stack) {
  Detected found{.objects = {}, .shading = {}, .noise = stack.pixel_noise()};
  if (stack.is_uneven()) found.shading = stack.background();
  return found;
}

}  // namespace

Detected detect(const Image& image, const FindingBounds& bounds, const Control& control,
                const FindingConstants& constants) {
  const ScaleStack stack(image, constants, control);
  Detected found = background_of(stack);
  Spots spots = stack.spots(bounds);
  found.is_noise = scatters_by_noise(spots, stack.finest());
  found.objects.resize(spots.size());
  parallel_for(static_cast<std::int64_t>(spots.size()), [&](std::int64_t i) {
    const auto number = static_cast<std::size_t>(i);
    found.objects[number] = object_of(spots[number], stack.finest().block);
  });
  std::sort(found.objects.begin(), found.objects.end(), starts_before);
  return found;
}

Detected detect_background(const Image& image, const std::vector<Region>& shapes,
                           const Control& control) {
  const ScaleStack stack(image, {}, control);
  Detected found = background_of(stack);
  const ScaleImage& finest = stack.finest();
  Spots spots;
  for (const Region& shape : shapes) {
    Spot spot;
    for (const RowRun& run : pixels_of(shape, image.shape()).runs) {
      const std::int64_t row = run.y / finest.block;
      const std::int64_t end = std::min(run.end / finest.block, finest.columns);
      if (run.y % finest.block != 0 || row >= finest.rows) continue;
      if (run.begin / finest.block < end) add_cells(spot, run.begin / finest.block, end, row);
    }
    if (spot.cells > 0) spots.push_back(std::move(spot));
  }
  found.is_noise = scatters_by_noise(spots, finest);
  return found;
}

double least_area_in(const PixelNoise& noise, const FindingConstants& constants) {
  return constants.least_area * std::min(noise.correlation, constants.most_shared);
}

std::int64_t detect_bytes(const Shape& image) {
  const std::int64_t block = finest_block(image);
  // Cells and smoothed ones of all scales, and of each polarity ranks, surroundings and half of the
  // cells in a tree; the map of spots.
  return (image.x / block) * (image.y / block) * (11 + 2 * (4 + 1 + 12) + 4);
}

}  // namespace meander::contour
