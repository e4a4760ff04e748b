// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/segment/profile.hpp"

#include "backend/cpu/engines.hpp"
#include "bench/harness.hpp"

namespace meander::bench {
namespace {

/// Spent in sums so far. Engines are plain functions, so it cannot be part of an object; segment()
/// calls them from its caller's thread.
double seconds_in_sums = 0;

void timed_edges(const engine::CumulatedSums& sums, std::span<const engine::ContourEdge> edges,
                 engine::RegionSums* results) {
  seconds_in_sums += seconds_of(Clock::wall, [&] { cpu::sum_edges(sums, edges, results); });
}

void timed_triangles(const engine::View& pixels, std::span<const engine::ContourTriangle> triangles,
                     engine::RegionSums* results) {
  seconds_in_sums +=
      seconds_of(Clock::wall, [&] { cpu::sum_triangles(pixels, triangles, results); });
}

/// The cpu, but for the sums, which are timed.
Device timed_cpu() {
  engine::HostEngines engines = cpu::host_engines();
  engines.sum_edges = timed_edges;
  engines.sum_triangles = timed_triangles;
  return Device(engine::make_host_backend(Device::open("cpu").info(), engines));
}

}  // namespace

double share_of_sums(const Image& host_image, const SegmentOptions& options,
                     const Control& control) {
  static const Device device = timed_cpu();
  const Image image = device.upload(host_image);
  seconds_in_sums = 0;
  const double all = seconds_of(Clock::wall, [&] { segment(image, options, {}, control); });
  return seconds_in_sums / all;
}

}  // namespace meander::bench
