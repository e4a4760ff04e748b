// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <stop_token>

#include "io_testing.hpp"

namespace meander::io {
namespace {

/// A suffix and a type it can hold.
struct Case {
  std::string suffix;
  PixelType type;
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.suffix << " " << name_of(one.type); }

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string suffix :
       {".npy", ".png", ".tif", ".tiff", ".ome.tif", ".ome.tiff", ".nrrd", ".mha"}) {
    for (const PixelType type : all_pixel_types) {
      if (can_hold("a" + suffix, type)) all.push_back({suffix, type});
    }
  }
  return all;
}

class RoundTrip : public testing::TestWithParam<Case> {
 protected:
  /// Every shape and number of channels that the format can hold, sizes chosen to hurt.
  std::vector<Description> descriptions() const {
    std::vector<Description> all;
    const bool flat = suffix() == ".png";
    const Spacing awkward{0.1 + 0.2, 1.0 / 3, 2.7e-3, Unit::micrometre};
    for (const Shape shape : {Shape{597, 43, 1}, Shape{1, 1, 1}, Shape{1, 37, 1}, Shape{37, 1, 1},
                              Shape{13, 7, 5}, Shape{64, 3, 2}, Shape{1, 1, 9}}) {
      for (const int channels : {1, 2, 3, 4, 5}) {
        if (flat && (shape.z > 1 || channels > 4)) continue;
        all.push_back({shape, channels, GetParam().type, suffix() == ".npy" ? Spacing{} : awkward});
      }
    }
    return all;
  }
  std::string suffix() const { return GetParam().suffix; }
  Folder folder;
};

ReadOptions options_for(const Description& description) {
  return {.channels_last = description.channels > 1};
}

std::string in_words(const Description& description) {
  return to_string(description.shape) + " with " + std::to_string(description.channels);
}

TEST_P(RoundTrip, KeepsEveryBitAndTheSpacing) {
  for (const Description& description : descriptions()) {
    SCOPED_TRACE(in_words(description));
    const Image image = random_image(description);
    write(folder / ("a" + suffix()), image);
    const Image back = read(folder / ("a" + suffix()), options_for(description));
    EXPECT_EQ(back.description(), image.description());
    EXPECT_TRUE(same_pixels(back, image));
    EXPECT_EQ(folder.files(), 1u);
  }
}

Image part(const Image& image, std::int64_t begin, std::int64_t end) {
  return image.shape().z > 1 ? image.slices(begin, end) : image.rows(begin, end);
}

TEST_P(RoundTrip, SlabsGiveTheSameFile) {
  for (const Description& description : descriptions()) {
    SCOPED_TRACE(in_words(description));
    const Image image = random_image(description);
    write(folder / ("whole" + suffix()), image);
    Writer writer(folder / ("slabs" + suffix()), description);
    const std::int64_t length = slab_length(image.shape());
    for (std::int64_t begin = 0; begin < length; begin += 4) {
      writer.append(part(image, begin, std::min(begin + 4, length)));
    }
    writer.finish();
    EXPECT_TRUE(load(folder / ("slabs" + suffix())) == load(folder / ("whole" + suffix())));
  }
}

TEST_P(RoundTrip, SlabsAreThePartsAskedForInAnyOrder) {
  for (const Description& description : descriptions()) {
    SCOPED_TRACE(in_words(description));
    const Image image = random_image(description);
    write(folder / ("a" + suffix()), image);
    Reader reader(folder / ("a" + suffix()), options_for(description));
    const std::int64_t length = slab_length(image.shape());
    for (std::int64_t begin = 0; begin < length; begin += 3) {
      const std::int64_t end = std::min(begin + 3, length);
      EXPECT_TRUE(same_pixels(reader.slab(begin, end), part(image, begin, end))) << begin;
    }
    const std::int64_t last = length - 1;
    EXPECT_TRUE(same_pixels(reader.slab(last, length), part(image, last, length)));
    EXPECT_TRUE(same_pixels(reader.slab(0, 1), part(image, 0, 1)));
    EXPECT_TRUE(same_pixels(reader.slab(last, length), part(image, last, length)));
  }
}

std::string name_of_suffix(std::string suffix) {
  std::replace(suffix.begin(), suffix.end(), '.', '_');
  return suffix.substr(1);
}

std::string name_of_case(const testing::TestParamInfo<Case>& tested) {
  return name_of_suffix(tested.param.suffix) + "_" + std::string(name_of(tested.param.type));
}

INSTANTIATE_TEST_SUITE_P(Formats, RoundTrip, testing::ValuesIn(cases()), name_of_case);

class SpacingRoundTrip : public testing::TestWithParam<std::string> {};

TEST_P(SpacingRoundTrip, IsExactInEveryUnit) {
  if (!can_hold("a" + GetParam(), PixelType::u8)) GTEST_SKIP() << "not built: " << GetParam();
  const Folder folder;
  const double awkward[] = {0.1 + 0.2, 1.0 / 3, 1e-9, 6.25e7, 1, 0.65, 5e-324, 1.7e308};
  for (const Unit unit : {Unit::pixel, Unit::nanometre, Unit::micrometre, Unit::millimetre,
                          Unit::centimetre, Unit::metre}) {
    for (const double x : awkward) {
      const Spacing spacing{x, 1 / 7.0, 1e-3 / 3, unit};
      Description description{.shape = {3, 2, 1}, .type = PixelType::u8, .spacing = spacing};
      write(folder / ("a" + GetParam()), random_image(description));
      EXPECT_EQ(Reader(folder / ("a" + GetParam())).description().spacing, spacing) << x;
    }
  }
}

TEST_P(SpacingRoundTrip, NoneStaysNone) {
  if (!can_hold("a" + GetParam(), PixelType::u8)) GTEST_SKIP() << "not built: " << GetParam();
  const Folder folder;
  write(folder / ("a" + GetParam()), random_image({.shape = {3, 2, 1}, .type = PixelType::u8}));
  EXPECT_EQ(Reader(folder / ("a" + GetParam())).description().spacing, Spacing{});
}

INSTANTIATE_TEST_SUITE_P(Formats, SpacingRoundTrip, testing::Values(".png", ".tif", ".ome.tif"),
                         [](const auto& tested) { return name_of_suffix(tested.param); });

TEST(Control, ProgressRisesToOneAndStopIsHeeded) {
  const Folder folder;
  const Image image = random_image({.shape = {4000, 3000, 1}, .type = PixelType::u16});
  std::vector<double> fractions;
  const Control watch{.progress = [&](double f) { fractions.push_back(f); }};
  for (const std::string name : {"a.npy", "a.tif", "a.png"}) {
    if (!can_hold(folder / name, PixelType::u16)) continue;
    fractions.clear();
    write(folder / name, image, {}, watch);
    EXPECT_GE(fractions.size(), 5u) << name;
    EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end())) << name;
    EXPECT_EQ(fractions.back(), 1.0) << name;
    fractions.clear();
    read(folder / name, {}, watch);
    EXPECT_GE(fractions.size(), 5u) << name;
    EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end())) << name;
    EXPECT_EQ(fractions.back(), 1.0) << name;
    std::stop_source source;
    const Control stop{.stop = source.get_token(), .progress = [&](double f) {
                         if (f > 0.3) source.request_stop();
                       }};
    EXPECT_EQ(thrown_by([&] { read(folder / name, {}, stop); }).kind, "Cancelled") << name;
  }
}

}  // namespace
}  // namespace meander::io
