// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>
#include <map>
#include <set>

#include "phantom/pixels.hpp"

namespace meander {
namespace {

PhantomOptions film_of(const Shape& size, std::optional<std::int64_t> count = {},
                       std::uint64_t seed = 3) {
  return {.kind = PhantomKind::film, .size = size, .seed = seed, .count = count};
}

struct Life {
  std::int64_t first = 0, last = 0, frames = 0, parent = 0;
};

std::map<std::int64_t, Life> lives_of(const std::vector<PhantomTrack>& tracks) {
  std::map<std::int64_t, Life> lives;
  for (const PhantomTrack& track : tracks) {
    const auto [entry, is_new] = lives.insert({track.id, {.first = track.frame}});
    entry->second.last = track.frame;
    entry->second.parent = track.parent;
    ++entry->second.frames;
  }
  return lives;
}

TEST(Film, OneInTwentyAppearsVanishesDivides) {
  const Phantom phantom(film_of({700, 700, 60}, 100));
  EXPECT_EQ(phantom.object_count(), 110);
  std::map<std::int64_t, int> halves;
  int appear = 0, vanish = 0, divide = 0;
  const auto lives = lives_of(phantom.tracks());
  EXPECT_EQ(lives.size(), 110u);
  for (const auto& [id, life] : lives) {
    EXPECT_EQ(life.frames, life.last - life.first + 1) << id;  // no gaps
    if (life.parent != 0) {
      EXPECT_GT(id, 100);
      EXPECT_EQ(life.first, lives.at(life.parent).last + 1);
      EXPECT_EQ(life.last, 59);
      divide += ++halves[life.parent] == 2;
      continue;
    }
    EXPECT_LE(id, 100);
    appear += life.first > 0;
  }
  for (const auto& [id, life] : lives) vanish += life.last < 59 && !halves.contains(id);
  EXPECT_EQ(appear, 5);
  EXPECT_EQ(vanish, 5);
  EXPECT_EQ(divide, 5);
}

TEST(Film, FewBlobsAndFewFramesHaveNoTurns) {
  for (const auto& [frames, count, labels] : {std::array{7, 9, 9}, {8, 9, 11}, {30, 3, 3}}) {
    const Phantom phantom(film_of({200, 200, frames}, count));
    EXPECT_EQ(phantom.object_count(), labels);
  }
}

double distance(const GridPoint& p, const GridPoint& a, const GridPoint& b) {
  const auto ux = static_cast<double>(b.x - a.x), uy = static_cast<double>(b.y - a.y);
  const auto vx = static_cast<double>(p.x - a.x), vy = static_cast<double>(p.y - a.y);
  const double along = std::clamp((vx * ux + vy * uy) / (ux * ux + uy * uy), 0.0, 1.0);
  return std::hypot(vx - along * ux, vy - along * uy) / 256;
}

double distance(const Polygon& a, const Polygon& b) {
  double least = 1e9;
  for (const GridPoint& p : a.vertices) {
    for (std::size_t i = 0; i < b.vertices.size(); ++i) {
      least = std::min(least, distance(p, b.vertices[i], b.vertices[(i + 1) % b.vertices.size()]));
    }
  }
  return least;
}

TEST(Film, BlobsStayThreePixelsApartAndInTheImage) {
  // 4 x 4 cells of the least pitch less 2, and larger ones; of separate polygons the nearest points
  // are a vertex and an edge.
  for (const Shape& size : {Shape{128, 128, 24}, Shape{300, 260, 24}}) {
    const Phantom phantom(film_of(size, 14, 5));
    for (std::int64_t frame = 0; frame < size.z; frame += 3) {
      const auto objects = phantom.regions(frame);
      for (const auto& a : objects) {
        EXPECT_TRUE(is_simple(a.region.outer));
        EXPECT_GT(a.region.outer.signed_area(), 0);
        for (const GridPoint& v : a.region.outer.vertices) {
          EXPECT_TRUE(v.x > 0 && v.y > 0 && v.x < 256 * (size.x - 1) && v.y < 256 * (size.y - 1));
        }
        for (const auto& b : objects) {
          if (a.label == b.label) continue;
          ASSERT_GE(distance(a.region.outer, b.region.outer), 3);
        }
      }
    }
  }
}

TEST(Film, BlobsMoveSmoothly) {
  const auto tracks = Phantom(film_of({600, 500, 40}, 30)).tracks();
  std::map<std::int64_t, PhantomTrack> before;
  double all = 0, steps = 0;
  for (const PhantomTrack& track : tracks) {
    const auto last = before.find(track.id);
    if (last != before.end()) {
      const double step = std::hypot(track.x - last->second.x, track.y - last->second.y);
      EXPECT_LT(step, 3) << track.id;
      all += step, ++steps;
      // Turning and stretching changes the area by rounding to the grid alone.
      EXPECT_NEAR(track.area / last->second.area, 1, 0.01);
    }
    before[track.id] = track;
  }
  EXPECT_GT(all / steps, 0.4);
}

/// In the next frame most of a blob's pixels are its own again, of halves their parent's before.
TEST(Film, LabelsFollowTheirBlobs) {
  const Phantom phantom(film_of({260, 200, 30}, 12));
  const auto tracks = phantom.tracks();
  const auto lives = lives_of(tracks);
  const auto labels = labels_of(phantom);
  const std::size_t frame_pixels = 260 * 200;
  int halves = 0;
  for (std::int64_t frame = 0; frame + 1 < 30; ++frame) {
    std::map<double, std::map<double, int>> seen;  // by label, what was there before
    for (std::size_t i = 0; i < frame_pixels; ++i) {
      const std::size_t now = static_cast<std::size_t>(frame + 1) * frame_pixels + i;
      ++seen[labels[now]][labels[now - frame_pixels]];
    }
    for (const auto& [label, there] : seen) {
      if (label == 0) continue;
      const Life& life = lives.at(static_cast<std::int64_t>(label));
      if (life.first == frame + 1 && life.parent == 0) continue;  // has just appeared
      const bool is_new = life.first == frame + 1;
      const double expected = is_new ? static_cast<double>(life.parent) : label;
      for (const auto& [other, pixels] : there) {
        if (other == 0 || other == expected) continue;
        EXPECT_LT(pixels, there.at(expected)) << label << " in frame " << frame + 1;
      }
      EXPECT_GT(there.count(expected), 0u);
      halves += is_new;
    }
  }
  EXPECT_EQ(halves, 2);
}

/// Every row of a disc of radius r ends at a whole pixel, up to a half off at each of its two ends,
/// sigma 0.29: 4 r ends make the area 0.58 sqrt(r) uncertain. An end is about 0.8 r from the
/// centre, so the centroid is off by 0.29 * 0.8 r sqrt(4 r) / (pi r^2) = 0.15 / sqrt(r). Five times
/// that.
TEST(Film, TracksSayWhereTheLabelsAre) {
  const Phantom phantom(film_of({260, 200, 12}, 12));
  const auto labels = labels_of(phantom);
  for (const PhantomTrack& track : phantom.tracks()) {
    double x = 0, y = 0, area = 0;
    for (std::size_t i = 0; i < 260 * 200; ++i) {
      const std::size_t there = static_cast<std::size_t>(track.frame) * 260 * 200 + i;
      if (labels[there] != static_cast<double>(track.id)) continue;
      x += static_cast<double>(i % 260), y += static_cast<double>(i / 260), ++area;
    }
    const double root = std::sqrt(std::sqrt(track.area / 3.14159265));
    EXPECT_NEAR(x / area, track.x, 0.75 / root);
    EXPECT_NEAR(y / area, track.y, 0.75 / root);
    EXPECT_NEAR(area, track.area, 2.9 * root);
  }
  const auto mask = numbers_of(whole_truth(phantom));
  for (std::size_t i = 0; i < mask.size(); ++i) ASSERT_EQ(mask[i] > 0, labels[i] > 0);
}

TEST(Film, SlabsEqualTheWhole) {
  const Phantom phantom(film_of({150, 140, 11}));
  std::vector<double> image, labels;
  for (std::int64_t z = 0; z < 11; z += 2) {
    const std::int64_t end = std::min<std::int64_t>(z + 2, 11);
    const auto values = numbers_of(phantom.slab(z, end));
    const auto numbers = numbers_of(phantom.labels_slab(z, end));
    image.insert(image.end(), values.begin(), values.end());
    labels.insert(labels.end(), numbers.begin(), numbers.end());
  }
  EXPECT_EQ(image, numbers_of(phantom.slab(0, 11)));
  EXPECT_EQ(labels, labels_of(phantom));
}

TEST(Film, RefusesWhatHasNoRoom) {
  EXPECT_NE(refusal_of(film_of({512, 512, 1})), "not refused");
  EXPECT_NE(refusal_of(film_of({31, 512, 9})), "not refused");
  EXPECT_NE(refusal_of(film_of({128, 128, 9}, 15)), "not refused");
  EXPECT_NE(refusal_of(film_of({20000, 20000, 9})), "not refused");  // more than labels
}

TEST(Film, TracksAsText) {
  const std::vector<PhantomTrack> tracks{{0, 1, 0, 2.5, 3, 40}, {1, 4, 2, 0.125, -1, 0.5}};
  EXPECT_EQ(tracks_as_csv(tracks),
            "frame,id,parent,x,y,area\n0,1,0,2.5,3,40\n1,4,2,0.125,-1,0.5\n");
}

}  // namespace
}  // namespace meander
