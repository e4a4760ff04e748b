// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/phantom.hpp"

#include <algorithm>
#include <set>
#include <thread>

#include "phantom/pixels.hpp"

namespace meander {
namespace {

constexpr PhantomKind all_kinds[] = {
    PhantomKind::star,    PhantomKind::blobs,   PhantomKind::rings,
    PhantomKind::ushape,  PhantomKind::vessels, PhantomKind::shepp_logan,
    PhantomKind::impulse, PhantomKind::step,    PhantomKind::constant};
constexpr NoiseFamily all_families[] = {
    NoiseFamily::none,     NoiseFamily::gaussian, NoiseFamily::gamma,    NoiseFamily::poisson,
    NoiseFamily::rayleigh, NoiseFamily::variance, NoiseFamily::bernoulli};

PhantomOptions options_of(PhantomKind kind, const Shape& size,
                          NoiseFamily family = NoiseFamily::none) {
  PhantomOptions options{.kind = kind, .size = size};
  options.noise = {family, family == NoiseFamily::variance ? 2.0 : 1.0};
  options.seed = 42;
  return options;
}

template <class Slab>
std::vector<double> in_slabs(const Phantom& phantom, std::int64_t thickness, Slab slab) {
  std::vector<double> all;
  const std::int64_t length = slab_length_of(phantom);
  for (std::int64_t begin = 0; begin < length; begin += thickness) {
    const auto part = numbers_of(slab(begin, std::min(begin + thickness, length)));
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

/// Sizes with odd widths, so that slabs begin at odd pixels too; more rows than a band has.
TEST(Phantom, SlabsEqualTheWhole) {
  for (const Shape& size : {Shape{47, 150, 1}, Shape{13, 21, 11}}) {
    for (const PhantomKind kind : all_kinds) {
      for (const NoiseFamily family : all_families) {
        const Phantom phantom(options_of(kind, size, family));
        const auto whole = numbers_of(phantom.slab(0, slab_length_of(phantom)));
        const auto truth = numbers_of(whole_truth(phantom));
        for (const std::int64_t thickness : {1, 4, 77}) {
          EXPECT_EQ(whole, in_slabs(phantom, thickness,
                                    [&](auto a, auto b) { return phantom.slab(a, b); }));
          EXPECT_EQ(truth, in_slabs(phantom, thickness,
                                    [&](auto a, auto b) { return phantom.truth_slab(a, b); }));
        }
      }
    }
  }
}

TEST(Phantom, ThreadsMayFillSlabsAtOnce) {
  const Phantom phantom(options_of(PhantomKind::vessels, {101, 90, 1}, NoiseFamily::gaussian));
  Image together = Image::allocate(phantom.description());
  {
    std::vector<std::jthread> threads;
    for (std::int64_t y = 0; y < 90; y += 30) {
      threads.emplace_back([&, y] {
        Image rows = together.rows(y, y + 30);
        phantom.fill(rows, y);
      });
    }
  }
  EXPECT_EQ(numbers_of(together), numbers_of(phantom.slab(0, 90)));
}

TEST(Phantom, SeedsDecideTheNoise) {
  for (const NoiseFamily family : all_families) {
    PhantomOptions options = options_of(PhantomKind::star, {40, 40, 1}, family);
    const auto first = numbers_of(phantom(options));
    EXPECT_EQ(first, numbers_of(phantom(options)));
    options.seed += std::uint64_t{1} << 32;
    EXPECT_EQ(first == numbers_of(phantom(options)), family == NoiseFamily::none);
  }
}

TEST(Phantom, WithoutNoiseThereAreTwoValuesThatFollowTheMask) {
  for (const PhantomKind kind : all_kinds) {
    if (kind == PhantomKind::shepp_logan || kind == PhantomKind::impulse) continue;
    const Phantom phantom(options_of(kind, {90, 75, 1}));
    const auto pixels = numbers_of(phantom.slab(0, 75));
    const auto mask = numbers_of(whole_truth(phantom));
    for (std::size_t i = 0; i < pixels.size(); ++i)
      ASSERT_EQ(pixels[i], mask[i] == 255 ? 32000 : 20000);
    EXPECT_EQ(std::set<double>(mask.begin(), mask.end()).size(),
              kind == PhantomKind::constant ? 1u : 2u);
  }
}

TEST(Phantom, HeadHasItsLevelsBetweenBackgroundAndTarget) {
  const auto pixels = numbers_of(phantom(options_of(PhantomKind::shepp_logan, {256, 256, 1})));
  const std::set<double> values(pixels.begin(), pixels.end());
  EXPECT_EQ(values, (std::set<double>{20000, 21200, 22400, 23600, 24800, 32000}));
}

/// Every extent from 1 up; the head is the one whose regions could leave the scale.
TEST(Phantom, TinyAndNarrowSizesWork) {
  for (const PhantomKind kind : all_kinds) {
    for (const Shape& size :
         {Shape{1, 1, 1}, Shape{1, 9, 1}, Shape{9, 1, 1}, Shape{2, 2, 1}, Shape{3, 3, 1},
          Shape{1, 1, 5}, Shape{2, 1, 2}, Shape{700, 1, 1}, Shape{1, 700, 3}}) {
      const Phantom phantom(options_of(kind, size, NoiseFamily::gaussian));
      EXPECT_EQ(phantom.slab(0, slab_length_of(phantom)).shape(), size);
      EXPECT_EQ(whole_truth(phantom).shape(), size);
    }
  }
  for (std::int64_t x = 1; x < 40; ++x) {
    for (std::int64_t y = 1; y < 40; ++y) {
      EXPECT_NO_THROW(phantom(options_of(PhantomKind::shepp_logan, {x, y, 1}))) << x << " " << y;
    }
    EXPECT_NO_THROW(phantom(options_of(PhantomKind::shepp_logan, {x, 40 - x, 1 + x % 7}))) << x;
  }
}

TEST(Phantom, RowsBeyondTheFirstFourThousandMillionPixelsHaveTheirOwnNoise) {
  PhantomOptions options =
      options_of(PhantomKind::constant, {1000000, 10000, 1}, NoiseFamily::gaussian);
  const Phantom phantom(options);
  // Pixel 2^32 + 0 is in row 4294, column 967296: equal to pixel 0 only if the index lost its upper
  // half.
  const Image first = phantom.slab(0, 1), later = phantom.slab(4294, 4295);
  EXPECT_FALSE(std::equal(first.row<std::uint16_t>(0), first.row<std::uint16_t>(0) + 100,
                          later.row<std::uint16_t>(0) + 967296));
  const Image even_later = phantom.slab(8589, 8590);  // pixel 2^33, column 934592
  EXPECT_FALSE(std::equal(first.row<std::uint16_t>(0), first.row<std::uint16_t>(0) + 100,
                          even_later.row<std::uint16_t>(0) + 934592));
}

TEST(Phantom, FillsPaddedAndForeignMemory) {
  const Phantom phantom(options_of(PhantomKind::star, {31, 12, 1}, NoiseFamily::poisson));
  std::vector<std::uint16_t> memory(12 * 50, 7);
  Image image = Image::wrap(memory.data(), phantom.description(), {100, 1200, 1200});
  phantom.fill(image, 0);
  EXPECT_EQ(numbers_of(image), numbers_of(phantom.slab(0, 12)));
  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (i % 50 >= 31) {
      ASSERT_EQ(memory[i], 7);
    }
  }
}

TEST(Phantom, DescribesImageAndTruth) {
  PhantomOptions options = options_of(PhantomKind::star, {31, 12, 4});
  options.type = PixelType::f32;
  const Phantom phantom(options);
  EXPECT_EQ(phantom.description(), (Description{{31, 12, 4}, 1, PixelType::f32, {}}));
  EXPECT_EQ(phantom.truth_description(), (Description{{31, 12, 4}, 1, PixelType::u8, {}}));
}

TEST(Phantom, RefusesSlabsThatDoNotFit) {
  const Phantom phantom(options_of(PhantomKind::star, {20, 10, 1}));
  EXPECT_THROW(phantom.slab(0, 11), InvalidArgument);
  EXPECT_THROW(phantom.slab(-1, 5), InvalidArgument);
  EXPECT_THROW(phantom.slab(5, 5), InvalidArgument);
  EXPECT_THROW(phantom.truth_slab(9, 12), InvalidArgument);
  Image narrow = Image::allocate({{19, 5, 1}, 1, PixelType::u16, {}});
  EXPECT_THROW(phantom.fill(narrow, 0), InvalidArgument);
  Image wrong_type = Image::allocate({{20, 5, 1}, 1, PixelType::u8, {}});
  EXPECT_THROW(phantom.fill(wrong_type, 0), InvalidArgument);
  Image slab = Image::allocate({{20, 5, 1}, 1, PixelType::u16, {}});
  EXPECT_THROW(phantom.fill(slab, 6), InvalidArgument);
  EXPECT_THROW(phantom.fill_truth(slab, 0), InvalidArgument);
  EXPECT_NO_THROW(phantom.fill(slab, 5));
}

TEST(Phantom, OutlinesExistWhereThereArePolygons) {
  for (const PhantomKind kind : all_kinds) {
    const Phantom flat(options_of(kind, {60, 60, 1}));
    EXPECT_THROW(Phantom(options_of(kind, {6, 6, 6})).outlines(), Unsupported);
    if (kind == PhantomKind::vessels || kind == PhantomKind::rings) {
      EXPECT_THROW(flat.outlines(), Unsupported);
    } else {
      EXPECT_EQ(flat.outlines().empty(), kind == PhantomKind::constant);
    }
  }
}

TEST(Phantom, StopsOnRequestAndReportsProgress) {
  const Phantom phantom(options_of(PhantomKind::star, {20, 500, 1}));
  std::stop_source source;
  std::vector<double> fractions;
  const Control control{source.get_token(), [&](double fraction) {
                          fractions.push_back(fraction);
                          if (fraction > 0.4) source.request_stop();
                        }};
  EXPECT_THROW(phantom.slab(0, 500, control), Cancelled);
  ASSERT_FALSE(fractions.empty());
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_LT(fractions.back(), 0.7);
}

}  // namespace
}  // namespace meander
