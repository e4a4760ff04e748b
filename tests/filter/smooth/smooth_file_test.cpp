// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/smooth_file.hpp"
#include "io/io_testing.hpp"
#include "smooth_testing.hpp"

/// From file to file, at once and in slabs.
namespace meander {
namespace {

using namespace testing;
using io::Budget;
using io::Folder;
using io::load;

const Device cpu = Device::open("cpu");

/// With many threads panels are planned for more of them than so small an image keeps busy.
class SmoothFiles : public ::testing::Test {
 protected:
  SmoothFiles() { set_threads(2); }
  ~SmoothFiles() override { set_threads(before_); }

 private:
  const int before_ = threads();
};

/// One run from in.npy (and mask.npy) to out.npy.
struct Outcome {
  SmoothFilePlan plan;
  SmoothFileFigures figures;
  std::string bytes;  ///< Of the file.

  /// Of memory, that makes another run take slabs.
  std::uint64_t too_little() const { return static_cast<std::uint64_t>(plan.slabs.bytes / 4 * 3); }
};

struct Job {
  const Folder& folder;
  SmoothOptions options;
  PixelType written = PixelType::f32;
  bool masked = false;
  std::function<void(const std::function<void()>&)> timed = {};
  Control control = {};

  Outcome run() const {
    io::Reader image(folder / "in.npy");
    std::optional<io::Reader> mask;
    if (masked) mask.emplace(folder / "mask.npy");
    const SmoothFile file{.image = &image,
                          .mask = mask ? &*mask : nullptr,
                          .written = written,
                          .spill_folder = folder.path(),
                          .timed = timed};
    Outcome run{.plan = plan_smooth_file(file, options, cpu), .figures = {}, .bytes = {}};
    EXPECT_EQ(run.plan.in_slabs, !fits_at_once(file, options, cpu));
    io::Writer writer(folder / "out.npy", file.output(options));
    run.figures = smooth_file(file, run.plan, writer, options, cpu, control);
    writer.finish();
    run.bytes = load(folder / "out.npy");
    return run;
  }
};

void save_image(const Folder& folder, const Shape& shape, PixelType type) {
  io::write(folder / "in.npy", image_of(random_grid(shape, 31), type));
  Grid mask = random_grid(shape, 32);
  for (double& value : mask.values) value = value > 60;
  io::write(folder / "mask.npy", image_of(mask, PixelType::u8));
}

TEST_F(SmoothFiles, InSlabsHasTheBytesOfAtOnce) {
  const Folder folder;
  for (const Shape& shape : {Shape{300, 3000, 1}, Shape{60, 50, 300}}) {
    save_image(folder, shape, PixelType::u16);
    for (const PixelType written : {PixelType::f32, PixelType::u8, PixelType::f64}) {
      for (const SmoothMethod method : {SmoothMethod::fir, SmoothMethod::vanvliet3}) {
        const bool masked = written == PixelType::f32;
        const Job job{.folder = folder,
                      .options = {.sigma = 2, .method = method},
                      .written = written,
                      .masked = masked};
        const Outcome at_once = job.run();
        EXPECT_FALSE(at_once.plan.in_slabs);
        EXPECT_EQ(at_once.plan.slabs.slabs, 1);
        EXPECT_EQ(at_once.plan.slabs.height, io::slab_length(shape));
        const Budget budget(at_once.too_little());
        const Outcome in_slabs = job.run();
        EXPECT_TRUE(in_slabs.plan.in_slabs);
        EXPECT_GT(in_slabs.plan.slabs.slabs, 1);
        EXPECT_LT(in_slabs.plan.slabs.bytes, at_once.plan.slabs.bytes * 3 / 4);
        EXPECT_TRUE(in_slabs.bytes == at_once.bytes) << to_string(shape) << " " << name_of(written);
        EXPECT_EQ(in_slabs.figures.values, shape.x * shape.y * shape.z);
        EXPECT_EQ(in_slabs.figures.values, at_once.figures.values);
        EXPECT_EQ(in_slabs.figures.saturated, at_once.figures.saturated);
        EXPECT_EQ(in_slabs.figures.spill > 0, in_slabs.plan.slabs.spill_bytes > 0);
      }
    }
  }
}

TEST_F(SmoothFiles, GivesWhatSmoothDoes) {
  const Folder folder;
  save_image(folder, {31, 27, 5}, PixelType::u8);
  const SmoothOptions options{.sigma = 1.5};
  const Outcome run = Job{.folder = folder, .options = options}.run();
  const Image expected = smooth(io::read(folder / "in.npy"), options);
  EXPECT_TRUE(io::same_pixels(io::read(folder / "out.npy"), expected.download()));
  EXPECT_GE(run.plan.slabs.bytes, padded_bytes(expected.description()));
  for (const double seconds : {run.figures.read, run.figures.compute, run.figures.write}) {
    EXPECT_GT(seconds, 0);
  }
}

TEST_F(SmoothFiles, WritesPartsOfALargeResultInOrder) {
  const Folder folder;
  const Shape shape{4096, 5000, 1};  // 78 MiB, of which 64 are a part
  Image rows = Image::allocate({shape, 1, PixelType::u8});
  for (std::int64_t y = 0; y < shape.y; ++y) {
    std::fill_n(rows.mutable_row<std::uint8_t>(y), shape.x, static_cast<std::uint8_t>(y % 251));
  }
  io::write(folder / "in.npy", rows);
  const Outcome run = Job{.folder = folder, .options = {.sigma = 0}}.run();
  EXPECT_FALSE(run.plan.in_slabs);
  const Image out = io::read(folder / "out.npy");
  for (std::int64_t y = 0; y < shape.y; ++y) EXPECT_EQ(out.row<float>(y)[7], y % 251) << y;
}

TEST_F(SmoothFiles, CountsWhatItCannotKeep) {
  const Folder folder;
  Grid grid({256, 256, 1});
  for (std::size_t i = 0; i < grid.values.size(); ++i) grid.values[i] = i % 4 == 0 ? 900 : 10;
  grid.at(40, 50, 0) = NAN;
  io::write(folder / "in.npy", image_of(grid, PixelType::f32));
  Job job{.folder = folder, .options = {.sigma = 0}, .written = PixelType::u8};
  const Outcome at_once = job.run();
  EXPECT_EQ(at_once.figures.values, 65536);
  EXPECT_EQ(at_once.figures.saturated, 16383);  // one of those is NaN
  EXPECT_EQ(at_once.figures.nonfinite, 1);
  {
    const Budget budget(at_once.too_little());
    const Outcome in_slabs = job.run();
    EXPECT_TRUE(in_slabs.plan.in_slabs);
    EXPECT_EQ(in_slabs.figures.saturated, 16383);
    EXPECT_EQ(in_slabs.figures.nonfinite, 1);
  }
  job.options.nonfinite = Nonfinite::ignore;
  EXPECT_EQ(job.run().figures.nonfinite, 0);
}

TEST_F(SmoothFiles, HandsOutTheComputationAtOnceOnly) {
  const Folder folder;
  save_image(folder, {300, 400, 1}, PixelType::u8);
  int runs = 0;
  Job job{.folder = folder, .options = {.sigma = 3}};
  const Outcome expected = job.run();
  job.timed = [&](const auto& compute) {
    for (; runs < 3; ++runs) compute();
  };
  EXPECT_TRUE(job.run().bytes == expected.bytes);
  EXPECT_EQ(runs, 3);
  const Budget budget(expected.too_little());
  EXPECT_TRUE(job.run().bytes == expected.bytes);
  EXPECT_EQ(runs, 3);
}

TEST_F(SmoothFiles, RefusesWhatNotEvenSlabsFit) {
  const Folder folder;
  save_image(folder, {3000, 40, 1}, PixelType::f32);
  io::Reader image(folder / "in.npy");
  const Budget budget(10000);
  EXPECT_THROW(plan_smooth_file({.image = &image}, {.sigma = 6}, cpu), OutOfMemory);
}

TEST_F(SmoothFiles, StopsAndTellsHowFarItIs) {
  const Folder folder;
  save_image(folder, {300, 400, 1}, PixelType::u8);
  const std::uint64_t too_little =
      Job{.folder = folder, .options = {.sigma = 3}}.run().too_little();
  for (const bool in_slabs : {false, true}) {
    std::optional<Budget> budget;
    if (in_slabs) budget.emplace(too_little);
    std::vector<double> seen;
    std::stop_source stop;
    Job job{.folder = folder, .options = {.sigma = 3}};
    job.control.progress = [&](double share) { seen.push_back(share); };
    EXPECT_EQ(job.run().plan.in_slabs, in_slabs);
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_GT(seen.back(), 0.9);
    EXPECT_LE(seen.back(), 1);
    std::filesystem::remove(folder / "out.npy");
    job.control = {.stop = stop.get_token(),
                   .progress = [&](double share) { share > 0.3 ? stop.request_stop() : false; }};
    EXPECT_THROW(job.run(), Cancelled);
    cpu.synchronize();              // a queue that defers holds what it has not done
    EXPECT_EQ(folder.files(), 2u);  // in.npy and mask.npy
  }
}

}  // namespace
}  // namespace meander
