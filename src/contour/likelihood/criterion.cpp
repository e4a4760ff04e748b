// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/likelihood/criterion.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "contour/geometry/segments.hpp"

namespace meander::contour {
namespace {

/// Stands for a mean of 0, which has no log.
constexpr double least_mean = 0.25;

double entropy(double part) {
  if (part <= 0 || part >= 1) return 0;
  return -part * std::log(part) - (1 - part) * std::log1p(-part);
}

}  // namespace

std::int64_t shifted_sum(const RegionSums& sums, std::int64_t zero) {
  return static_cast<std::int64_t>(sums.sum - static_cast<std::uint64_t>(zero) * sums.count);
}

std::int64_t shifted_squares(const RegionSums& sums, std::int64_t zero) {
  const auto z = static_cast<std::uint64_t>(zero);
  return static_cast<std::int64_t>(sums.squares - 2 * z * sums.sum + z * z * sums.count);
}

double scatter(const RegionSums& sums) {
  __extension__ using Wide = unsigned __int128;
  const Wide exact = Wide{sums.count} * sums.squares - Wide{sums.sum} * sums.sum;
  const auto high = static_cast<std::uint64_t>(exact >> 64U);
  if (high == 0) return static_cast<double>(static_cast<std::uint64_t>(exact));
  // The upper 64 bits, the last of them 1 where any below is: rounded as the whole would be. Where
  // there is no instruction for it, the compiler's own conversion is thirty times slower.
  const auto shift = static_cast<unsigned>(std::bit_width(high));
  const auto upper = static_cast<std::uint64_t>(exact >> shift);
  const bool is_more = exact != Wide{upper} << shift;
  return std::ldexp(static_cast<double>(upper | (is_more ? 1U : 0U)), static_cast<int>(shift));
}

double rounded_criterion(double value) { return std::nearbyint(value * 0x1p20) * 0x1p-20; }

Criterion::Criterion(const Family& family, const Levels& levels, const RegionSums& total,
                     const RegionSums& offset)
    : family_(family), levels_(levels), total_(total), offset_(offset) {}

double Criterion::region(const RegionSums& sums) const {
  if (sums.count == 0) return 0;
  const auto n = static_cast<double>(sums.count);
  const auto mean = [&] { return static_cast<double>(shifted_sum(sums, levels_.zero)) / n; };
  switch (family_.noise) {
    case NoiseModel::gamma:
      return family_.looks * n * std::log(std::max(mean(), least_mean));
    case NoiseModel::poisson:
      return -levels_.scale * n * mean() * std::log(std::max(mean(), least_mean));
    case NoiseModel::bernoulli: {
      const auto high = static_cast<double>(shifted_sum(sums, family_.low)) / n;
      return n * entropy(high / static_cast<double>(family_.high - family_.low));
    }
    case NoiseModel::rayleigh: {
      const auto squares = static_cast<double>(shifted_squares(sums, levels_.zero)) / n;
      return n * std::log(std::max(squares, least_variance));
    }
    case NoiseModel::automatic:
    case NoiseModel::gaussian:
      break;
  }
  if (family_.variance > 0) return scatter(sums) / n / (2 * family_.variance);
  return n / 2 * std::log(std::max(scatter(sums) / (n * n), least_variance));
}

double Criterion::background(const RegionSums& sums) const {
  double sum = region(sums);
  if (family_.background && sums.count > 0) {
    const auto n = static_cast<double>(sums.count);
    const double apart = static_cast<double>(sums.sum) / n - *family_.background;
    sum += n * apart * apart / (2 * family_.variance);
  }
  return sum;
}

double Criterion::of(const RegionSums& held) const {
  const RegionSums inside = held + offset_;
  return rounded_criterion(region(inside) + background(total_ - inside));
}

double Criterion::undivided() const { return rounded_criterion(background(total_)); }

bool Criterion::is_divided_by(const RegionSums& held) const {
  const auto inside = static_cast<std::int64_t>(held.count + offset_.count);
  return static_cast<std::int64_t>(held.count) > 0 && inside > 0 &&
         inside < static_cast<std::int64_t>(total_.count);
}

double cost_of_node(const Polygon& outline, double correlation) {
  constexpr double fewest_pixels = 16;
  const Box box = box_around(outline);
  const auto side = [](std::int64_t low, std::int64_t high) {
    return static_cast<double>(high - low) / grid_steps_per_pixel;
  };
  const double pixels = side(box.low.x, box.high.x) * side(box.low.y, box.high.y);
  return std::log(std::max(pixels / correlation, fewest_pixels));
}

double cost_of_place(const Shape& image) {
  return 2 * std::log(static_cast<double>(image.x * image.y));
}

double cost_of_nodes(const Polygon& ring) {
  return static_cast<double>(ring.vertices.size()) * cost_of_node(ring);
}

double cost_of_hole(const Polygon& hole, const Polygon& outer) {
  return 2 * cost_of_node(outer) + cost_of_nodes(hole);
}

double cost_of_region(const Region& region, const Shape& image) {
  double cost = cost_of_place(image) + cost_of_nodes(region.outer);
  for (const Polygon& hole : region.holes) cost += cost_of_hole(hole, region.outer);
  return cost;
}

}  // namespace meander::contour
