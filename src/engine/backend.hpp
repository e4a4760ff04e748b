// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "engine/convert.hpp"
#include "engine/reduce.hpp"
#include "engine/view.hpp"

/// The contract every backend fulfils.
///
/// Engine calls enqueue on the device's in-order queue and return; the queue keeps every block of a
/// call alive until it has run. `fetch`, `read` and `finish` are the only waits. A failure that
/// surfaces at a wait is thrown there as DeviceError naming the operation that was in flight. Views
/// of one call are on this device, of equal shape and channel count: callers in src/filter check
/// that.
namespace meander::engine {

class Backend {
 public:
  virtual ~Backend() = default;

  virtual const DeviceInfo& info() const = 0;
  virtual MemoryPool& pool() = 0;
  virtual void finish() = 0;
  /// Whether its blocks are ordinary host memory, so that upload and download need no copy.
  virtual bool uses_host_memory() const = 0;

  /// Copies between a view in host memory and one on this device, same type; both wait.
  virtual void write(const View& host, const View& device) = 0;
  virtual void read(const View& device, const View& host) = 0;

  /// out = map(in), number by number, any pair of types. In place is allowed when the types are
  /// equal.
  virtual void convert(const View& in, const View& out, const Affine& map) = 0;

  /// Starts a reduction of `in - shift`; the result stays on the device until it is fetched.
  /// Integer pixels, whose sums are exact, are not shifted: their `shift` is 0.
  virtual MemoryPtr reduce(const View& in, double shift) = 0;
  virtual Sums fetch(const MemoryPtr& reduction) = 0;
};

}  // namespace meander::engine
