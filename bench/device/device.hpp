// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/harness.hpp"

/// One table for any device: the work that users wait for, with the images on the device already.
namespace meander::bench {

struct DeviceRow {
  std::string work;
  std::string left_out;  ///< Why the row has no figures; empty where it has.
  Quartiles call;        ///< Seconds of a whole call, until the device has finished.
  double device = 0;     ///< Median of the seconds by the device's own clock; 0: it has none.
  /// Median of the seconds when steps are taken one a pass, by the same clock; 0: there is one way.
  double plain = 0;
  std::optional<Quartiles> over_cpu;  ///< `call` over the same on `cpu`, pair by pair.
  double bytes = 0;         ///< That a plain pass for each step or axis moves; 0: not counted.
  double part_of_copy = 0;  ///< Bytes over the time (the device's where known) over the copy rate.
  DeviceCounters cost;      ///< Of a second call.
};

struct DeviceBench {
  std::string device;
  double copy_bytes_per_second = 0;  ///< Both ways, of an image that fits no cache.
  std::vector<DeviceRow> rows;
};

/// `divisor` makes the sides of all images smaller. Rows whose images and estimates do not fit into
/// the device's budget, or whose type it lacks, are left out with the reason. Slow rows are run
/// less often, at least 3 times. Only rows whose names have `part_of_name` in
/// them; throws InvalidArgument when there are none.
DeviceBench bench_device(const Device& device, std::int64_t divisor, int runs,
                         const std::string& part_of_name, const Control& control);

}  // namespace meander::bench
