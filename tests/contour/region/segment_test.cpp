// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <limits>

#include "contour/region/segment_testing.hpp"

/// What the search promises on its way and at its end, beside the pixels themselves.
namespace meander {
namespace {

using namespace testing;

constexpr double highest_u16 = 65535;

void expect_region(const RegionStatistics& region, const std::vector<double>& values,
                   const std::string& at) {
  const PlainMoments m(values);
  EXPECT_EQ(region.pixels, static_cast<std::int64_t>(values.size())) << at;
  EXPECT_NEAR(region.mean, m.mean, 1e-9 * m.mean) << at;
  EXPECT_NEAR(region.sigma, std::sqrt(m.variance), 1e-8 * std::sqrt(m.variance)) << at;
}

void expect_figures(const Image& image, const SegmentResult& result, const std::string& at) {
  ASSERT_EQ(result.outlines.size(), 1u) << at;
  const Outline& outline = result.outlines[0];
  const std::vector<double> values = values_of(image);
  const Sides sides = sides_of(values, image.shape(), outline.polygon);
  expect_region(outline.inside, sides.inside, at + " inside");
  expect_region(outline.outside, sides.outside, at + " outside");
  const double expected = plain_criterion(sides, result.figures, highest_u16);
  const double tolerance = 1e-5 + 1e-11 * std::abs(expected);
  EXPECT_NEAR(outline.criterion, expected, tolerance) << at;
  EXPECT_EQ(result.figures.criterion, outline.criterion) << at;
  const double undivided =
      plain_criterion(values, result.figures.noise, result.figures.looks, highest_u16);
  EXPECT_NEAR(outline.gain, undivided - expected, 2 * tolerance) << at;
  EXPECT_TRUE(is_simple(outline.polygon)) << at;
  EXPECT_EQ(outline.area, outline.polygon.signed_area()) << at;
  EXPECT_GT(outline.area, 0) << at;
  EXPECT_EQ(outline.perimeter, outline.polygon.perimeter()) << at;
  EXPECT_EQ(outline.confidence.size(), outline.polygon.vertices.size()) << at;
}

TEST(Segment, FiguresAreThoseOfThePixels) {
  for (const NoiseModel noise : every_family) {
    for (const SegmentSchedule schedule : {SegmentSchedule::pyramid, SegmentSchedule::classic}) {
      const Image image = phantom(star_of(noise, 300));
      const SegmentResult result = segment(image, {.noise = noise, .schedule = schedule});
      EXPECT_EQ(result.figures.noise, noise);
      expect_figures(image, result,
                     name_of(noise) + " " + OptionText<SegmentSchedule>::format(schedule));
    }
  }
}

TEST(Segment, LooksAreEstimatedOrTaken) {
  const Image image = phantom(star_of(NoiseModel::gamma, 300));
  const SegmentResult estimated = segment(image, {.noise = NoiseModel::gamma});
  EXPECT_NEAR(estimated.figures.looks, 3, 0.1);
  const SegmentResult given = segment(image, {.noise = NoiseModel::gamma, .looks = 5});
  EXPECT_EQ(given.figures.looks, 5);
  expect_figures(image, given, "5 looks");
  EXPECT_EQ(segment(image, {.noise = NoiseModel::gaussian}).figures.looks, 0);
}

/// Corners of the box around a polygon, in pixels.
struct Corner {
  double x, y;
};
std::pair<Corner, Corner> box_of(const Polygon& polygon) {
  std::vector<double> x, y;
  for (const GridPoint& p : polygon.vertices) {
    x.push_back(static_cast<double>(p.x) / 256);
    y.push_back(static_cast<double>(p.y) / 256);
  }
  return {{*std::min_element(x.begin(), x.end()), *std::min_element(y.begin(), y.end())},
          {*std::max_element(x.begin(), x.end()), *std::max_element(y.begin(), y.end())}};
}

/// Follows a search and checks every state against the one before.
class Watch {
 public:
  explicit Watch(const Image& image)
      : shape_(image.shape()),
        values_(values_of(image)),
        most_cost_(std::log(static_cast<double>(values_.size()))) {}

  void see(const SegmentState& state) {
    EXPECT_TRUE(is_simple(state.outline)) << state.iteration;
    EXPECT_GE(state.outline.vertices.size(), 3u);
    EXPECT_GT(state.outline.signed_area(), 0);
    const auto nodes = static_cast<double>(state.outline.vertices.size());
    if (state.action == SegmentAction::moved) {
      EXPECT_LT(state.criterion, last_criterion_) << state.iteration;
      EXPECT_EQ(nodes, last_nodes_);
      EXPECT_GE(state.step, 1);
    }
    if (state.action == SegmentAction::removed) {
      EXPECT_LT(nodes, last_nodes_);
      EXPECT_LT(state.criterion, last_criterion_ + (last_nodes_ - nodes) * most_cost_);
    }
    // One more node of the classic schedule is a cost that only its moves may pay back.
    const bool is_rise_allowed =
        state.action == SegmentAction::started || state.action == SegmentAction::inserted;
    if (state.action == SegmentAction::finished) {
      // The box is that of the outline as it is now.
      EXPECT_EQ(state.criterion, last_criterion_);
      last_length_ = state.description_length;
    }
    is_curve_ = is_curve_ || state.action == SegmentAction::curved;
    if (state.block == last_block_ && !is_rise_allowed) {
      EXPECT_LE(state.description_length, last_length_) << state.iteration;
    }
    const double cost = (state.description_length - state.criterion) / nodes;
    // A curve's vertices cost nothing, its nodes do.
    EXPECT_GE(cost, is_curve_ ? 0 : std::log(16.0) - 1e-6);
    EXPECT_LE(cost, most_cost_ + 1e-6);
    if (state.action == SegmentAction::started) {
      const auto [low, high] = box_of(state.outline);
      EXPECT_NEAR(cost, std::log(std::max(16.0, (high.x - low.x) * (high.y - low.y))), 1e-6);
    }
    ++seen_[static_cast<std::size_t>(state.action)];
    if (state.block == 1) pixel_states_.push_back({state.outline, state.criterion});
    last_criterion_ = state.criterion;
    last_length_ = state.description_length;
    last_block_ = state.block;
    last_nodes_ = nodes;
  }

  /// States on single pixels have the criterion of the pixels; those on blocks that of the pixels
  /// of the blocks inside.
  void expect_true_criteria(const SegmentFigures& figures) const {
    ASSERT_FALSE(pixel_states_.empty());
    // Ours is rounded to 1e-6. The plain one adds up to 160000 values with a rounding of 1e-16
    // each: its variance is off by 2e-11 of itself at worst, and n/2 times that is below 1e-5.
    for (const auto& [outline, criterion] : pixel_states_) {
      EXPECT_NEAR(criterion, plain_criterion(sides_of(values_, shape_, outline), figures), 1e-4);
    }
  }

  int seen(SegmentAction action) const { return seen_[static_cast<std::size_t>(action)]; }

 private:
  struct PixelState {
    Polygon outline;
    double criterion;
  };
  Shape shape_;
  std::vector<double> values_;
  double most_cost_;
  double last_criterion_ = std::numeric_limits<double>::infinity();
  double last_length_ = std::numeric_limits<double>::infinity();
  bool is_curve_ = false;
  std::int64_t last_block_ = 0;
  double last_nodes_ = 0;
  std::array<int, 7> seen_{};
  std::vector<PixelState> pixel_states_;
};

TEST(Segment, EveryStateIsSimpleAndNoMoveRaisesTheCriterion) {
  for (const SegmentSchedule schedule : {SegmentSchedule::pyramid, SegmentSchedule::classic}) {
    for (const double snr : {0.25, 1.0, 4.0}) {
      PhantomOptions options = star_of(NoiseModel::gaussian, 400);
      options.snr = snr;
      const Image image = phantom(options);
      Watch watch(image);
      SegmentInputs inputs;
      inputs.on_change = [&](const SegmentState& state) { watch.see(state); };
      const SegmentResult result =
          segment(image, {.noise = NoiseModel::gaussian, .schedule = schedule}, inputs);
      watch.expect_true_criteria(result.figures);
      EXPECT_GT(watch.seen(SegmentAction::started), 0);
      EXPECT_GT(watch.seen(SegmentAction::moved), 3);
      const bool is_classic = schedule == SegmentSchedule::classic;
      EXPECT_GT(watch.seen(is_classic ? SegmentAction::inserted : SegmentAction::rebuilt), 0);
      EXPECT_EQ(watch.seen(SegmentAction::finished), 1);
      EXPECT_GT(result.figures.evaluations, 100);
      EXPECT_GT(result.figures.iterations, 3);
    }
  }
}

/// A node stays only where J would rise by the log of the number of pixels without it.
TEST(Segment, EveryNodePaysForItself) {
  for (const double snr : {0.5, 2.0}) {
    PhantomOptions options = star_of(NoiseModel::gaussian, 300);
    options.snr = snr;
    const Image image = phantom(options);
    const std::vector<double> values = values_of(image);
    const SegmentResult result = segment(image, {.noise = NoiseModel::gaussian});
    ASSERT_EQ(result.outlines.size(), 1u);
    const Polygon& outline = result.outlines[0].polygon;
    for (std::size_t node = 0; node < outline.vertices.size(); ++node) {
      Polygon without = outline;
      without.vertices.erase(without.vertices.begin() + static_cast<std::ptrdiff_t>(node));
      if (!is_simple(without)) continue;
      const Sides sides = sides_of(values, image.shape(), without);
      // The box was measured when the level began: by then it was right to within a tenth.
      const auto [low, high] = box_of(outline);
      EXPECT_GE(plain_criterion(sides, result.figures) - result.outlines[0].criterion,
                std::log(0.9 * (high.x - low.x) * (high.y - low.y)))
          << "node " << node << " snr " << snr;
    }
  }
}

TEST(Segment, SameForAllStoresThreadsAndDevices) {
  for (const SegmentSchedule schedule : {SegmentSchedule::pyramid, SegmentSchedule::classic}) {
    const Image image = phantom(star_of(NoiseModel::gaussian, 230));
    const SegmentOptions options{.noise = NoiseModel::gaussian, .schedule = schedule};
    const SegmentResult expected = segment(image, options);
    ASSERT_EQ(expected.outlines.size(), 1u);
    const auto expect_same = [&](const SegmentResult& result, const std::string& at) {
      ASSERT_EQ(result.outlines.size(), 1u) << at;
      EXPECT_EQ(result.outlines[0].polygon, expected.outlines[0].polygon) << at;
      EXPECT_EQ(result.outlines[0].confidence, expected.outlines[0].confidence) << at;
      EXPECT_EQ(result.outlines[0].criterion, expected.outlines[0].criterion) << at;
      EXPECT_EQ(result.figures.evaluations, expected.figures.evaluations) << at;
    };
    for (const Device& device : all_devices()) {
      for (const SumStore store : {SumStore::base32, SumStore::full}) {
        SegmentOptions other = options;
        other.store = store;
        expect_same(segment(device.upload(image), other),
                    device.name() + " " + OptionText<SumStore>::format(store));
      }
    }
    for (const int count : {1, 2, 3}) {
      set_threads(count);
      expect_same(segment(image, options), std::to_string(count) + " threads");
    }
    set_threads(0);
  }
}

/// The same grey levels in other types: the same outline.
TEST(Segment, PixelTypesAgree) {
  PhantomOptions options = star_of(NoiseModel::gaussian, 200);
  options.type = PixelType::u8;
  const Image bytes = phantom(options);
  const SegmentOptions gaussian{.noise = NoiseModel::gaussian};
  const SegmentResult expected = segment(bytes, gaussian);
  expect_figures(bytes, expected, "u8");
  for (const PixelType type : {PixelType::u16, PixelType::i16}) {
    Image image = Image::allocate({.shape = bytes.shape(), .type = type});
    visit(type, [&]<class T>(std::type_identity<T>) {
      for (std::int64_t y = 0; y < bytes.shape().y; ++y) {
        std::transform(bytes.row<std::uint8_t>(y), bytes.row<std::uint8_t>(y) + bytes.shape().x,
                       image.mutable_row<T>(y), [](std::uint8_t v) { return from_double<T>(v); });
      }
    });
    const SegmentResult result = segment(image, gaussian);
    expect_figures(image, result, std::string(name_of(type)));
    EXPECT_EQ(result.outlines.at(0).polygon, expected.outlines.at(0).polygon);
  }
}

TEST(Segment, NegativeNumbersOfI16) {
  PhantomOptions options = star_of(NoiseModel::gaussian, 200);
  options.type = PixelType::i16;
  options.levels = {-3000, 1000};
  const Image image = phantom(options);
  const SegmentResult result = segment(image, {.noise = NoiseModel::gaussian});
  ASSERT_EQ(result.outlines.size(), 1u);
  EXPECT_NEAR(result.outlines[0].inside.mean, 1000, 60);
  EXPECT_NEAR(result.outlines[0].outside.mean, -3000, 60);
  EXPECT_GT(overlap(result, truth_of(options)), 0.98);
  for (const NoiseModel noise : {NoiseModel::gamma, NoiseModel::poisson, NoiseModel::rayleigh}) {
    EXPECT_NE(refusal_of(image, {.noise = noise}), "not refused") << name_of(noise);
  }
}

/// Scaled to 16 bits as stated: the criterion is that of those numbers, the statistics are in grey
/// levels.
TEST(Segment, FloatImagesAreSearchedAsStated) {
  for (const PixelType type : {PixelType::f32, PixelType::f64, PixelType::f16}) {
    PhantomOptions options = star_of(NoiseModel::gaussian, 200);
    options.type = type;
    options.levels = {-0.125, 0.25};
    const Image image = phantom(options);
    const SegmentResult result = segment(image, {.noise = NoiseModel::gaussian});
    ASSERT_EQ(result.outlines.size(), 1u);
    const SegmentFigures& figures = result.figures;
    EXPECT_GT(figures.scale, 0);
    EXPECT_LT(figures.scale, 1e-3);
    std::vector<double> numbers = values_of(image);
    for (double& v : numbers) {
      v = std::clamp(std::nearbyint((v - figures.offset) / figures.scale), 0.0, 65535.0);
    }
    const Outline& outline = result.outlines[0];
    const double expected =
        plain_criterion(sides_of(numbers, image.shape(), outline.polygon), figures);
    EXPECT_NEAR(outline.criterion, expected, 0.05) << name_of(type);  // halves may round elsewhere
    const Sides sides = sides_of(values_of(image), image.shape(), outline.polygon);
    EXPECT_NEAR(outline.inside.mean, PlainMoments(sides.inside).mean, figures.scale);
    EXPECT_NEAR(outline.outside.mean, PlainMoments(sides.outside).mean, figures.scale);
    EXPECT_NEAR(outline.inside.sigma, std::sqrt(PlainMoments(sides.inside).variance),
                figures.scale);
    EXPECT_GT(overlap(result, truth_of(options)), 0.98) << name_of(type);
  }
}

/// Moves one node by a pixel across the line between its neighbours and counts anew.
double plain_rise(const Image& image, const Outline& outline, const SegmentFigures& figures,
                  std::size_t node, double way) {
  Polygon moved = outline.polygon;
  auto& v = moved.vertices;
  const GridPoint a = v[(node + v.size() - 1) % v.size()], b = v[(node + 1) % v.size()];
  const auto x = static_cast<double>(b.x - a.x), y = static_cast<double>(b.y - a.y);
  const double length = std::hypot(x, y) / 256;
  v[node].x += std::llround(way * y / length);
  v[node].y -= std::llround(way * x / length);
  if (!is_simple(moved)) return std::numeric_limits<double>::quiet_NaN();
  return plain_criterion(sides_of(values_of(image), image.shape(), moved), figures) -
         outline.criterion;
}

TEST(Segment, ConfidenceIsTheLeastRise) {
  for (const double snr : {0.5, 4.0}) {
    PhantomOptions options = star_of(NoiseModel::gaussian, 200);
    options.snr = snr;
    const Image image = phantom(options);
    const SegmentResult result = segment(image, {.noise = NoiseModel::gaussian});
    ASSERT_EQ(result.outlines.size(), 1u);
    const Outline& outline = result.outlines[0];
    std::size_t compared = 0;
    for (std::size_t node = 0; node < outline.confidence.size(); ++node) {
      const double out = plain_rise(image, outline, result.figures, node, 1);
      const double in = plain_rise(image, outline, result.figures, node, -1);
      if (std::isnan(out) || std::isnan(in)) continue;
      EXPECT_NEAR(outline.confidence[node], std::min(out, in), 1e-4) << node;
      ++compared;
    }
    EXPECT_GE(2 * compared, outline.confidence.size());
  }
}

TEST(Segment, SharpEdgesAreSureAndFaintOnesAreNot) {
  const auto surest = [](double snr) {
    PhantomOptions options = star_of(NoiseModel::gaussian, 400);
    options.snr = snr;
    const SegmentResult result = segment(phantom(options), {.noise = NoiseModel::gaussian});
    if (result.outlines.empty()) return 0.0;
    std::vector<double> sorted = result.outlines[0].confidence;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  };
  const double sharp = surest(8), faint = surest(0.5);
  EXPECT_GT(sharp, 100);
  EXPECT_LT(faint, sharp / 10);
}

void expect_estimate(const Device& device, const Image& host, const SegmentOptions& options) {
  const MemoryWatch watch(device);
  segment(device.upload(host.clone()), options);
  const auto estimate = static_cast<double>(estimate_bytes(host.description(), options, device));
  // Beyond the host's memory room is kept for nodes on their way, whose number nobody knows.
  const bool is_host = device.name() == "cpu" || device.name() == "reference";
  const double room = is_host ? 0 : 1 << 22;
  const std::string at = device.name() + " " + std::string(name_of(host.type())) + " " +
                         name_of(options.noise) + " " +
                         OptionText<SumStore>::format(options.store) + " " +
                         OptionText<SegmentSchedule>::format(options.schedule);
  EXPECT_LE(watch.held(), estimate) << at;
  EXPECT_LE(estimate, 1.05 * watch.held() + room) << at;
}

TEST(Segment, HoldsWhatItEstimates) {
  for (const Device& device : all_devices()) {
    for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
      PhantomOptions phantom_options =
          star_of(NoiseModel::gaussian, device.name() == "cpu" ? 1500 : 400);
      phantom_options.type = type;
      const Image host = phantom(phantom_options);
      for (const SumStore store : {SumStore::base32, SumStore::full}) {
        for (const auto schedule : {SegmentSchedule::pyramid, SegmentSchedule::classic}) {
          for (const NoiseModel noise : {NoiseModel::automatic, NoiseModel::gaussian}) {
            expect_estimate(device, host, {.noise = noise, .schedule = schedule, .store = store});
          }
        }
      }
    }
  }
}

TEST(Segment, StopsOnRequest) {
  const Image image = phantom(star_of(NoiseModel::gaussian, 300));
  std::stop_source before;
  before.request_stop();
  EXPECT_THROW(segment(image, {}, {}, {.stop = before.get_token()}), Cancelled);
  std::stop_source during;
  SegmentInputs inputs;
  int states = 0;
  inputs.on_change = [&](const SegmentState&) {
    if (++states == 4) during.request_stop();
  };
  EXPECT_THROW(segment(image, {}, inputs, {.stop = during.get_token()}), Cancelled);
  EXPECT_LE(states, 5);
}

TEST(Segment, ProgressNeverFalls) {
  double last = 0;
  const Control control{.progress = [&](double fraction) {
    EXPECT_GE(fraction, last);
    EXPECT_LE(fraction, 1);
    last = fraction;
  }};
  segment(phantom(star_of(NoiseModel::gaussian, 300)), {}, {}, control);
  EXPECT_EQ(last, 1);
}

TEST(Segment, DoesNotWriteToItsImage) {
  for (const Device& device : all_devices()) {
    const Image image = device.upload(phantom(star_of(NoiseModel::gaussian, 100)));
    const std::vector<double> before = values_of(image.download().clone().download());
    segment(image, {});
    EXPECT_EQ(values_of(image.download()), before) << device.name();
  }
}

}  // namespace
}  // namespace meander
