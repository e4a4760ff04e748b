// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "verbs/measure_devices.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>

#include "meander/error.hpp"
#include "meander/flow.hpp"
#include "meander/io.hpp"
#include "meander/objects.hpp"
#include "meander/phantom.hpp"
#include "meander/react.hpp"
#include "meander/smooth.hpp"
#include "system/child_process.hpp"
#include "system/temporary_folder.hpp"

namespace meander::app {
namespace {

template <class Deed>
double seconds_of(const Deed& deed) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  deed();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The least of three, after one to warm up: what disturbs a run only ever makes it longer. Long
/// ones are disturbed little.
template <class Deed>
double least_seconds_of(const Deed& deed) {
  constexpr double enough = 0.5;
  seconds_of(deed);
  double least = seconds_of(deed), all = least;
  while (all < enough && all < 3 * least) {
    const double seconds = seconds_of(deed);
    least = std::min(least, seconds);
    all += seconds;
  }
  return least;
}

/// As in an image of 4096x4096 with 500 of them.
constexpr std::int64_t pixels_of_a_blob = 32768;

Image blobs(std::int64_t side, const Control& control) {
  return phantom({.kind = PhantomKind::blobs,
                  .size = {side, side, 1},
                  .noise = {.family = NoiseFamily::gaussian},
                  .count = std::max<std::int64_t>(1, side * side / pixels_of_a_blob)},
                 {.stop = control.stop});
}

/// Work of one kind, mostly, at two sizes: of the small one launches take the most, of the large
/// one units.
struct Trial {
  WorkKind kind;
  std::int64_t small_side, large_side;
  std::function<Work(const Description&)> estimate;
  std::function<void(const Image&)> run;
};

std::vector<Trial> trials(const Control& control) {
  const Control stop{.stop = control.stop};
  const SmoothOptions smoothing{.sigma = 12};
  const FlowOptions flowing;
  const ObjectOptions objects;
  // Without a search for the window, which is the processor's.
  ReactOptions reacting = react_preset("edges");
  reacting.window = ReactWindow::Kind::full;
  return {{WorkKind::lines, 128, 2048,
           [=](const Description& image) { return estimate_work(image, smoothing); },
           [=](const Image& image) { smooth(image, smoothing, {}, stop); }},
          {WorkKind::steps, 128, 2048,
           [=](const Description& image) { return estimate_work(image, reacting); },
           [=](const Image& image) { react(image, reacting, {}, stop); }},
          {WorkKind::cycles, 128, 1024,
           [=](const Description& image) { return estimate_work(image, flowing); },
           [=](const Image& image) { flow(image, flowing, {}, stop); }},
          {WorkKind::outlines, 128, 512,
           [=](const Description& image) { return estimate_work(image, objects.search); },
           [=](const Image& image) { segment_objects(image, objects, {}, stop); }}};
}

/// Amounts of the trial's kind, and the seconds that are theirs: those of other kinds, which have
/// been measured before, are taken off.
struct Point {
  Work::Amount amount;
  double seconds = 0;
};

Point point_of(const Trial& trial, const Device& device, std::int64_t side,
               const DeviceFigures& known, const Control& control) {
  const Image image = device.upload(blobs(side, control));
  const Work work = trial.estimate(image.description());
  Work others;
  others.amounts = work.amounts;
  others[trial.kind] = {};
  const double all = least_seconds_of([&] {
    trial.run(image);
    device.synchronize();
  });
  return {work[trial.kind], all - seconds_for(others, known, true)};
}

/// The large one, or less where that would take longer than a second or two.
std::int64_t bearable_side(const Trial& trial, double small_seconds) {
  constexpr double most_seconds = 2;
  const auto seconds = [&](std::int64_t side) {
    const double ratio = static_cast<double>(side) / static_cast<double>(trial.small_side);
    return small_seconds * ratio * ratio;
  };
  std::int64_t side = trial.large_side;
  while (side > 2 * trial.small_side && seconds(side) > most_seconds) side /= 2;
  return side;
}

/// Both in seconds, above 0 whatever the noise of the two measurements.
DeviceFigures::Cost cost_from(const Point& small, const Point& large) {
  const double small_share = small.amount.launches / large.amount.launches;
  const double unit = (large.seconds * small_share - small.seconds) /
                      (large.amount.units * small_share - small.amount.units);
  const double whole = std::max(large.seconds, 1e-9) / large.amount.units;
  const double used = std::clamp(unit, whole / 100, whole);
  const double rest = small.seconds - used * small.amount.units;
  return {used, std::max(rest / small.amount.launches, 1e-9)};
}

/// Of a program of its own that does next to nothing on a device: loading drivers and kernels,
/// and letting go of them in the end.
double seconds_of_program(const std::string& device, const std::filesystem::path& folder) {
  return least_seconds_of([&] {
    ChildProcess child({"smooth", (folder / "in.npy").string(), (folder / "out.npy").string(),
                        "--sigma", "1", "--quiet", "--device", device});
    while (!child.take_in()) {
      std::array<pollfd, 2> pipes = child.waits_for();
      poll(pipes.data(), pipes.size(), -1);
    }
    if (child.code() != 0) throw DeviceError(device + " failed to start: " + child.err());
  });
}

/// What such a program takes longer than on `cpu`.
double start_of(const Device& device) {
  const TemporaryFolder folder(std::filesystem::temp_directory_path(), "measure");
  io::write(folder.path() / "in.npy", phantom({.kind = PhantomKind::star, .size = {64, 64, 1}}));
  const double here = seconds_of_program("cpu", folder.path());
  return std::max(seconds_of_program(device.name(), folder.path()) - here, 1e-6);
}

/// `cpu` has no start and no transfers.
void measure_start_and_transfers(DeviceFigures& figures, const Device& device) {
  figures.start = start_of(device);
  const Image large = Image::allocate({.shape = {4096, 4096, 1}, .type = PixelType::f32});
  const auto bytes = static_cast<double>(padded_bytes(large.description()));
  Image there;
  const double up = least_seconds_of([&] {
    there = device.upload(large);
    device.synchronize();
  });
  figures.upload = up / bytes;
  figures.download = least_seconds_of([&] { there.download(); }) / bytes;
}

DeviceFigures figures_of(const Device& device, const Control& control) {
  DeviceFigures figures{.name = device.name(), .description = device.info().description};
  if (figures.is_gpu()) measure_start_and_transfers(figures, device);
  double done = 0;
  for (const Trial& trial : trials(control)) {
    const Point small = point_of(trial, device, trial.small_side, figures, control);
    const std::int64_t side = bearable_side(trial, small.seconds);
    const Point large = point_of(trial, device, side, figures, control);
    figures.costs[static_cast<std::size_t>(trial.kind)] = cost_from(small, large);
    control.step(++done / work_kinds);
  }
  return figures;
}

}  // namespace

Figures measured_figures(const Control& control) {
  Figures figures{.threads = threads(), .driver = nvidia_driver(), .devices = {}};
  figures.devices.push_back(figures_of(Device::open("cpu"), control));
  for (const DeviceInfo& info : Device::list()) {
    if (info.is_gpu) {
      figures.devices.push_back(figures_of(Device::open(info.name), control));
    }
  }
  return figures;
}

}  // namespace meander::app
