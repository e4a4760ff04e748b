// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <filesystem>

#include "filter/smooth/slabs.hpp"
#include "smooth_testing.hpp"

namespace meander {
namespace {

using namespace testing;

Image part(const Image& image, std::int64_t begin, std::int64_t end) {
  // A copy, as a file would give it.
  return (image.shape().z > 1 ? image.slices(begin, end) : image.rows(begin, end))
      .clone()
      .download();
}

/// Everything that goes through the stream, joined again.
class Slabs {
 public:
  explicit Slabs(const Description& whole) : whole_(Image::allocate(whole)) {}
  void add(const Image& slab) {
    const Shape& shape = slab.shape();
    const bool volume = whole_.shape().z > 1;
    for (int c = 0; c < slab.channels(); ++c) {
      for (std::int64_t z = 0; z < shape.z; ++z) {
        for (std::int64_t y = 0; y < shape.y; ++y) {
          const auto bytes = static_cast<std::size_t>(shape.x) * size_of(slab.type());
          std::copy_n(slab.row_bytes(y, z, c), bytes,
                      whole_.mutable_row_bytes(volume ? y : y + done_, volume ? z + done_ : z, c));
        }
      }
    }
    done_ += volume ? shape.z : shape.y;
    ++count_;
  }
  const Image& whole() const { return whole_; }
  int count() const { return count_; }

 private:
  Image whole_;
  std::int64_t done_ = 0;
  int count_ = 0;
};

SmoothStream stream_of(const Image& image, const Image& mask) {
  SmoothStream stream{.image = image.description(), .spill_folder = ::testing::TempDir()};
  stream.read = [image](std::int64_t begin, std::int64_t end) { return part(image, begin, end); };
  if (!mask.empty()) {
    stream.read_mask = [mask](std::int64_t begin, std::int64_t end) {
      return part(mask, begin, end);
    };
  }
  return stream;
}

/// The budget that gives slabs of this height.
std::int64_t bytes_for(std::int64_t height, const Image& image, bool with_mask,
                       const SmoothOptions& options, const Device& device) {
  const SmoothDesign design = design_smooth(image.description(), options, with_mask);
  const SlabPlan plan = plan_slabs(design, device, with_mask, std::int64_t{1} << 40);
  return plan.fixed + height * plan.each;
}

void expect_same(const Device& device, const Image& image, const Image& mask,
                 const SmoothOptions& options, std::int64_t height) {
  const Image there = device.upload(image);
  const Image whole =
      smooth(there, options, {.mask = mask.empty() ? Image() : device.upload(mask)}).download();
  SmoothStream stream = stream_of(image, mask);
  stream.memory_bytes = bytes_for(height, image, !mask.empty(), options, device);
  Slabs slabs(whole.description());
  stream.write = [&](const Image& slab) { slabs.add(slab); };
  smooth_stream(stream, options, device);
  const SmoothSlabs plan = plan_smooth_slabs(stream, options, device);
  EXPECT_EQ(plan.height, height);
  EXPECT_EQ(slabs.count(), plan.slabs);
  // The reference computes in float64 and rounds at slab joints what it would not round inside.
  const bool rounds = device.name() == "reference" && whole.type() == PixelType::f32;
  for (int c = 0; c < whole.channels(); ++c) {
    EXPECT_LE(largest_difference(grid_of(slabs.whole(), c), grid_of(whole, c)), rounds ? 2e-3 : 0)
        << device.name() << " " << to_string(image.shape()) << " height " << height << " "
        << words(options);
  }
}

std::vector<SmoothOptions> every_form() {
  std::vector<SmoothOptions> all;
  for (const BorderRule& border : all_borders) {
    for (const SmoothMethod method :
         {SmoothMethod::fir, SmoothMethod::vanvliet3, SmoothMethod::vanvliet5,
          SmoothMethod::exponential4, SmoothMethod::exponential8}) {
      SmoothOptions options{.sigma = 1.7, .method = method};
      options.border = border;
      all.push_back(options);
    }
  }
  return all;
}

TEST(SmoothStream, EqualsTheWholeToTheBit) {
  for (const Shape& shape : {Shape{13, 29, 1}, Shape{9, 6, 23}, Shape{5, 2, 1}, Shape{4, 3, 2}}) {
    const Image image = image_of(random_grid(shape, 31), PixelType::u8);
    const std::int64_t length = shape.z > 1 ? shape.z : shape.y;
    for (const Device& device : all_devices()) {
      for (const SmoothOptions& options : every_form()) {
        for (const std::int64_t height : {std::int64_t{1}, std::int64_t{5}, length}) {
          if (height <= length) expect_same(device, image, {}, options, height);
        }
      }
    }
  }
}

/// Slabs that end with stretches and spans of a GPU's lines (32 and 256 pixels), and beside them.
TEST(SmoothStream, EqualsTheWholeOverManyStretches) {
  const Image image = image_of(random_grid({3, 600, 1}, 36), PixelType::u8);
  for (const Device& device : all_devices()) {
    for (const SmoothOptions& options : every_form()) {
      for (const std::int64_t height : {32, 45, 256}) {
        expect_same(device, image, {}, options, height);
      }
    }
  }
}

TEST(SmoothStream, EqualsTheWholeInDoublePrecisionWithChannels) {
  const Image image =
      image_of(random_grid({9, 6, 13}, 32), PixelType::u16, 2, [](int c) { return 1.0 + 100 * c; });
  for (const Device& device : all_devices()) {
    if (!device.info().has_float64) continue;
    for (SmoothOptions options : every_form()) {
      options.precision = Precision::float64;
      expect_same(device, image, {}, options, 4);
    }
  }
}

TEST(SmoothStream, EqualsTheWholeForEveryOutput) {
  const Image image = image_of(random_grid({12, 9, 17}, 33), PixelType::i16, 2);
  for (const Device& device : all_devices()) {
    for (const SmoothOutput output : {SmoothOutput::gradient, SmoothOutput::magnitude,
                                      SmoothOutput::hessian, SmoothOutput::laplacian}) {
      for (const double sigma : {1.0, 2.5}) {
        SmoothOptions options{.sigma = sigma};
        options.output = output;
        options.border = {Border::constant, 7};
        expect_same(device, image, {}, options, 3);
      }
    }
  }
}

TEST(SmoothStream, EqualsTheWholeWithAMaskAndWithNaN) {
  Grid grid = random_grid({14, 11, 12}, 34), mask = random_grid({14, 11, 12}, 35);
  for (double& value : mask.values) value = value > 90;
  const Image integers = image_of(grid, PixelType::u16);
  for (std::size_t i = 0; i < grid.values.size(); i += 7) grid.values[i] = NAN;
  const Image floats = image_of(grid, PixelType::f32, 2);
  const Image over = image_of(mask, PixelType::u8);
  for (const Device& device : all_devices()) {
    for (SmoothOptions options : every_form()) {
      expect_same(device, integers, over, options, 5);
      options.nonfinite = Nonfinite::ignore;
      // Nothing is NaN any more, so that the comparison sees every pixel.
      expect_same(device, floats, {}, options, 5);
    }
  }
}

TEST(SmoothStream, SlabsWithoutAFilterAcrossThemAreImagesOfTheirOwn) {
  const Image image = image_of(random_grid({14, 11, 12}, 36), PixelType::f16);
  for (const Device& device : all_devices()) {
    expect_same(device, image, {}, {.sigma = {3, 2, 0}}, 5);
    expect_same(device, image, {}, {.sigma = 0}, 5);
    SmoothStream stream = stream_of(image, {});
    stream.memory_bytes = 1 << 24;
    EXPECT_EQ(plan_smooth_slabs(stream, {.sigma = {3, 2, 0}}, device).spill_bytes, 0);
    EXPECT_EQ(plan_smooth_slabs(stream, {.sigma = 6}, device).spill_bytes,
              padded_bytes({.shape = image.shape(), .type = PixelType::f32}));
  }
}

TEST(SmoothStream, KeepsToItsBudgetAndLeavesNothing) {
  // Programs run side by side with other queues and instruction sets, so the name is theirs alone.
  std::string folder_name = ::testing::TempDir() + "/meander_smooth_stream_XXXXXX";
  ASSERT_NE(mkdtemp(folder_name.data()), nullptr);
  const std::filesystem::path folder = folder_name;
  const Image image = image_of(random_grid({120, 90, 60}, 37), PixelType::u16);
  // With many threads panels are planned for more of them than so small an image keeps busy.
  const int before = threads();
  set_threads(2);
  for (const Device& device : all_devices()) {
    for (const double sigma : {1.0, 6.0}) {
      for (const SmoothOutput output : {SmoothOutput::image, SmoothOutput::hessian}) {
        SmoothOptions options{.sigma = sigma};
        options.output = output;
        SmoothStream stream = stream_of(image, {});
        stream.spill_folder = folder;
        stream.memory_bytes = bytes_for(8, image, false, options, device);
        stream.write = [&](const Image&) {
          EXPECT_TRUE(std::filesystem::is_empty(folder));  // not even while it is at work
        };
        const MemoryWatch watch(device);
        smooth_stream(stream, options, device);
        const double held = watch.held();
        const std::string what = device.name() + " sigma " + std::to_string(sigma) + " output " +
                                 OptionText<SmoothOutput>::format(output);
        EXPECT_LE(held, static_cast<double>(stream.memory_bytes)) << what;
        EXPECT_GE(held, 0.5 * static_cast<double>(stream.memory_bytes)) << what;
        EXPECT_TRUE(std::filesystem::is_empty(folder));
      }
    }
  }
  set_threads(before);
  std::filesystem::remove(folder);
}

/// At the ends an FIR filter reads what is put together of pieces, which may be of another type.
TEST(SmoothStream, KeepsToItsBudgetBeyondTheEnds) {
  Grid ones = random_grid({70, 60, 50}, 40);
  for (double& value : ones.values) value = value > 20;
  const Image mask = image_of(ones, PixelType::u8);
  const int before = threads();
  set_threads(2);
  for (const PixelType type : {PixelType::u8, PixelType::f16, PixelType::f32}) {
    const Image image = image_of(random_grid({70, 60, 50}, 41), type);
    for (const BorderRule& border : all_borders) {
      for (const bool masked : {false, true}) {
        const Device device = Device::open("cpu");
        SmoothOptions options{.sigma = 2, .method = SmoothMethod::fir};
        options.border = border;
        SmoothStream stream = stream_of(image, masked ? mask : Image());
        stream.memory_bytes = bytes_for(1, image, masked, options, device);
        stream.write = [](const Image&) {};
        const MemoryWatch watch(device);
        smooth_stream(stream, options, device);
        EXPECT_LE(watch.held(), static_cast<double>(stream.memory_bytes))
            << name_of(type) << " masked " << masked << " " << words(options);
        // A mask is planned for as if it were f64.
        EXPECT_GE(watch.held(), (masked ? 0.3 : 0.5) * static_cast<double>(stream.memory_bytes))
            << name_of(type) << " masked " << masked << " " << words(options);
      }
    }
  }
  set_threads(before);
}

TEST(SmoothStream, RefusesWhatDoesNotFit) {
  const Image image = image_of(random_grid({50, 40, 1}, 38), PixelType::f32);
  const Device device = Device::open("cpu");
  SmoothStream stream = stream_of(image, {});
  stream.write = [](const Image&) { ADD_FAILURE(); };
  stream.memory_bytes = 1000;
  EXPECT_THROW(smooth_stream(stream, {.sigma = 6}, device), OutOfMemory);
  stream.memory_bytes = 1 << 24;
  stream.spill_folder = "/nonexistent";
  try {
    smooth_stream(stream, {.sigma = 6}, device);
    ADD_FAILURE();
  } catch (const FileSystemError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("/nonexistent: ")) << error.what();
  }
  SmoothOptions options{.sigma = 3, .nonfinite = Nonfinite::error};
  Grid grid = random_grid({50, 40, 1}, 38);
  grid.at(3, 30, 0) = grid.at(4, 2, 0) = NAN;
  stream = stream_of(image_of(grid, PixelType::f32), {});
  stream.memory_bytes = 1 << 24;
  stream.write = [](const Image&) { ADD_FAILURE(); };
  EXPECT_THROW(smooth_stream(stream, options, device), InvalidArgument);
}

TEST(SmoothStream, StopsWhenAsked) {
  const Image image = image_of(random_grid({50, 40, 30}, 39), PixelType::f32);
  std::stop_source stop;
  SmoothStream stream = stream_of(image, {});
  stream.write = [&](const Image&) { stop.request_stop(); };
  const Device device = Device::open("cpu");
  stream.memory_bytes = bytes_for(4, image, false, {.sigma = 6}, device);
  std::vector<double> seen;
  const Control control{.stop = stop.get_token(), .progress = [&](double f) { seen.push_back(f); }};
  EXPECT_THROW(smooth_stream(stream, {.sigma = 6}, device, control), Cancelled);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_GT(seen.back(), 0.2);
}

/// Places -4 to 8 of a line of five, by hand, four to a run.
TEST(GhostRuns, FollowTheBorders) {
  const auto text = [](Border border) {
    std::string all;
    for (const GhostRun& run : ghost_runs(-4, 1, 13, 5, border, 4)) {
      const std::string places = std::to_string(run.begin) + "-" + std::to_string(run.end - 1);
      all += run.constant       ? "constant " + std::to_string(run.count())
             : run.count() == 1 ? std::to_string(run.begin)
             : run.ascending    ? places
                                : places + " down";
      all += "; ";
    }
    return all;
  };
  EXPECT_EQ(text(Border::clamp), "0; 0; 0; 0; 0-3; 4; 4; 4; 4; 4; ");
  EXPECT_EQ(text(Border::constant), "constant 4; 0-3; 4; constant 4; ");
  EXPECT_EQ(text(Border::reflect), "0-3 down; 0-3; 4; 1-4 down; ");
  EXPECT_EQ(text(Border::mirror), "1-4 down; 0-3; 1-4 down; 0; ");
  EXPECT_EQ(text(Border::periodic), "1-4; 0-3; 4; 0-3; ");
}

}  // namespace
}  // namespace meander
