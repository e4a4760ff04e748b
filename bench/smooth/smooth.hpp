// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>

#include "bench/harness.hpp"
#include "bench/smooth/exact_gaussian.hpp"
#include "meander/device.hpp"
#include "meander/smooth.hpp"

namespace meander::bench {

struct SmoothJob {
  SmoothMethod method = SmoothMethod::automatic;
  double sigma = 12;
  friend bool operator==(const SmoothJob&, const SmoothJob&) = default;
};

struct SmoothBench {
  Image image;  ///< In host memory; f64 for double precision, else f32.
  std::vector<SmoothJob> jobs;
  std::vector<Device> devices;  ///< A second one does the same as the first.
  Precision precision = Precision::float32;
  int runs = 9;
};

/// One job on one device.
struct SmoothRow {
  std::string device;
  SmoothJob job;
  SmoothMethod chosen = SmoothMethod::automatic;  ///< What `auto` came to.
  bool transfers = false;  ///< Timed with upload and download, on a device with its own memory.
  Quartiles seconds;
  Quartiles nanoseconds;  ///< For each pixel (of each channel) and axis.
  Quartiles copies;       ///< Time of one axis over the time of copying the image, pair by pair.
  Deviation exact;        ///< From the exact Gaussian.
  std::optional<Deviation> first;  ///< From what the first device made, on the second.
};

struct SmoothCopy {
  std::string device;
  Clock clock = Clock::wall;
  double gigabytes_per_second = 0;  ///< Read and written.
};

struct SmoothResult {
  int axes = 2;
  std::vector<SmoothCopy> copies;  ///< One for each device.
  std::vector<SmoothRow> rows;
};

/// Every job on every device and a copy of the image on each, all in turn. Devices are synchronised
/// before and after; `cpu` with one thread is timed by process time, all else by the wall clock.
SmoothResult bench_smooth(const SmoothBench& bench, const Control& control);

}  // namespace meander::bench
