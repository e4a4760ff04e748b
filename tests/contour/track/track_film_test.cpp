// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "meander/device.hpp"
#include "meander/phantom.hpp"
#include "meander/track.hpp"

namespace meander {
namespace {

/// Counts of pixels of a frame by true and by found label.
using Table = std::map<std::uint16_t, std::map<std::uint16_t, std::int64_t>>;

Table counted(const Image& truth, const TrackFrame& frame) {
  Image labels = Image::allocate(truth.description());
  std::vector<LabelledRegion> regions;
  for (const TrackedObject& object : frame.objects) {
    regions.push_back({object.id, region_of(object)});
  }
  fill_labels(regions, labels, 0);
  Table table;
  for (std::int64_t y = 0; y < truth.shape().y; ++y) {
    for (std::int64_t x = 0; x < truth.shape().x; ++x) {
      const std::uint16_t is = truth.row<std::uint16_t>(y)[x];
      if (is != 0) ++table[is][labels.row<std::uint16_t>(y)[x]];
    }
  }
  return table;
}

/// The number that most of an object's pixels have; 0 when that is none.
std::uint16_t most_of(const std::map<std::uint16_t, std::int64_t>& counts) {
  const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
  return std::max_element(counts.begin(), counts.end(), less)->first;
}

TEST(TrackFilm, IdentitiesAreKept) {
  const Phantom film({.kind = PhantomKind::film,
                      .size = {192, 192, 60},
                      .noise = {NoiseFamily::gaussian},
                      .snr = 2,
                      .seed = 3});
  const Device cpu = Device::open("cpu");
  ObjectTracker tracker{ObjectOptions()};
  std::map<std::uint16_t, std::uint16_t> name_of;
  std::int64_t places = 0, kept = 0, divided = 0;
  for (std::int64_t t = 0; t < 60; ++t) {
    const TrackFrame frame = tracker.next(cpu.upload(film.slab(t, t + 1)));
    for (const TrackedObject& object : frame.objects) divided += object.parent != 0 ? 1 : 0;
    for (const auto& [object, counts] : counted(film.labels_slab(t, t + 1), frame)) {
      const std::uint16_t name = most_of(counts);
      const auto& [known, is_new] = name_of.try_emplace(object, name);
      ++places;
      kept += name != 0 && known->second == name ? 1 : 0;
    }
  }
  EXPECT_GT(places, 400);
  EXPECT_GE(static_cast<double>(kept), 0.99 * static_cast<double>(places));
  EXPECT_GE(divided, 2);
}

}  // namespace
}  // namespace meander
