// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <limits>

#include "contour/region/segment_testing.hpp"

/// Images with nothing, too little or too much in them, starts of every kind, borders.
namespace meander {
namespace {

using namespace testing;

constexpr SegmentSchedule every_schedule[] = {SegmentSchedule::pyramid, SegmentSchedule::classic};

Image flat_image(std::int64_t width, std::int64_t height, std::uint16_t value) {
  Image image = Image::allocate({.shape = {width, height, 1}, .type = PixelType::u16});
  for (std::int64_t y = 0; y < height; ++y) {
    std::fill_n(image.mutable_row<std::uint16_t>(y), width, value);
  }
  return image;
}

/// An own copy of a part of an image.
Image cropped(const Image& image, std::int64_t left, std::int64_t top, std::int64_t width,
              std::int64_t height) {
  Image part = Image::allocate({.shape = {width, height, 1}, .type = image.type()});
  const auto size = static_cast<std::int64_t>(size_of(image.type()));
  for (std::int64_t y = 0; y < height; ++y) {
    std::copy_n(image.row_bytes(top + y) + left * size, width * size, part.mutable_row_bytes(y));
  }
  return part;
}

TEST(SegmentLimits, ConstantImagesHaveNoOutline) {
  for (const int value : {0, 1, 300, 65535}) {
    for (const NoiseModel noise : {NoiseModel::automatic, NoiseModel::gaussian, NoiseModel::gamma,
                                   NoiseModel::poisson, NoiseModel::rayleigh}) {
      const SegmentResult result =
          segment(flat_image(100, 70, static_cast<std::uint16_t>(value)), {.noise = noise});
      EXPECT_TRUE(result.outlines.empty()) << name_of(noise) << " " << value;
      EXPECT_TRUE(std::isfinite(result.figures.criterion)) << name_of(noise) << " " << value;
    }
  }
}

TEST(SegmentLimits, TinyImagesHaveDefinedAnswers) {
  for (const Device& device : all_devices()) {
    for (const Shape& shape : {Shape{1, 1, 1}, Shape{2, 1, 1}, Shape{1, 2, 1}, Shape{2, 2, 1},
                               Shape{3, 40, 1}, Shape{50, 2, 1}, Shape{1, 200, 1}}) {
      const Image image = device.upload(flat_image(shape.x, shape.y, 7));
      EXPECT_TRUE(segment(image, {}).outlines.empty()) << to_string(shape) << device.name();
    }
  }
}

TEST(SegmentLimits, TargetWithoutNoiseIsFound) {
  // The variance has a floor, so regions of one value have a finite criterion.
  const PhantomOptions options{.kind = PhantomKind::ushape, .size = {256, 200, 1}};
  const Image image = phantom(options);
  const SegmentResult result = segment(image, {.noise = NoiseModel::gaussian});
  EXPECT_GE(overlap(result, truth_of(options)), 0.998);
  const Sides sides = sides_of(values_of(image), image.shape(), result.outlines.at(0).polygon);
  EXPECT_NEAR(result.figures.criterion, plain_criterion(sides, result.figures), 1e-4);
}

TEST(SegmentLimits, TargetThatTouchesTheBorder) {
  PhantomOptions half{
      .kind = PhantomKind::step, .size = {400, 300, 1}, .noise = {NoiseFamily::gaussian}, .snr = 2};
  const SegmentResult result = segment(phantom(half), {.noise = NoiseModel::gaussian});
  Image other = truth_of(half);
  for (std::int64_t y = 0; y < other.shape().y; ++y) {
    auto* row = other.mutable_row<std::uint8_t>(y);
    std::transform(row, row + other.shape().x, row,
                   [](std::uint8_t v) { return static_cast<std::uint8_t>(255 - v); });
  }
  EXPECT_GE(std::max(overlap(result, truth_of(half)), overlap(result, other)), 0.995);

  const PhantomOptions star = star_of(NoiseModel::gaussian, 500);
  const Image image = phantom(star), truth = truth_of(star);
  for (const auto& [left, top] : {std::pair{150, 0}, {0, 160}, {140, 150}}) {
    const Image part = cropped(image, left, top, 300, 310);
    const Image part_of_truth = cropped(truth, left, top, 300, 310);
    const SegmentResult found = segment(part, {.noise = NoiseModel::gaussian});
    ASSERT_EQ(found.outlines.size(), 1u);
    EXPECT_TRUE(is_simple(found.outlines[0].polygon));
    EXPECT_GE(overlap(found, part_of_truth), 0.985) << left << " " << top;
    for (const GridPoint& node : found.outlines[0].polygon.vertices) {
      EXPECT_GE(node.x, -128);
      EXPECT_GE(node.y, -128);
      EXPECT_LE(node.x, 299 * 256 + 128);
      EXPECT_LE(node.y, 309 * 256 + 128);
    }
  }
}

TEST(SegmentLimits, StartsOfEveryKind) {
  const PhantomOptions options = star_of(NoiseModel::gaussian, 300);
  const Image image = phantom(options), truth = truth_of(options);
  Polygon backwards = box_outline(60, 70, 230, 240);
  std::reverse(backwards.vertices.begin(), backwards.vertices.end());
  const std::vector<Polygon> starts{
      box_outline(40, 40, 260, 260), box_outline(-50, -20, 200, 500),  // partly outside
      circle_outline(150, 150, 90),  circle_outline(140, 155, 12),    backwards,
      outline_of_mask(truth)};
  for (const SegmentSchedule schedule : every_schedule) {
    for (std::size_t i = 0; i < starts.size(); ++i) {
      SegmentInputs inputs;
      inputs.start = starts[i];
      const SegmentResult result =
          segment(image, {.noise = NoiseModel::gaussian, .schedule = schedule}, inputs);
      ASSERT_EQ(result.outlines.size(), 1u) << i;
      EXPECT_TRUE(is_simple(result.outlines[0].polygon)) << i;
      EXPECT_GT(result.outlines[0].area, 0) << i;
      EXPECT_GE(overlap(result, truth), schedule == SegmentSchedule::pyramid ? 0.98 : 0.9)
          << i << " " << OptionText<SegmentSchedule>::format(schedule);
    }
  }
}

TEST(SegmentLimits, WrongStartsAreRefused) {
  const Image image = phantom(star_of(NoiseModel::gaussian, 100));
  const std::vector<Polygon> wrong{
      {},
      {{{256, 256}}},
      {{{256, 256}, {2560, 2560}}},                               // two vertices
      box_outline(200, 200, 300, 300),                            // outside
      box_outline(-300, 10, -200, 90),                            // outside, on the other side
      box_outline(10.25, 10.25, 10.75, 10.75),                    // between the pixels
      {{{0, 0}, {9000, 9000}, {9000, 0}, {0, 9000}}},             // crosses itself
      {{{0, 0}, {9000, 0}, {9000, 9000}, {4000, 0}, {0, 9000}}},  // touches itself
      {{{0, 0}, {9000, 0}, {4000, 0}}}};                          // folds back
  for (const SegmentSchedule schedule : every_schedule) {
    for (std::size_t i = 0; i < wrong.size(); ++i) {
      SegmentInputs inputs;
      inputs.start = wrong[i];
      const std::string refusal =
          refusal_of(image, {.noise = NoiseModel::gaussian, .schedule = schedule}, inputs);
      EXPECT_NE(refusal, "not refused") << i;
      EXPECT_EQ(refusal.find('\n'), std::string::npos) << refusal;
    }
  }
}

TEST(SegmentLimits, WrongImagesAreRefused) {
  const Image volume = Image::allocate({.shape = {8, 8, 3}, .type = PixelType::u8});
  const Image colours = Image::allocate({.shape = {8, 8, 1}, .channels = 3, .type = PixelType::u8});
  EXPECT_NE(refusal_of(volume, {}), "not refused");
  EXPECT_NE(refusal_of(colours, {}), "not refused");
  for (const float wrong :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    PhantomOptions options = star_of(NoiseModel::gaussian, 100);
    options.type = PixelType::f32;
    Image image = phantom(options);
    image.mutable_row<float>(41)[17] = wrong;
    EXPECT_NE(refusal_of(image, {.noise = NoiseModel::gaussian}), "not refused") << wrong;
    EXPECT_NE(refusal_of(image, {}), "not refused") << wrong;
  }
}

TEST(SegmentLimits, FamiliesRefuseValuesTheyCannotHave) {
  PhantomOptions options = star_of(NoiseModel::gaussian, 100);
  EXPECT_NE(refusal_of(phantom(options), {.noise = NoiseModel::bernoulli}), "not refused");
  options.type = PixelType::f32;
  options.levels = {-3, 4};
  const Image negative = phantom(options);
  for (const NoiseModel noise : {NoiseModel::gamma, NoiseModel::poisson, NoiseModel::rayleigh}) {
    EXPECT_NE(refusal_of(negative, {.noise = noise}), "not refused") << name_of(noise);
  }
}

TEST(SegmentLimits, OptionsOutOfRangeAreRefused) {
  const Image image = phantom(star_of(NoiseModel::gaussian, 60));
  EXPECT_NE(refusal_of(image, {.min_segment = 1}), "not refused");
  EXPECT_NE(refusal_of(image, {.max_step = 0}), "not refused");
  EXPECT_NE(refusal_of(image, {.noise = NoiseModel::gamma, .looks = 0}), "not refused");
}

/// Small images of every make, with every option: an answer, and its figures are true.
TEST(SegmentLimits, RandomSmallImagesHaveTrueFigures) {
  phantoms::UniformSequence random(31, 0, phantoms::Purpose::geometry);
  int found = 0;
  for (int round = 0; round < 600; ++round) {
    const std::int64_t width = 1 + drawn_below(70, random), height = 1 + drawn_below(60, random);
    const std::int64_t contrast = drawn_below(400, random), noise = 1 + drawn_below(300, random);
    const double x = 70 * random.next(), y = 60 * random.next(), r = 40 * random.next();
    Image image = flat_image(width, height, 0);
    for (std::int64_t row = 0; row < height; ++row) {
      for (std::int64_t column = 0; column < width; ++column) {
        const bool in =
            std::hypot(static_cast<double>(column) - x, static_cast<double>(row) - y) < r;
        image.mutable_row<std::uint16_t>(row)[column] =
            static_cast<std::uint16_t>(100 + drawn_below(noise, random) + (in ? contrast : 0));
      }
    }
    const auto place = static_cast<std::size_t>(drawn_below(4, random));
    const SegmentOptions options{
        .noise = std::array{NoiseModel::gaussian, NoiseModel::gamma, NoiseModel::poisson,
                            NoiseModel::rayleigh}[place],
        .schedule = every_schedule[static_cast<std::size_t>(drawn_below(2, random))],
        .store = drawn_below(2, random) == 0 ? SumStore::base32 : SumStore::full,
        .min_segment = 2 + 20 * random.next()};
    const SegmentResult result = segment(image, options);
    for (const Outline& outline : result.outlines) {
      ++found;
      ASSERT_TRUE(is_simple(outline.polygon)) << round;
      const Sides sides = sides_of(values_of(image), image.shape(), outline.polygon);
      ASSERT_EQ(outline.inside.pixels, static_cast<std::int64_t>(sides.inside.size())) << round;
      ASSERT_NEAR(outline.criterion, plain_criterion(sides, result.figures), 1e-4) << round;
      ASSERT_GT(outline.gain, 0) << round;
    }
  }
  EXPECT_GT(found, 100);
}

/// A view whose rows are further apart than they are long.
TEST(SegmentLimits, PitchDoesNotMatter) {
  const PhantomOptions options = star_of(NoiseModel::gaussian, 150);
  const Image image = phantom(options);
  std::vector<std::uint16_t> memory(150 * 200, 65535);
  for (std::int64_t y = 0; y < 150; ++y) {
    std::copy_n(image.row<std::uint16_t>(y), 150, memory.data() + 200 * y);
  }
  const Image wrapped = Image::wrap(memory.data(), image.description(), {400, 60000, 60000});
  const SegmentOptions gaussian{.noise = NoiseModel::gaussian};
  const SegmentResult found = segment(wrapped, gaussian), expected = segment(image, gaussian);
  EXPECT_EQ(found.outlines.at(0).polygon, expected.outlines.at(0).polygon);
}

}  // namespace
}  // namespace meander
