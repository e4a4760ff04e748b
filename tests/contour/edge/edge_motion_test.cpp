// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stop_token>

#include "device_testing.hpp"
#include "meander/edge.hpp"
#include "meander/error.hpp"
#include "meander/measure.hpp"

/// Snakes in fields whose answers are known without any image.
namespace meander {
namespace {

using testing::all_devices;

Field field_of(const Device& device, Shape shape, const std::function<Point(double, double)>& f) {
  Image field = Image::allocate({.shape = shape, .channels = 2, .type = PixelType::f32});
  for (std::int64_t y = 0; y < shape.y; ++y) {
    for (std::int64_t x = 0; x < shape.x; ++x) {
      const Point v = f(static_cast<double>(x), static_cast<double>(y));
      field.mutable_row<float>(y)[x] = static_cast<float>(v.x);
      field.mutable_row<float>(y, 0, 1)[x] = static_cast<float>(v.y);
    }
  }
  return Field(device.upload(field));
}

Field nothing(const Device& device) {
  return field_of(device, {200, 180, 1}, [](double, double) { return Point{0, 0}; });
}

/// Towards a ring around (100, 90).
Field ring_field(const Device& device, double radius) {
  return field_of(device, {200, 180, 1}, [=](double x, double y) {
    const double r = std::hypot(x - 100, y - 90);
    const double pull = std::clamp(radius - r, -1.0, 1.0);
    return r > 0 ? Point{pull * (x - 100) / r, pull * (y - 90) / r} : Point{0, 0};
  });
}

Curve circle(double x, double y, double radius) {
  return {.points = circle_outline(x, y, radius).vertices};
}
Curve line(double x0, double y0, double x1, double y1) {
  return {.points = {on_grid(x0, y0), on_grid(x1, y1)}, .is_open = true};
}

struct Radius {
  double least = 1e9, most = 0;
};
Radius radius_of(const Curve& curve, double x, double y) {
  Radius radius;
  for (const GridPoint& p : curve.points) {
    const double r =
        std::hypot(static_cast<double>(p.x) / 256 - x, static_cast<double>(p.y) / 256 - y);
    radius.least = std::min(radius.least, r);
    radius.most = std::max(radius.most, r);
  }
  return radius;
}

double radius_by_area(const EdgeOutline& outline) { return std::sqrt(outline.area / M_PI); }

/// Without a force a circle shrinks by dR/dt = -α/R - β/R³. Points at distance h on a circle have
/// second differences of exactly h²/R², so only time is discrete: h is that of the round's start,
/// and in a round of 8 steps R changes by less than 2 %, so the rate by less than 6 % at its end
/// and 3 % on average; the start, a polygon of 64 corners, lies up to 0.06 within its circle.
void expect_shrinking(const SnakeOptions& options, double radius,
                      const std::function<double(double)>& radius_after) {
  std::int64_t looked_at = 0;
  const OnSnakeState look = [&](const SnakeState& state) {
    const double time = static_cast<double>(state.steps) * options.step;
    const double expected = radius_after(time);
    if (expected < 0.6 * radius) return;
    const Radius found = radius_of(state.curve, 100, 90);
    const double tolerance = 0.1 + 0.03 * (radius - expected);
    EXPECT_NEAR(found.most, expected, tolerance) << time;
    EXPECT_NEAR(found.least, expected, tolerance) << time;
    ++looked_at;
  };
  const auto ends =
      move_snakes(nothing(Device::open("cpu")), {circle(100, 90, radius)}, options, look);
  EXPECT_GT(looked_at, 5);
  EXPECT_EQ(ends[0].end, SnakeEnd::vanished);
  EXPECT_TRUE(ends[0].curve.points.empty());
  EXPECT_EQ(ends[0].area, 0);
  EXPECT_EQ(ends[0].length, 0);
}

TEST(EdgeMotion, ACircleShrinksUnderItsTensionAtTheAnalyticRate) {
  expect_shrinking({.alpha = 4, .beta = 0, .step = 0.25}, 40,
                   [](double t) { return std::sqrt(std::max(0.0, 40 * 40 - 8 * t)); });
}

TEST(EdgeMotion, ACircleShrinksUnderItsRigidityAtTheAnalyticRate) {
  expect_shrinking({.alpha = 0, .beta = 1000, .step = 0.25}, 30, [](double t) {
    return std::pow(std::max(0.0, std::pow(30, 4) - 4000 * t), 0.25);
  });
}

TEST(EdgeMotion, ARadialFieldMovesToItsRingFromBothSides) {
  for (const Device& device : all_devices()) {
    const auto ends = move_snakes(ring_field(device, 50),
                                  {circle(100, 90, 20), circle(110, 85, 75)}, {.beta = 0});
    for (const EdgeOutline& end : ends) {
      EXPECT_EQ(end.end, SnakeEnd::settled) << device.name();
      // Between pixels the field is off by up to a second difference, 1/8 of 1/50; tension takes
      // 0.1/50; a curve has settled when it moves by less than 0.01.
      EXPECT_NEAR(radius_by_area(end), 50, 0.05) << device.name();
      const Radius radius = radius_of(end.curve, 100, 90);
      EXPECT_LT(radius.most - radius.least, 0.2) << device.name();
      EXPECT_TRUE(is_simple({end.curve.points}));
    }
  }
}

TEST(EdgeMotion, TheBalloonPushesOutwardsAndInwards) {
  const Field still = nothing(Device::open("cpu"));
  for (const double balloon : {1.0, -1.0}) {
    const auto ends =
        move_snakes(still, {circle(100, 90, 40)},
                    {.alpha = 0, .beta = 0, .balloon = balloon, .step = 0.5, .max_steps = 16});
    EXPECT_EQ(ends[0].end, SnakeEnd::steps);
    // 16 steps of half a pixel; the polygon's normals are shorter by cos(π/n), and h is that of the
    // round's start, which makes them longer or shorter by up to a tenth.
    EXPECT_NEAR(radius_by_area(ends[0]), 40 + 8 * balloon, 1.0);
  }
}

/// Where the field's push of up to 1 is as strong as the balloon's.
TEST(EdgeMotion, TheBalloonAndTheFieldBalance) {
  const Field ring = ring_field(Device::open("cpu"), 50);
  for (const double balloon : {0.9, 0.5, -0.5, -0.9}) {
    for (const double start : {30.0, 75.0}) {
      const auto ends = move_snakes(ring, {circle(100, 90, start)}, {.balloon = balloon});
      EXPECT_EQ(ends[0].end, SnakeEnd::settled) << balloon << " from " << start;
      // Near the full push of 1 the field between pixels is that of a bent ramp: half a pixel off.
      const double tolerance = std::abs(balloon) > 0.5 ? 0.5 : 0.05;
      EXPECT_NEAR(radius_by_area(ends[0]), 50 + balloon, tolerance) << balloon << " from " << start;
    }
  }
}

TEST(EdgeMotion, EndsStayWhereTheyAreFixed) {
  for (const Device& device : all_devices()) {
    const Field down = field_of(device, {200, 180, 1}, [](double, double y) {
      return Point{0, std::clamp(120 - y, -1.0, 1.0)};
    });
    const auto ends = move_snakes(down, {line(30, 90, 170, 90)},
                                  {.alpha = 0.5, .open = OpenEnds::fixed, .max_steps = 4000});
    const Curve& curve = ends[0].curve;
    EXPECT_EQ(ends[0].end, SnakeEnd::settled) << device.name();
    EXPECT_EQ(curve.points.front(), on_grid(30, 90)) << device.name();
    EXPECT_EQ(curve.points.back(), on_grid(170, 90)) << device.name();
    const GridPoint middle = curve.points[curve.points.size() / 2];
    EXPECT_NEAR(static_cast<double>(middle.y) / grid_steps_per_pixel, 120, 0.05);
    EXPECT_TRUE(curve.is_open);
    EXPECT_EQ(ends[0].area, 0);
  }
}

TEST(EdgeMotion, FreeEndsMoveAlongAndAreNotDrawnIn) {
  const Field down = field_of(Device::open("cpu"), {200, 180, 1}, [](double, double y) {
    return Point{0, std::clamp(120 - y, -1.0, 1.0)};
  });
  const auto ends =
      move_snakes(down, {line(30, 90, 170, 95)}, {.alpha = 0.5, .open = OpenEnds::free});
  EXPECT_EQ(ends[0].end, SnakeEnd::settled);
  for (const GridPoint& p : ends[0].curve.points) {
    EXPECT_NEAR(static_cast<double>(p.y) / 256, 120, 0.05);
  }
  // It was 140.09 long, 140 along x.
  EXPECT_NEAR(ends[0].length, 140, 0.5);
}

TEST(EdgeMotion, OpenCurvesThatShrinkToAPointVanish) {
  const Field sink = field_of(Device::open("cpu"), {200, 180, 1}, [](double x, double y) {
    return Point{std::clamp(100 - x, -1.0, 1.0), std::clamp(90 - y, -1.0, 1.0)};
  });
  const auto ends = move_snakes(sink, {line(30, 90, 170, 95)}, {.open = OpenEnds::free});
  EXPECT_EQ(ends[0].end, SnakeEnd::vanished);
  EXPECT_TRUE(ends[0].curve.is_open);
  EXPECT_TRUE(ends[0].curve.points.empty());
  EXPECT_EQ(ends[0].length, 0);
  EXPECT_EQ(ends[0].curve.length(), 0);
  EXPECT_EQ(measure(ends[0].curve, {}).perimeter, 0);
}

/// Nothing but its place changes: neither its area nor its length tells.
TEST(EdgeMotion, CurvesThatAreCarriedAlongHaveNotSettled) {
  const Field wind = field_of(Device::open("cpu"), {200, 180, 1}, [](double, double) {
    return Point{1, 0};
  });
  const auto ends = move_snakes(wind, {circle(60, 90, 40)},
                                {.alpha = 0, .beta = 0, .step = 0.25, .max_steps = 320});
  EXPECT_EQ(ends[0].end, SnakeEnd::steps);
}

/// A field that turns points round the ring for ever leaves the ring where it is: at rest.
TEST(EdgeMotion, PointsThatSlideAlongACurveSettle) {
  const Field swirl = field_of(Device::open("cpu"), {200, 180, 1}, [](double x, double y) {
    const double r = std::max(1.0, std::hypot(x - 100, y - 90));
    const double out = std::clamp(50 - r, -1.0, 1.0) / r, along = 0.5 / r;
    return Point{out * (x - 100) - along * (y - 90), out * (y - 90) + along * (x - 100)};
  });
  // Points 4 apart, so that a chord is 0.04 from the circle: more than a curve at rest may move.
  const auto ends =
      move_snakes(swirl, {circle(100, 90, 70)}, {.point_spacing = 4, .max_steps = 400});
  EXPECT_EQ(ends[0].end, SnakeEnd::settled);
  EXPECT_LT(ends[0].last_move, 0.005);
}

/// Where edges pull every way points go to and fro for ever, unless their steps get shorter.
TEST(EdgeMotion, CurvesThatFlutterComeToRest) {
  const Field torn = field_of(Device::open("cpu"), {200, 180, 1}, [](double x, double y) {
    const double r = std::max(1.0, std::hypot(x - 100, y - 90));
    const double angle = std::abs(r - 50) < 4 ? 12.9898 * x + 78.233 * y * y : 0;
    const double out = r < 50 ? 1 / r : -1 / r;
    const double u = out * (x - 100), v = out * (y - 90);
    return Point{std::cos(angle) * u - std::sin(angle) * v,
                 std::sin(angle) * u + std::cos(angle) * v};
  });
  const auto ends = move_snakes(torn, {circle(100, 90, 60), circle(100, 90, 40)}, {});
  for (const EdgeOutline& end : ends) {
    EXPECT_EQ(end.end, SnakeEnd::settled);
    EXPECT_NEAR(end.area, 7854, 1200);
  }
}

TEST(EdgeMotion, ABatchIsItsCurvesOneByOneOnAnyNumberOfThreads) {
  const std::vector<Curve> starts{circle(100, 90, 20), circle(90, 90, 70), circle(60, 60, 30)};
  const Field field = ring_field(Device::open("cpu"), 45);
  const auto together = move_snakes(field, starts, {});
  for (const int count : {1, 3}) {
    set_threads(count);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const auto alone = move_snakes(field, {starts[i]}, {});
      EXPECT_EQ(alone[0].curve, together[i].curve) << i;
      EXPECT_EQ(alone[0].steps, together[i].steps) << i;
    }
  }
  set_threads(0);
}

/// The same bits of the field, the same curves; reference computes in double.
TEST(EdgeMotion, CurvesAreTheSameOnEveryDevice) {
  const std::vector<Curve> starts{circle(100, 90, 20), circle(90, 90, 70)};
  const auto expected = move_snakes(ring_field(Device::open("cpu"), 45), starts, {});
  for (const Device& device : all_devices()) {
    const auto found = move_snakes(ring_field(device, 45), starts, {});
    for (std::size_t i = 0; i < starts.size(); ++i) {
      if (device.name() == "reference") {
        EXPECT_NEAR(found[i].area, expected[i].area, 1e-3 * expected[i].area);
      } else {
        EXPECT_EQ(found[i].curve, expected[i].curve) << device.name();
      }
    }
  }
}

TEST(EdgeMotion, PointsAreCapped) {
  const Field still = nothing(Device::open("cpu"));
  const auto ends = move_snakes(still, {circle(100, 90, 30)},
                                {.alpha = 0, .beta = 0, .balloon = 1, .max_points = 120});
  EXPECT_EQ(ends[0].end, SnakeEnd::points);
  EXPECT_TRUE(is_simple({ends[0].curve.points}));
}

TEST(EdgeMotion, CurvesStayInTheImage) {
  const Field still = nothing(Device::open("cpu"));
  const auto ends = move_snakes(still, {circle(100, 90, 60)},
                                {.alpha = 0, .beta = 0, .balloon = 1, .max_steps = 400});
  for (const GridPoint& p : ends[0].curve.points) {
    EXPECT_GE(p.x, -128);
    EXPECT_LE(p.x, 199 * 256 + 128);
    EXPECT_GE(p.y, -128);
    EXPECT_LE(p.y, 179 * 256 + 128);
  }
  EXPECT_GT(ends[0].area, 0.9 * 200 * 180);
}

std::string refused(const Field& field, const std::vector<Curve>& starts,
                    const SnakeOptions& options) {
  try {
    move_snakes(field, starts, options);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "nothing";
}

TEST(EdgeMotion, RefusesWhatItCannotTake) {
  const Device cpu = Device::open("cpu");
  const Field still = nothing(cpu);
  EXPECT_EQ(refused(still, {circle(100, 90, 20)}, {.max_steps = 1}), "nothing");
  EXPECT_NE(refused(still, {circle(100, 90, 20)}, {.open = OpenEnds::free}), "nothing");
  EXPECT_NE(refused(still, {line(1, 2, 3, 4)}, {}), "nothing");
  EXPECT_NE(refused(still, {line(1, 2, 1, 2)}, {.open = OpenEnds::free}), "nothing");
  EXPECT_EQ(refused(still, {line(1, 2, 30, 40)}, {.open = OpenEnds::free}), "nothing");
  EXPECT_NE(refused(still, {line(-50, 2, 30, 40)}, {.open = OpenEnds::free}), "nothing");
  EXPECT_NE(refused(still, {circle(100, 90, 20)}, {.point_spacing = 100}), "nothing");
  EXPECT_NE(refused(still, {circle(-100, 90, 20)}, {}), "nothing");
  EXPECT_NE(refused(still, {circle(100, 90, 20)}, {.step = 0}), "nothing");
  const Curve eight{.points = {on_grid(10, 10), on_grid(50, 50), on_grid(50, 10), on_grid(10, 50)}};
  EXPECT_NE(refused(still, {eight}, {}), "nothing");
}

TEST(EdgeMotion, StopsOnRequest) {
  std::stop_source source;
  const OnSnakeState stop = [&](const SnakeState&) { source.request_stop(); };
  EXPECT_THROW(move_snakes(ring_field(Device::open("cpu"), 50), {circle(100, 90, 20)}, {}, stop,
                           {.stop = source.get_token()}),
               Cancelled);
}

}  // namespace
}  // namespace meander
