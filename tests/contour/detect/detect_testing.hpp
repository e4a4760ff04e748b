// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "meander/meander.hpp"

/// Objects that were found beside those that are there.
namespace meander::testing {

struct Score {
  std::int64_t found = 0;  ///< Objects that one found region covers more than half of, and no less.
  std::int64_t false_ones = 0;  ///< Regions that are none of these.
  double mean_overlap = 0;      ///< Intersection over union of the found ones.
};

inline Image labels_of(const Phantom& scene) {
  Image labels = Image::allocate(scene.labels_description());
  scene.fill_labels(labels, 0);
  return labels;
}

/// A region and an object belong together when they share more than half of what either covers.
inline Score score_of(const std::vector<Region>& regions, const Phantom& scene) {
  const Image truth = labels_of(scene);
  std::vector<LabelledRegion> labelled;
  for (const Region& region : regions) {
    labelled.push_back({static_cast<std::int64_t>(labelled.size()) + 1, region});
  }
  Image found = Image::allocate({.shape = truth.shape(), .type = PixelType::u16});
  fill_labels(labelled, found, 0);
  std::map<int, std::int64_t> of_truth, of_found;
  std::map<std::pair<int, int>, std::int64_t> of_both;
  for (std::int64_t y = 0; y < truth.shape().y; ++y) {
    for (std::int64_t x = 0; x < truth.shape().x; ++x) {
      const int a = found.row<std::uint16_t>(y)[x], b = truth.row<std::uint16_t>(y)[x];
      if (a > 0) ++of_found[a];
      if (b > 0) ++of_truth[b];
      if (a > 0 && b > 0) ++of_both[{a, b}];
    }
  }
  Score score;
  for (const auto& [pair, pixels] : of_both) {
    const std::int64_t either = of_found[pair.first] + of_truth[pair.second] - pixels;
    if (2 * pixels <= either) continue;
    ++score.found;
    score.mean_overlap += static_cast<double>(pixels) / static_cast<double>(either);
  }
  score.false_ones = static_cast<std::int64_t>(regions.size()) - score.found;
  if (score.found > 0) score.mean_overlap /= static_cast<double>(score.found);
  return score;
}

/// As a lens would: every pixel as the mean of the nine around it, of integers.
inline Image smeared(const Image& image) {
  Image out = Image::allocate(image.description());
  const Shape& shape = image.shape();
  for (std::int64_t y = 0; y < shape.y; ++y) {
    for (std::int64_t x = 0; x < shape.x; ++x) {
      int sum = 0;
      for (std::int64_t j = -1; j <= 1; ++j) {
        const auto* row = image.row<std::uint16_t>(std::clamp<std::int64_t>(y + j, 0, shape.y - 1));
        for (std::int64_t i = -1; i <= 1; ++i) {
          sum += row[std::clamp<std::int64_t>(x + i, 0, shape.x - 1)];
        }
      }
      out.mutable_row<std::uint16_t>(y)[x] = static_cast<std::uint16_t>(sum / 9);
    }
  }
  return out;
}

}  // namespace meander::testing
