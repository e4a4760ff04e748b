// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>

#include "phantom/pixels.hpp"

namespace meander {
namespace {

PhantomOptions curve(PhantomKind kind, const Shape& size) {
  PhantomOptions options;
  options.kind = kind;
  options.size = size;
  return options;
}

/// How far the curve is from the centre in direction phi, by its definition and the library's
/// functions.
double radius_at(const PhantomOptions& options, double phi) {
  const double side = static_cast<double>(std::min(options.size.x, options.size.y));
  const double mean = 0.27 * side;
  if (options.kind == PhantomKind::disc) return mean;
  const double angle = static_cast<double>(options.arms) * phi + options.rotation;
  return mean * (1 + options.amplitude * std::cos(angle));
}

void expect_formula(const PhantomOptions& options) {
  const auto mask = numbers_of(whole_truth(Phantom(options)));
  const auto [nx, ny, nz] = options.size;
  const double cx = options.centre[0] * static_cast<double>(nx);
  const double cy = options.centre[1] * static_cast<double>(ny);
  for (std::int64_t y = 0; y < ny; ++y) {
    for (std::int64_t x = 0; x < nx; ++x) {
      const double dx = static_cast<double>(x) - cx, dy = static_cast<double>(y) - cy;
      const bool inside = std::hypot(dx, dy) < radius_at(options, std::atan2(dy, dx));
      ASSERT_EQ(mask[static_cast<std::size_t>(y * nx + x)], inside ? 255 : 0) << x << "," << y;
    }
  }
}

TEST(Flower, EveryPixelIsThatOfTheFormula) {
  for (const Shape& size : {Shape{301, 257, 1}, Shape{200, 330, 1}, Shape{1, 40, 1}}) {
    PhantomOptions options = curve(PhantomKind::flower, size);
    expect_formula(options);
    options.arms = 64;
    expect_formula(options);
    options.arms = 1;
    options.amplitude = 0.95;
    options.rotation = -9.5;
    options.centre = {0.9, 0};
    expect_formula(options);
    options = curve(PhantomKind::disc, size);
    expect_formula(options);
    options.centre = {0.25, 0.5};  // on a pixel, for even sizes
    expect_formula(options);
  }
}

TEST(Flower, DefaultsAreThoseOfTheDocument) {
  const PhantomOptions options;
  EXPECT_EQ(options.arms, 7);
  EXPECT_EQ(options.amplitude, 0.28);
  EXPECT_EQ(options.rotation, 0.3);
  EXPECT_EQ(options.centre, (std::array{0.47, 0.53}));
  EXPECT_EQ(options.blur, 0);
}

/// The middle of every edge, where a chord is farthest from its curve, and every vertex.
TEST(Flower, OutlineStaysWithinItsPromise) {
  for (const std::int64_t arms : {1, 7, 31}) {
    for (const std::int64_t side : {5, 100, 1000}) {
      PhantomOptions options = curve(PhantomKind::flower, {side, side, 1});
      options.arms = arms;
      const auto outlines = Phantom(options).outlines();
      ASSERT_EQ(outlines.size(), 1u);
      EXPECT_GT(outlines[0].signed_area(), 0);
      const auto& vertices = outlines[0].vertices;
      const double cx = 0.47 * static_cast<double>(side), cy = 0.53 * static_cast<double>(side);
      for (std::size_t i = 0; i < vertices.size(); ++i) {
        const GridPoint a = vertices[i], b = vertices[(i + 1) % vertices.size()];
        ASSERT_NE(a, b);
        for (const double part : {0.0, 0.5}) {
          const double x = std::lerp(static_cast<double>(a.x), static_cast<double>(b.x), part);
          const double y = std::lerp(static_cast<double>(a.y), static_cast<double>(b.y), part);
          const double dx = x / 256 - cx, dy = y / 256 - cy;
          const double phi = std::atan2(dy, dx), radius = radius_at(options, phi);
          // The distance along the ray is the distance from the curve over the cosine of the angle
          // between ray and normal; its tangent is r' / r.
          const double slope = 0.27 * static_cast<double>(side) * 0.28 * static_cast<double>(arms) *
                               std::sin(static_cast<double>(arms) * phi + 0.3) / radius;
          const double away = std::abs(std::hypot(dx, dy) - radius) / std::hypot(1, slope);
          ASSERT_LT(away, 1.0 / 128) << arms << " " << side << " " << i;
        }
      }
    }
  }
}

TEST(Flower, OptionsOfOthersAreRefused) {
  PhantomOptions options = curve(PhantomKind::star, {64, 64, 1});
  options.arms = 5;
  EXPECT_EQ(refusal_of(options), "arms is 5 with kind star, expected flower");
  options = curve(PhantomKind::disc, {64, 64, 1});
  options.centre = {0.5, 0.4};
  EXPECT_EQ(refusal_of(options), "not refused");
  options.amplitude = 0.5;
  EXPECT_EQ(refusal_of(options), "amplitude is 0.5 with kind disc, expected flower");
  options = curve(PhantomKind::disc, {64, 64, 1});
  options.rotation = 0;
  EXPECT_EQ(refusal_of(options), "rotation is 0 with kind disc, expected flower");
  options = curve(PhantomKind::blobs, {64, 64, 1});
  options.centre = {0.5, 0.4};
  EXPECT_EQ(refusal_of(options), "centre is 0.5,0.4 with kind blobs, expected flower or disc");
}

}  // namespace
}  // namespace meander
