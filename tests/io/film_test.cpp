// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Films written in slabs and read back frame by frame, in every format that has them.
#include "io_testing.hpp"

namespace meander::io {
namespace {

struct Kind {
  Shape shape;
  int channels;
  PixelType type;
};

constexpr Kind kinds[] = {{{13, 9, 1}, 1, PixelType::u8},  {{13, 9, 4}, 1, PixelType::f32},
                          {{13, 9, 1}, 3, PixelType::u8},  {{13, 9, 1}, 3, PixelType::f32},
                          {{13, 9, 3}, 2, PixelType::u16}, {{13, 9, 1}, 5, PixelType::i16}};

std::vector<std::string> suffixes() {
  std::vector<std::string> all;
  for (const Format& format : formats()) {
    if (format.films && format.readable) all.push_back(format.suffixes.front());
  }
  return all;
}

Image part(const Image& image, std::int64_t begin, std::int64_t end) {
  return image.shape().z > 1 ? image.slices(begin, end) : image.rows(begin, end);
}

TEST(Films, SurviveInSlabsOfAnyLength) {
  const Folder folder;
  for (const std::string& suffix : suffixes()) {
    for (const Kind& kind : kinds) {
      for (const std::int64_t step : {1, 2, 100}) {
        SCOPED_TRACE(suffix + " " + to_string(kind.shape) + " by " + std::to_string(step));
        const auto path = folder / ("a" + suffix);
        std::vector<Image> frames;
        for (unsigned i = 0; i < 3; ++i) {
          frames.push_back(random_image({kind.shape, kind.channels, kind.type, {}}, i + 1));
        }
        Writer writer(path, frames[0].description(), {.film = {3, 0.25}});
        const std::int64_t length = slab_length(kind.shape);
        for (const Image& frame : frames) {
          for (std::int64_t begin = 0; begin < length; begin += step) {
            writer.append(part(frame, begin, std::min(length, begin + step)));
          }
        }
        writer.finish();
        Reader reader(path);
        EXPECT_EQ(reader.description(), frames[0].description());
        EXPECT_EQ(reader.film().frames, 3);
        for (const std::int64_t i : {2, 0, 1}) {
          const Image& expected = frames[static_cast<std::size_t>(i)];
          reader.select_frame(i);
          EXPECT_TRUE(same_pixels(reader.read(), expected));
          EXPECT_TRUE(same_pixels(reader.slab(1, 3), part(expected, 1, 3)));
          const int last = kind.channels - 1;
          EXPECT_TRUE(
              same_pixels(read(path, {.frame = i, .channel = last}), expected.channel(last)));
        }
      }
    }
  }
}

TEST(Films, OverMemoryAndBeyondAddressesAreRefused) {
  const Folder folder;
  const Description image{.shape = {100, 100, 1}, .type = PixelType::u16};
  for (const std::string& suffix : suffixes()) {
    const auto path = folder / ("a" + suffix);
    const Film endless{.frames = std::int64_t{1} << 60};
    const auto thrown = thrown_by([&] { Writer writer(path, image, {.film = endless}); });
    EXPECT_EQ(thrown.kind, "InvalidArgument") << thrown.text;
    EXPECT_EQ(thrown.text.rfind(path.string() + ": ", 0), 0u) << thrown.text;
  }
  EXPECT_EQ(folder.files(), 0u);
}

TEST(Films, PlacementSurvivesTiff) {
  if (!has_format("TIFF")) GTEST_SKIP() << "this build has no TIFF";
  const Folder folder;
  Description description{.shape = {7, 5, 3}, .type = PixelType::u8};
  description.spacing = {0.1, 1.0 / 3, 2, Unit::millimetre};
  description.placement = Placement{.origin = {-90.1, 1e-300, 72},
                                    .step = {{{0.1, 1e-17, 0}, {0, -1.0 / 3, 0}, {0.3, 0, 2}}},
                                    .axes = WorldAxes::ras,
                                    .from = WorldOrigin::mni152};
  write(folder / "a.tif", random_image(description));
  EXPECT_EQ(Reader(folder / "a.tif").description(), description);
  description.spacing = {};
  write(folder / "a.tif", random_image(description));
  EXPECT_EQ(Reader(folder / "a.tif").description(), description);
  // Another program that changes the spacing leaves a placement that is no longer true.
  std::string bytes = load(folder / "a.tif");
  bytes.replace(bytes.find("spacing=1,1,1,px"), 16, "spacing=2,1,1,px");
  save(folder / "a.tif", bytes);
  EXPECT_FALSE(Reader(folder / "a.tif").description().placement);
}

}  // namespace
}  // namespace meander::io
