// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>

#include "contour/detect/detect.hpp"
#include "contour/detect/detect_testing.hpp"
#include "contour/geometry/pixel_set.hpp"
#include "contour/objects/objects_testing.hpp"
#include "meander/meander.hpp"

/// What phantoms do not have: blurred edges, texture, neighbours of all levels, light that
/// scatters.
namespace meander {
namespace {

using namespace testing;

Image real(const char* name) { return io::read(std::filesystem::path(MEANDER_REAL_IMAGES) / name); }

Image cropped(const Image& image, std::int64_t x0, std::int64_t y0, std::int64_t x1,
              std::int64_t y1) {
  Image out = Image::allocate({.shape = {x1 - x0, y1 - y0, 1}, .type = PixelType::u8});
  for (std::int64_t y = y0; y < y1; ++y) {
    std::copy_n(image.row<std::uint8_t>(y) + x0, x1 - x0, out.mutable_row<std::uint8_t>(y - y0));
  }
  return out;
}

/// The number of the object at every pixel.
Image labels_in(const SegmentResult& result, const Shape& shape) {
  std::vector<LabelledRegion> labelled;
  for (const Outline& outline : result.outlines) {
    labelled.push_back({outline.id, {outline.polygon, outline.holes}});
  }
  Image labels = Image::allocate({.shape = shape, .type = PixelType::u16});
  fill_labels(labelled, labels, 0);
  return labels;
}

/// IoU of every pair of objects that meet, by their labels.
template <class A, class B>
std::map<std::pair<int, int>, double> overlaps(const Image& a, const Image& b) {
  std::map<int, double> of_a, of_b;
  std::map<std::pair<int, int>, double> of_both;
  for (std::int64_t y = 0; y < a.shape().y; ++y) {
    for (std::int64_t x = 0; x < a.shape().x; ++x) {
      const int i = a.row<A>(y)[x], k = b.row<B>(y)[x];
      ++of_a[i], ++of_b[k];
      if (i > 0 && k > 0) ++of_both[{i, k}];
    }
  }
  for (auto& [pair, common] : of_both) common /= of_a[pair.first] + of_b[pair.second] - common;
  return of_both;
}

double largest_area(const SegmentResult& result) {
  double most = 0;
  for (const Outline& outline : result.outlines) most = std::max(most, outline.area);
  return most;
}

/// F1 at an IoU of one half.
double f1_of(const SegmentResult& result, const Image& truth) {
  double matches = 0;
  for (const auto& [pair, iou] :
       overlaps<std::uint16_t, std::uint8_t>(labels_in(result, truth.shape()), truth)) {
    matches += iou > 0.5 ? 1 : 0;
  }
  const auto objects = static_cast<double>(regions_of_labels(truth).size());
  return 2 * matches / (static_cast<double>(result.outlines.size()) + objects);
}

/// Otsu's threshold of the image smoothed by 2 pixels has an F1 of .52 on the whole of it, a local
/// threshold .71, a watershed .68; the finding before this one had .50. By the likelihood of gamma
/// noise, which texture looks like, the outlines of this part overlap by .78.
TEST(Real, NucleiAreFoundAndOutlined) {
  const Image image = real("nuclei.npy"), truth = real("nuclei_labels.npy");
  const SegmentResult result = segment_objects(image, {});
  double matches = 0, sum = 0;
  for (const auto& [pair, iou] :
       overlaps<std::uint16_t, std::uint8_t>(labels_in(result, image.shape()), truth)) {
    if (iou > 0.5) matches += 1, sum += iou;
  }
  EXPECT_GT(f1_of(result, truth), 0.76);
  EXPECT_GT(sum / matches, 0.82);
}

/// Texture is no noise, whatever family it looks like.
TEST(Real, TextureIsToldFromNoise) {
  EXPECT_FALSE(contour::detect(real("nuclei.npy"), {}, {}).is_noise);
  PhantomOptions options{.kind = PhantomKind::blobs,
                         .size = {300, 300, 1},
                         .noise = {.family = NoiseFamily::gaussian},
                         .snr = 3,
                         .seed = 4,
                         .count = 6};
  EXPECT_TRUE(contour::detect(phantom(options), {}, {}).is_noise);
  options.noise = {.family = NoiseFamily::gamma};
  EXPECT_TRUE(contour::detect(phantom(options), {}, {}).is_noise);
}

/// A smoothed image has no noise from pixel to pixel, and was one outline of a third of itself.
TEST(Real, SmoothedNucleiStayApart) {
  const Image image = smooth(real("nuclei.npy"), {.sigma = {1, 1, 1}});
  const Image truth = real("nuclei_labels.npy");
  for (const bool merge : {false, true}) {
    ObjectOptions options;
    options.split = true, options.merge = merge;
    const SegmentResult result = segment_objects(image, options);
    // A cluster of six that no dip parts has some 1500 pixels.
    EXPECT_LT(largest_area(result), 3000) << merge;
    EXPECT_GT(f1_of(result, truth), merge ? 0.5 : 0.65) << merge;
  }
}

/// The true labels as starts: they were refused ("holds all pixels of the image"), and with one
/// background for all an object grew over most of it.
TEST(Real, TrueLabelsAreStartsThatStay) {
  const Image image = real("nuclei.npy"), truth = real("nuclei_labels.npy");
  std::vector<Region> starts;
  for (LabelledRegion& start : regions_of_labels(truth)) starts.push_back(std::move(start.region));
  for (const Background background : {Background::global, Background::local}) {
    ObjectOptions options;
    options.background = background;
    const SegmentResult result = segment_objects(image, options, {starts, true});
    EXPECT_LT(largest_area(result), 3000);
    EXPECT_GT(f1_of(result, truth), 0.9);
  }
}

/// A point in each nucleus: one of them grew over the background, and over others.
TEST(Real, APointInEachNucleusFindsIt) {
  const Image image = real("nuclei.npy"), truth = real("nuclei_labels.npy");
  std::vector<Region> starts;
  for (const LabelledRegion& nucleus : regions_of_labels(truth)) {
    const Point middle = contour::centroid_of(nucleus.region);
    starts.push_back(disc(middle.x, middle.y, 3));
  }
  for (const NoiseModel noise : {NoiseModel::automatic, NoiseModel::gaussian}) {
    ObjectOptions options;
    options.search.noise = noise;
    const SegmentResult result = segment_objects(image, options, {starts});
    EXPECT_LT(largest_area(result), 1000);
    EXPECT_GT(f1_of(result, truth), 0.85);
    expect_side_by_side(result, image.shape());
  }
}

/// What lies far away hardly matters: what a part of the image holds is found in it nearly as in
/// the whole. These nuclei have some 200 pixels and outlines of 5 nodes, of which each may move a
/// little.
TEST(Real, APartHasTheObjectsOfTheWhole) {
  const Image image = real("nuclei.npy");
  const Image whole = labels_in(segment_objects(image, {}), image.shape());
  const Image part = cropped(image, 40, 40, 256, 256);
  const Image found = labels_in(segment_objects(part, {}), part.shape());
  Image same = Image::allocate({.shape = part.shape(), .type = PixelType::u16});
  std::map<int, bool> is_inside;
  for (std::int64_t y = 0; y < 256; ++y) {
    for (std::int64_t x = 0; x < 256; ++x) {
      const std::uint16_t label = whole.row<std::uint16_t>(y)[x];
      if (x >= 40 && y >= 40) same.mutable_row<std::uint16_t>(y - 40)[x - 40] = label;
      if (label == 0) continue;
      // With what lies around it.
      const bool is_here = x >= 60 && y >= 60;
      is_inside.try_emplace(label, true).first->second &= is_here;
    }
  }
  std::map<int, double> best;
  for (const auto& [pair, iou] : overlaps<std::uint16_t, std::uint16_t>(same, found)) {
    best[pair.first] = std::max(best[pair.first], iou);
  }
  double inside = 0, kept = 0;
  for (const auto& [label, is_whole] : is_inside) {
    if (!is_whole) continue;
    inside += 1;
    kept += best[label] >= 0.8 ? 1 : 0;
  }
  EXPECT_GT(inside, 8);
  EXPECT_GE(kept, 0.85 * inside) << kept << " of " << inside;
}

/// No outline hangs together by less than two pixels.
TEST(Real, OutlinesHaveNoNecks) {
  const Image image = real("nuclei.npy");
  const Image labels = labels_in(segment_objects(image, {}), image.shape());
  std::map<int, int> squares;  // by label, those that are not the part's whose first row is highest
  Image opened = Image::allocate({.shape = image.shape(), .type = PixelType::u16});
  for (std::int64_t y = 0; y < 256; ++y) {
    std::fill_n(opened.mutable_row<std::uint16_t>(y), 256, std::uint16_t{0});
  }
  for (std::int64_t y = 0; y + 1 < 256; ++y) {
    for (std::int64_t x = 0; x + 1 < 256; ++x) {
      const auto *upper = labels.row<std::uint16_t>(y), *lower = labels.row<std::uint16_t>(y + 1);
      const std::uint16_t label = upper[x];
      if (label == 0 || upper[x + 1] != label || lower[x] != label || lower[x + 1] != label)
        continue;
      for (const std::int64_t row : {y, y + 1}) {
        opened.mutable_row<std::uint16_t>(row)[x] = opened.mutable_row<std::uint16_t>(row)[x + 1] =
            label;
      }
    }
  }
  for (const LabelledRegion& part : regions_of_labels(opened))
    ++squares[static_cast<int>(part.label)];
  for (const auto& [label, parts] : squares) EXPECT_EQ(parts, 1) << label;
}

constexpr std::array<std::pair<int, int>, 4> four_centres{
    {{40, 40}, {115, 45}, {45, 115}, {112, 112}}};

/// Discs of radius 15 as a lens shows them, over 100 counts and a slope.
Picture blurred_discs(double noise, double contrast, double blur, double slope) {
  Picture picture{.width = 160, .height = 160, .sigma = noise};
  picture.background = [=](std::int64_t x, std::int64_t y) {
    double level = 100 + slope * static_cast<double>(x);
    for (const auto& [cx, cy] : four_centres) {
      const double r = std::hypot(static_cast<double>(x - cx), static_cast<double>(y - cy));
      level += contrast / 2 * std::erfc((r - 15) / (blur * std::numbers::sqrt2));
    }
    return level;
  };
  return picture;
}

/// Discs of radius 15 as a lens of 1.5 pixels shows them, 400 counts over 100 and noise of 10. A
/// likelihood with a variance for either side lies at the foot of such an edge and overlaps by .92.
TEST(Real, BlurredEdgesEndBeforeTheirFoot) {
  const Picture picture = blurred_discs(10, 400, 1.5, 0);
  const SegmentResult result = segment_objects(picture.image(), {});
  ASSERT_EQ(result.outlines.size(), 4U);
  for (const Outline& outline : result.outlines) {
    double best = 0;
    for (const auto& [cx, cy] : four_centres) {
      best =
          std::max(best, intersection_over_union(region_of(outline), disc(cx, cy, 15), 160, 160));
    }
    EXPECT_GT(best, 0.93) << outline.id;
  }
}

/// Without noise the foot of a blurred edge is seen, and people draw outlines near it: three tenths
/// of the way up, half a standard deviation of the blur outside of half the contrast.
TEST(Real, ClearBlurredEdgesAreDrawnNearTheirFoot) {
  // With shading, so that each is told from the level next to it.
  const Picture picture = blurred_discs(3, 4000, 3, 1);
  const SegmentResult result = segment_objects(picture.image(), {});
  ASSERT_EQ(result.outlines.size(), 4U);
  for (const Outline& outline : result.outlines) {
    // At half: a radius of less than 15. At three tenths of the contrast of the mean, which is less
    // than that of the middle: 1.5 to 2.5 pixels more.
    EXPECT_NEAR(std::sqrt(outline.area / std::numbers::pi), 17, 0.7) << outline.id;
  }
}

/// A start of its object's shape goes no farther than its radius; another one grows.
TEST(Zones, StartsWithShapesStayNearThem) {
  Picture picture{.width = 320, .height = 320};
  picture.objects = {{disc(165, 160, 110), 1300}};
  const Image image = picture.image();
  // Windows reach half of a start's length beyond it, zones the radius of a disc of its area.
  const std::vector<Region> bar{{box_outline(115, 155, 215, 165), {}}};
  const auto area = [&](bool has_shapes) {
    const SegmentResult result = segment_objects(image, gaussian(), {bar, has_shapes});
    return result.outlines.empty() ? 0.0 : result.outlines[0].area;
  };
  EXPECT_GT(area(false), 36000);
  // The radius is 17.8 pixels, in blocks of 4: at most 24 and two halves of a block around the bar.
  EXPECT_LT(area(true), (100 + 2 * 28) * (10 + 2 * 28));
  EXPECT_GT(area(true), 900);
}

}  // namespace
}  // namespace meander
