// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/scene.hpp"

#include <algorithm>
#include <cmath>

#include "phantom/noise/elementary.hpp"
#include "phantom/noise/noise.hpp"

namespace meander::phantoms {
namespace {

constexpr double radius_of_side = 0.27;

/// A complex number as (sine, cosine); those of unit length add up their angles.
SineCosine product(const SineCosine& a, const SineCosine& b) {
  return {a.sine * b.cosine + a.cosine * b.sine, a.cosine * b.cosine - a.sine * b.sine};
}

SineCosine power(SineCosine base, std::int64_t exponent) {
  SineCosine result{0, 1};
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = product(result, base);
    base = product(base, base);
  }
  return result;
}

/// Pixels are painted by the curve itself, which a polygon on the grid does not hit exactly.
class FlowerScene : public Scene {
 public:
  explicit FlowerScene(const PhantomOptions& options)
      : shape_(options.size),
        x_(options.centre[0] * static_cast<double>(shape_.x)),
        y_(options.centre[1] * static_cast<double>(shape_.y)),
        radius_(radius_of_side * shorter_side(shape_)),
        amplitude_(options.kind == PhantomKind::disc ? 0 : options.amplitude),
        arms_(options.kind == PhantomKind::disc ? 0 : options.arms),
        phase_(sine_cosine_of_turns(options.rotation / (2 * pi))) {}

  std::vector<Region> regions(const Band& band, Layer) const override {
    if (!in_middle_half(band.z, shape_.z)) return {};
    return whole_target(outline());
  }

  void paint(const Band& band, Layer, std::uint8_t* tenths) const override {
    std::fill_n(tenths, band.pixels(), std::uint8_t{0});
    if (!in_middle_half(band.z, shape_.z)) return;
    const double reach = radius_ * (1 + amplitude_) + 1;
    const auto first = static_cast<std::int64_t>(std::max(0.0, x_ - reach));
    const std::int64_t end = std::min(band.width, static_cast<std::int64_t>(x_ + reach) + 1);
    for (std::int64_t y = band.y_begin; y < band.y_end; ++y, tenths += band.width) {
      const double dy = static_cast<double>(y) - y_;
      if (std::abs(dy) > reach) continue;
      for (std::int64_t x = first; x < end; ++x) {
        if (is_inside(static_cast<double>(x) - x_, dy)) tenths[x] = tenths_of_target;
      }
    }
  }

 private:
  double radius_towards(const SineCosine& direction) const {
    return radius_ * (1 + amplitude_ * product(power(direction, arms_), phase_).cosine);
  }

  /// By products and square roots, which are the same bits everywhere, where atan2 is not.
  bool is_inside(double dx, double dy) const {
    const double distance = std::sqrt(dx * dx + dy * dy);
    if (distance == 0) return true;
    return distance < radius_towards({dy / distance, dx / distance});
  }

  /// So many vertices that chords stay within 1/256 pixel of the curve: with steps of angle h they
  /// leave it by at most h^2 / 8 times the largest second derivative, which is at most
  /// radius (1 + amplitude (1 + arms)^2). The grid adds sqrt(2) / 512.
  Polygon outline() const {
    const auto reach = static_cast<double>(1 + arms_);
    const double bend = radius_ * (1 + amplitude_ * reach * reach);
    const auto count = std::max(
        std::int64_t{12}, static_cast<std::int64_t>(std::ceil(2 * pi * std::sqrt(32 * bend))));
    Polygon polygon;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto direction =
          sine_cosine_of_turns(static_cast<double>(i) / static_cast<double>(count));
      const double radius = radius_towards(direction);
      const GridPoint vertex =
          on_grid(x_ + radius * direction.cosine, y_ + radius * direction.sine);
      if (polygon.vertices.empty() || polygon.vertices.back() != vertex) {
        polygon.vertices.push_back(vertex);
      }
    }
    return polygon;
  }

  Shape shape_;
  double x_, y_, radius_, amplitude_;  // in pixels, the amplitude in radii
  std::int64_t arms_;
  SineCosine phase_;
};

}  // namespace

std::unique_ptr<Scene> flower_scene(const PhantomOptions& options) {
  return std::make_unique<FlowerScene>(options);
}

}  // namespace meander::phantoms
