// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "meander/film.hpp"
#include "meander/react.hpp"
#include "meander/window.hpp"

/// One window and one map for all frames of a film.
namespace meander {
namespace {

using Kind = ReactWindow::Kind;

/// Frames of 50×40 pixels that rise from `low` to `high`, as a film of u8 or f32.
class Frames {
 public:
  explicit Frames(PixelType type, const std::vector<std::array<double, 2>>& ranges,
                  double hot = 0) {
    std::string name = ::testing::TempDir() + "/meander_react_film_XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    const Description frame{.shape = {50, 40, 1}, .type = type};
    const std::string path = name + "/film.npy";
    io::FrameSink sink(path, frame, {.count = static_cast<std::int64_t>(ranges.size())});
    for (const auto& range : ranges) {
      Image image = Image::allocate(frame);
      visit(type, [&]<class T>(std::type_identity<T>) {
        for (std::int64_t i = 0; i < 2000; ++i) {
          const auto [low, high] = range;
          const double value = low + (high - low) * static_cast<double>(i) / 1999;
          image.mutable_row<T>(i / 50)[i % 50] = from_double<T>(value);
        }
        if (hot > 0) image.mutable_row<T>(3)[4] = from_double<T>(hot);
      });
      sink.append(image);
    }
    sink.finish();
    source_.emplace(path);
  }
  Frames(const Frames&) = delete;
  Frames& operator=(const Frames&) = delete;
  ~Frames() { std::filesystem::remove_all(folder_); }

  ReactFilm settled(ReactWindow window, PixelType written = PixelType::f32) {
    ReactOptions options;
    options.window = window;
    return settle_film(options, written, *source_);
  }
  io::FrameSource& source() { return *source_; }

 private:
  std::filesystem::path folder_;
  std::optional<io::FrameSource> source_;
};

TEST(ReactFilm, HasTheRangeOfAllFrames) {
  Frames bytes(PixelType::u8, {{20, 30}, {10, 25}, {50, 60}});
  EXPECT_EQ(bytes.settled(Kind::range).options.window, ReactWindow(10, 60));
  Frames floats(PixelType::f32, {{20, 30}, {-10, 25}, {50, 60}});
  EXPECT_EQ(floats.settled(Kind::full).options.window, ReactWindow(-10, 60));
}

TEST(ReactFilm, LeavesAWindowThatIsKnownAsItIs) {
  Frames bytes(PixelType::u8, {{20, 30}, {10, 25}});
  EXPECT_EQ(bytes.settled(Kind::full).options.window, ReactWindow(Kind::full));
  EXPECT_EQ(bytes.settled({3, 4}).options.window, ReactWindow(3, 4));
  EXPECT_FALSE(bytes.settled({3, 4}).map_frame);
  Frames blank(PixelType::u8, {{7, 7}, {7, 7}});
  EXPECT_EQ(blank.settled(Kind::range).options.window, ReactWindow(Kind::range));
}

TEST(ReactFilm, MapsAllFramesAsTheWidest) {
  Frames bytes(PixelType::u8, {{7, 7}, {20, 30}, {10, 200}, {50, 60}});
  EXPECT_EQ(bytes.settled(Kind::full, PixelType::u8).map_frame, 2);
  EXPECT_FALSE(bytes.settled(Kind::full, PixelType::f32).map_frame);
  ReactOptions back;
  back.output_map.kind = ReactMap::Kind::input;
  EXPECT_FALSE(settle_film(back, PixelType::u8, bytes.source()).map_frame);
}

TEST(ReactFilm, LeavesOutFewPixelsThatHoldMostOfTheRange) {
  Frames hot(PixelType::f32, {{20, 30}, {10, 25}}, 1000);
  const FoundWindow expected = find_window(hot.source());
  for (const Kind kind : {Kind::automatic, Kind::fit}) {
    const ReactFilm film = hot.settled(kind);
    EXPECT_EQ(film.options.window.kind, Kind::automatic);
    EXPECT_EQ(film.options.window.ends, expected.window);
    EXPECT_EQ(film.beyond, expected.beyond);
    EXPECT_GT(film.beyond, 0);
  }
  Frames plain(PixelType::f32, {{20, 30}, {10, 25}});
  EXPECT_EQ(plain.settled(Kind::fit).options.window, ReactWindow(10, 30));
  EXPECT_EQ(plain.settled(Kind::fit).beyond, 0);
  EXPECT_EQ(plain.settled(Kind::automatic).options.window.kind, Kind::automatic);
}

TEST(ReactFilm, StopsAndTellsHowFarItIs) {
  Frames bytes(PixelType::u8, {{20, 30}, {10, 25}});
  std::stop_source stop;
  std::vector<double> seen;
  const Control control{.stop = stop.get_token(), .progress = [&](double share) {
                          seen.push_back(share);
                          stop.request_stop();
                        }};
  ReactOptions options;
  options.window = Kind::range;
  EXPECT_THROW(settle_film(options, PixelType::u8, bytes.source(), control), Cancelled);
  EXPECT_EQ(seen, std::vector<double>{0});
}

}  // namespace
}  // namespace meander
