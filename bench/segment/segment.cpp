// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/segment/segment.hpp"

#include <algorithm>

#include "bench/segment/plain.hpp"
#include "bench/segment/profile.hpp"
#include "bench/segment/scene.hpp"
#include "core/message.hpp"
#include "meander/phantom.hpp"
#include "meander/smooth.hpp"

namespace meander::bench {
namespace {

PhantomOptions star_of(const Shape& size) {
  return {.size = size, .noise = {NoiseFamily::gaussian}, .snr = 1.0};
}

int runs_of(const Shape& size, int runs) {
  const auto pixels = size.x * size.y;
  return pixels <= 5'000'000 ? runs : std::min(runs, pixels <= 40'000'000 ? 5 : 3);
}

/// One image on the cpu and on the device, and what is done with it.
class Place {
 public:
  Place(const Shape& size, const Device& on, const Control& control)
      : device_(on),
        scene_(scene_with(star_of(size), part_of(control, 0, 0.9))),
        image_(on.upload(scene_.image)),
        stop_(control.stop),
        otsu_sigma_(best_otsu_sigma(control)) {}

  bool is_cpu() const { return device_.name() == "cpu"; }
  double otsu_sigma() const { return otsu_sigma_; }
  const Image& host_image() const { return scene_.image; }

  /// The baseline is always on the cpu.
  Device device_of(SegmentWay way) const { return way == SegmentWay::paper ? cpu_ : device_; }
  int threads_of(SegmentWay way) const { return way == SegmentWay::paper ? 1 : threads(); }

  SegmentResult segmented(SegmentWay way) const {
    const Image& image = way == SegmentWay::paper ? scene_.image : image_;
    return segment(image, options_of(way), {}, {.stop = stop_, .progress = {}});
  }
  Image thresholded(double sigma) const {
    return blurred_otsu(image_, sigma, {.stop = stop_, .progress = {}});
  }
  double iou(const SegmentResult& found) const { return iou_of(found.outlines, scene_.truth); }
  double iou(const Image& mask) const { return iou_of(mask, scene_.truth); }

  /// Beyond the image. Of blur + Otsu the mask is added, which is in host memory.
  std::int64_t bytes_needed(SegmentWay way) const {
    const Description& image = image_.description();
    if (way == SegmentWay::read) return 0;
    if (way != SegmentWay::otsu) {
      return estimate_bytes(image, options_of(way), device_of(way)) - padded_bytes(image);
    }
    return estimate_bytes(image, SmoothOptions{.sigma = Scale(otsu_sigma_)}, device_) -
           padded_bytes(image) + padded_bytes(scene_.truth.description());
  }

 private:
  double best_otsu_sigma(const Control& control) const {
    double best = otsu_sigmas[0], highest = -1;
    for (const double sigma : otsu_sigmas) {
      control.step(0.9);
      const double found = iou(thresholded(sigma));
      if (found > highest) highest = found, best = sigma;
    }
    return best;
  }

  const Device device_, cpu_ = Device::open("cpu");
  const SegmentScene scene_;
  const Image image_;
  const std::stop_token stop_;
  const double otsu_sigma_;
};

/// Why a way cannot be run; empty when it can.
std::string lacks_of(const Place& place, SegmentWay way) {
  const MemoryUse memory = place.device_of(way).memory();
  const auto needed = static_cast<std::uint64_t>(place.bytes_needed(way));
  if (memory.in_use + needed <= memory.budget) return "";
  return message("needs ", needed, " bytes with ", memory.in_use, " in use, beyond the budget of ",
                 memory.budget, " bytes");
}

/// Blocks that are kept for reuse would hide what a child needs.
void release_idle_blocks(const Device& device) {
  const MemoryUse memory = device.memory();
  device.set_memory_budget(memory.in_use);
  device.set_memory_budget(memory.budget);
}

SegmentMemory memory_of(const Place& place, SegmentWay way, double pixels,
                        const std::function<void()>& work) {
  const Device device = place.device_of(way);
  SegmentMemory memory;
  if (is_snake(way)) memory.estimated = static_cast<double>(place.bytes_needed(way)) / pixels;
  if (place.is_cpu()) {
    release_idle_blocks(device);
    memory.child = cost_in_child(work);
  }
  memory.measured = static_cast<double>(device_peak_of(device, work)) / pixels;
  return memory;
}

/// A way with what its runs leave behind.
struct Entry {
  SegmentRow row;
  std::vector<double> build, search;
  std::function<void()> work;
};

void note(Entry& entry, const SegmentResult& result) {
  entry.build.push_back(result.figures.build_seconds);
  entry.search.push_back(result.figures.search_seconds);
}

void prepare_snake(Entry& entry, const Place& place, double pixels) {
  const SegmentWay way = entry.row.way;
  SegmentResult result;
  entry.row.memory = memory_of(place, way, pixels, [&] {
    result = place.segmented(way);
    place.device_of(way).synchronize();
  });
  entry.row.iou = place.iou(result);
  entry.row.course.emplace().figures = result.figures;
  for (const Outline& outline : result.outlines) {
    entry.row.course->nodes += static_cast<std::int64_t>(outline.polygon.vertices.size());
  }
  entry.work = [&entry, &place, way] {
    note(entry, place.segmented(way));
    place.device_of(way).synchronize();
  };
}

void prepare_otsu(Entry& entry, const Place& place, double pixels) {
  const auto work = [&place] { return place.thresholded(place.otsu_sigma()); };
  Image mask;
  entry.row.memory = memory_of(place, SegmentWay::otsu, pixels, [&] { mask = work(); });
  entry.row.iou = place.iou(mask);
  entry.work = work;
}

void prepare(Entry& entry, const Place& place, double pixels) {
  const ThreadsFor held(place.threads_of(entry.row.way));
  if (is_snake(entry.row.way)) return prepare_snake(entry, place, pixels);
  if (entry.row.way == SegmentWay::otsu) return prepare_otsu(entry, place, pixels);
  entry.work = [&place] {
    // A sum that nobody asks for would be left out.
    volatile std::uint64_t kept = read_pass(place.host_image());
    static_cast<void>(kept);
  };
}

Candidate candidate_of(const Entry& entry, const Place& place, Clock clock, std::int64_t bytes) {
  const int count = place.threads_of(entry.row.way);
  const ThreadsFor held(count);
  Candidate candidate = repeated(name_of(entry.row.way), bytes, clock, 1, entry.work, 0);
  candidate.run = [run = candidate.run, count] {
    const ThreadsFor again(count);
    return run();
  };
  return candidate;
}

void time_in_turn(std::vector<Entry>& entries, const Place& place, SegmentBench& result,
                  const Control& control) {
  std::vector<Candidate> candidates;
  std::vector<Entry*> timed;
  for (Entry& entry : entries) {
    if (!entry.row.skipped.empty()) continue;
    control.step(0);
    timed.push_back(&entry);
    candidates.push_back(
        candidate_of(entry, place, result.clock, place.host_image().description().bytes()));
  }
  const std::vector<Row> rows = compare_in_turn(candidates, result.runs, control);
  const bool has_baseline = timed.front()->row.way == SegmentWay::paper;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SegmentRow& row = timed[i]->row;
    row.seconds = rows[i].seconds;
    if (has_baseline) row.over_paper = rows[i].ratio;
    row.over_read = ratio_of(rows[i], rows.back());
    if (!row.course) continue;
    row.course->build = quartiles(timed[i]->build);
    row.course->search = quartiles(timed[i]->search);
  }
}

void add_shares_of_sums(std::vector<Entry>& entries, const Place& place, const Control& control) {
  for (Entry& entry : entries) {
    control.step(0);
    const SegmentWay way = entry.row.way;
    if (!entry.row.course || place.device_of(way).name() != "cpu") continue;
    const ThreadsFor held(place.threads_of(way));
    entry.row.course->sums_share =
        share_of_sums(place.host_image(), options_of(way), {.stop = control.stop, .progress = {}});
  }
}

}  // namespace

const char* name_of(SegmentWay way) {
  constexpr const char* names[] = {"full classic, 1 thread", "base32 classic", "full pyramid",
                                   "base32 pyramid",         "defaults",       "blur + Otsu",
                                   "read pass, 1 thread"};
  return names[static_cast<std::size_t>(way)];
}

bool is_snake(SegmentWay way) { return way != SegmentWay::otsu && way != SegmentWay::read; }

SegmentOptions options_of(SegmentWay way) {
  SegmentOptions options;
  if (way == SegmentWay::defaults) return options;
  options.noise = NoiseModel::gaussian;
  const bool is_classic = way == SegmentWay::paper || way == SegmentWay::base32_classic;
  if (is_classic) options.schedule = SegmentSchedule::classic;
  const bool is_full = way == SegmentWay::paper || way == SegmentWay::full_pyramid;
  if (is_full) options.store = SumStore::full;
  return options;
}

double SegmentCourse::seconds_of_iteration() const {
  return search.median / static_cast<double>(std::max<std::int64_t>(1, figures.iterations));
}

std::int64_t segment_bench_bytes(const Shape& size) {
  return padded_bytes({.shape = size, .type = PixelType::u16}) +
         padded_bytes({.shape = size, .type = PixelType::u8});
}

SegmentBench bench_segment(const Shape& size, const Device& device, int runs,
                           const Control& control) {
  const Place place(size, device, part_of(control, 0, 0.2));
  SegmentBench result{.size = size, .device = device.name(), .runs = runs_of(size, runs)};
  if (place.is_cpu() && threads() == 1) result.clock = Clock::process;
  result.otsu_sigma = place.otsu_sigma();
  std::vector<Entry> entries(std::size(segment_ways));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    control.step(0.2);
    entries[i].row.way = segment_ways[i];
    entries[i].row.skipped = lacks_of(place, segment_ways[i]);
    if (entries[i].row.skipped.empty()) prepare(entries[i], place, result.pixels());
  }
  time_in_turn(entries, place, result, part_of(control, 0.3, 0.8));
  add_shares_of_sums(entries, place, {.stop = control.stop, .progress = {}});
  for (const Entry& entry : entries) result.rows.push_back(entry.row);
  const SegmentRow& ours = result.row(SegmentWay::base32_pyramid);
  if (ours.skipped.empty()) {
    result.scaling = scaling_on(
        device, ours.seconds.median, [&] { place.segmented(ours.way); }, result.runs, control);
  }
  return result;
}

}  // namespace meander::bench
