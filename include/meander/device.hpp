// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "meander/image.hpp"

namespace meander {

namespace engine {
class Backend;
}

/// A device that can be used now.
struct DeviceInfo {
  std::string name;                ///< What `Device::open` takes: "cpu", "opencl:0", "reference".
  std::string description;         ///< Processor, driver and instruction set in words.
  std::uint64_t memory_bytes = 0;  ///< Physical memory of the device.
  bool is_gpu = false;             ///< Whether it is a graphics processor.
  bool has_float64 = true;         ///< Whether f64 images can be on it.
};

/// A backend that offers no device here, and why: not built, no driver, no device.
struct AbsentBackend {
  std::string name;         ///< The backend: "cuda" or "opencl".
  std::string reason;       ///< In words.
  bool has_failed = false;  ///< A driver is installed, but did not start.
};

/// Bytes handed out by a device's pool.
struct MemoryUse {
  std::uint64_t in_use = 0;  ///< By images and work.
  std::uint64_t peak = 0;    ///< The most since reset_memory_peak.
  std::uint64_t budget = 0;  ///< See set_memory_budget.
};

/// What a device was asked for since the program began; the difference of two is what a piece of
/// work cost. Counted always, on every device; on `cpu` a launch is a call of an engine, and
/// nothing is waited for or transferred.
struct DeviceCounters {
  std::int64_t launches = 0;  ///< Kernels that were started.
  std::int64_t waits = 0;     ///< Times that the host stood still until the device had finished.
  std::int64_t transfers =
      0;  ///< Copies between host memory and the device's, of pixels or tables.
  std::int64_t transferred_bytes = 0;  ///< Sum over transfers.
  std::int64_t allocations = 0;  ///< Blocks taken from the system or the driver, not from the pool.

  /// What came between two readings, the earlier one on the right.
  friend DeviceCounters operator-(const DeviceCounters& a, const DeviceCounters& b) {
    return {.launches = a.launches - b.launches,
            .waits = a.waits - b.waits,
            .transfers = a.transfers - b.transfers,
            .transferred_bytes = a.transferred_bytes - b.transferred_bytes,
            .allocations = a.allocations - b.allocations};
  }
};

struct Choice;
struct Work;

/// A place with memory and an in-order queue. Handles are cheap; all handles of one name are the
/// same device. Operations on its images are enqueued and may return before they have run.
class Device {
 public:
  /// Devices usable now, the fastest first, `reference` last; and the backends that are not.
  static std::vector<DeviceInfo> list();
  static std::vector<AbsentBackend> absent();  ///< Backends that `list` has no device of.
  /// `auto` is the fastest real device: CUDA, then an OpenCL GPU, then `cpu`. Throws
  /// InvalidArgument for a name that no backend knows, Unsupported with the reason for a device
  /// that is not here, DeviceError where its driver did not start.
  static Device open(std::string_view name = "auto");
  /// The device that ends such work first, the start of its driver and transfers included, by
  /// figures that were measured (`meander devices --measure`) or else built in; see
  /// meander/work.hpp. Follows from the work and the figures alone, but that a device which this
  /// process has used already has been started. No driver is loaded for what `cpu` ends sooner than
  /// any GPU of the figures.
  static Choice for_work(const Work& work);

  const DeviceInfo& info() const;                          ///< What `list` tells of it.
  const std::string& name() const { return info().name; }  ///< As `open` takes it.

  /// Uninitialised pixels with rows on 64-byte boundaries. Throws OutOfMemory beyond the budget.
  Image allocate(const Description& description) const;
  /// The pixels of a host image on this device; shares them when this is the device they are on.
  Image upload(const Image& host, const Control& control = {}) const;
  /// Waits until everything enqueued has run. Throws DeviceError naming the operation that failed.
  void synchronize() const;

  MemoryUse memory() const;  ///< Of its pool now, in bytes.
  /// Bytes that it can hand out now, within its budget; of a CUDA device also within what other
  /// programs have left, which it has to be started for.
  std::uint64_t available_memory() const;
  DeviceCounters counters() const;  ///< Up to now.
  /// Makes the peak what is in use now, to measure one piece of work.
  void reset_memory_peak() const;
  /// Bytes the device may hand out at a time; at first its physical memory.
  void set_memory_budget(std::uint64_t bytes) const;

  /// Whether both are one device.
  friend bool operator==(const Device& a, const Device& b) { return a.backend_ == b.backend_; }

  /// For the library's own use.
  explicit Device(std::shared_ptr<engine::Backend> backend) : backend_(std::move(backend)) {}
  engine::Backend& backend() const { return *backend_; }  ///< For the library's own use.

 private:
  std::shared_ptr<engine::Backend> backend_;
};

/// Threads that `cpu` uses, 1 to 1024; 0 means one per processor. Results do not depend on it.
void set_threads(int count);
int threads();  ///< Those in use, 1 to 1024.

}  // namespace meander
