// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "contour/likelihood/criterion.hpp"
#include "contour/likelihood/noise_choice.hpp"

/// Against SciPy: criterion_golden.txt is written by criterion_golden.py.
namespace meander::contour {
namespace {

struct Cut {
  std::string bits;
  std::map<std::string, double> lengths;  ///< -log likelihood, by family.
};

struct GoldenImage {
  std::string family;
  double looks = 0;
  std::vector<std::int64_t> values;
  std::vector<Cut> cuts;
};

std::vector<GoldenImage> golden_images() {
  std::vector<GoldenImage> images;
  std::ifstream file(MEANDER_CRITERION_GOLDEN);
  EXPECT_TRUE(file) << MEANDER_CRITERION_GOLDEN;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string word;
    line >> word;
    if (word == "image") {
      GoldenImage& image = images.emplace_back();
      std::int64_t x = 0, y = 0;
      line >> image.family >> image.looks >> x >> y;
      for (std::int64_t value = 0; line >> value;) image.values.push_back(value);
      EXPECT_EQ(image.values.size(), static_cast<std::size_t>(x * y));
    }
    if (word == "cut") {
      Cut& cut = images.back().cuts.emplace_back();
      line >> cut.bits;
      EXPECT_EQ(cut.bits.size(), images.back().values.size());
      while (line >> word) {
        const auto equals = word.find('=');
        cut.lengths[word.substr(0, equals)] = std::stod(word.substr(equals + 1));
      }
    }
  }
  EXPECT_EQ(images.size(), 6u);
  return images;
}

/// Sums over the pixels whose bit is `wanted`, each value plus `shift`.
RegionSums sums_of(const GoldenImage& image, const Cut& cut, char wanted, std::int64_t shift) {
  RegionSums sums;
  for (std::size_t i = 0; i < image.values.size(); ++i) {
    const auto value = static_cast<std::uint64_t>(image.values[i] + shift);
    if (cut.bits[i] == wanted) sums += RegionSums{1, value, value * value};
  }
  return sums;
}

Criterion::Family family_of(const std::string& name, double looks, std::int64_t shift) {
  return {OptionText<NoiseModel>::parse(name), looks > 0 ? looks : 1, 7 + shift, 12 + shift};
}

/// The criterion leaves out what does not depend on the outline: so what it says of two outlines
/// differs by as much as their likelihoods do, also where numbers stand for grey levels 32768
/// lower, as those of i16 do.
TEST(CriterionGolden, DiffersLikeTheLogLikelihood) {
  int compared = 0;
  for (const GoldenImage& image : golden_images()) {
    for (const std::int64_t shift : {0, 32768}) {
      for (const auto& [name, first_length] : image.cuts[0].lengths) {
        const RegionSums total =
            sums_of(image, image.cuts[0], '1', shift) + sums_of(image, image.cuts[0], '0', shift);
        const Criterion criterion(family_of(name, image.looks, shift), {.zero = shift}, total);
        const double first = criterion.of(sums_of(image, image.cuts[0], '1', shift));
        for (const Cut& cut : image.cuts) {
          EXPECT_NEAR(criterion.of(sums_of(image, cut, '1', shift)) - first,
                      cut.lengths.at(name) - first_length, 3e-6)
              << image.family << " as " << name << " shift " << shift;
          // The two regions are alike: which of them is called the inside does not matter.
          EXPECT_EQ(criterion.of(sums_of(image, cut, '1', shift)),
                    criterion.of(sums_of(image, cut, '0', shift)));
          ++compared;
        }
      }
    }
  }
  EXPECT_EQ(compared, 2 * 4 * (5 * 4 + 1));
}

/// What `auto` compares: whole likelihoods and half the log of the number of pixels for each
/// parameter.
TEST(CriterionGolden, WholeLikelihoodsAreScipys) {
  for (const GoldenImage& image : golden_images()) {
    if (image.family == "bernoulli") continue;
    for (const Cut& cut : image.cuts) {
      SideCounts sides{Counts(65536, 0), Counts(65536, 0)};
      for (std::size_t i = 0; i < image.values.size(); ++i) {
        ++(cut.bits[i] == '1' ? sides.inside
                              : sides.outside)[static_cast<std::size_t>(image.values[i])];
      }
      const double half_log = std::log(static_cast<double>(image.values.size())) / 2;
      const auto found = likelihoods(sides, {}, image.looks > 0 ? image.looks : 1);
      ASSERT_EQ(found.size(), 4u);
      for (const Likelihood& one : found) {
        const double parameters = one.noise == NoiseModel::gaussian ? 4 : 2;
        const std::string name = OptionText<NoiseModel>::format(one.noise);
        EXPECT_NEAR(one.description_length, cut.lengths.at(name) + parameters * half_log, 1e-7)
            << image.family << " as " << name;
      }
      for (std::size_t i = 1; i < found.size(); ++i) {
        EXPECT_LE(found[i - 1].description_length, found[i].description_length);
      }
    }
  }
}

/// Regions without noise, of nothing but 0, or empty have a finite criterion.
TEST(CriterionGolden, FiniteWithoutNoise) {
  const RegionSums zeros{50, 0, 0}, nines{20, 180, 1620};
  for (const NoiseModel noise : {NoiseModel::gaussian, NoiseModel::gamma, NoiseModel::poisson,
                                 NoiseModel::bernoulli, NoiseModel::rayleigh}) {
    const Criterion criterion({noise, 1, 0, 9}, {}, zeros + nines);
    for (const RegionSums& inside : {zeros, nines, RegionSums{}, zeros + nines}) {
      EXPECT_TRUE(std::isfinite(criterion.of(inside))) << OptionText<NoiseModel>::format(noise);
    }
    EXPECT_LT(criterion.of(zeros), criterion.undivided()) << OptionText<NoiseModel>::format(noise);
  }
}

/// Sums of a region of 4·10^9 pixels of 65535: the products of the variance leave 64 bits.
TEST(CriterionGolden, LargeSumsAreExact) {
  const std::uint64_t n = 4000000000;
  RegionSums region{n, n * 65535, n * 65535 * 65535};
  region += {1, 65533, 65533ULL * 65533};
  EXPECT_EQ(scatter(region), static_cast<double>(n) * 4);  // n values of d and one of d - 2
}

}  // namespace
}  // namespace meander::contour
