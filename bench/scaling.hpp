// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>

#include "bench/harness.hpp"

namespace meander::bench {

/// What more threads gain, beside what they gain for a kernel that only computes: neighbours on the
/// machine and clocks that fall under load slow both alike.
struct Scaling {
  int threads = 1;
  double speedup = 1;       ///< Of the work; median of pairs, wall clock.
  double spin_speedup = 1;  ///< Of the kernel that only computes.
  double share = 1;         ///< The first over the second.
};

/// So many threads of the processor while it lives, and then as many as before.
class ThreadsFor {
 public:
  explicit ThreadsFor(int count);
  ~ThreadsFor() { set_threads(before_); }
  ThreadsFor(const ThreadsFor&) = delete;
  ThreadsFor& operator=(const ThreadsFor&) = delete;

 private:
  const int before_ = threads();
};

/// `work` with one thread and with as many as are set now, in turn.
Scaling scaling_of(const std::function<void()>& work, int runs, const Control& control);

/// The same of work of so many seconds, repeated until a timing takes at least 50 ms; nothing with
/// one thread, or on a device other than the cpu.
std::optional<Scaling> scaling_on(const Device& device, double seconds,
                                  const std::function<void()>& work, int runs,
                                  const Control& control);

}  // namespace meander::bench
