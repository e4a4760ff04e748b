// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "meander/control.hpp"
#include "meander/device.hpp"

/// Timings are noisy, so a benchmark runs its candidates in turn (ABAB…) and reports ratios of
/// pairs taken side by side.
namespace meander::engine {
struct PlainSteps;
}

namespace meander::bench {

struct Quartiles {
  double low = 0, median = 0, high = 0;
};
Quartiles quartiles(std::vector<double> values);
Quartiles scaled(const Quartiles& q, double factor);

/// One measured thing: what it is, how many bytes it moves, and a run that returns its seconds.
struct Candidate {
  std::string name;
  std::int64_t bytes = 0;
  std::function<double()> run;
  std::size_t baseline = 0;  ///< Place of the candidate that its ratio is taken to.
};

struct Row {
  std::string name;
  Quartiles seconds;
  Quartiles ratio;                  ///< To its baseline, pair by pair; the baseline's own is 1.
  double gigabytes_per_second = 0;  ///< By the median.
  std::vector<double> runs;         ///< Seconds of each, in their order.
};
/// The time of one over that of another of the same comparison, pair by pair.
Quartiles ratio_of(const Row& row, const Row& baseline);

/// Runs all candidates once to warm up and then `runs` times in turn.
/// Every run is a cancel point.
std::vector<Row> compare_in_turn(const std::vector<Candidate>& candidates, int runs,
                                 const Control& control);

/// Process time adds up what all threads of the process computed and leaves out what others did.
enum class Clock : std::uint8_t { wall, process };
double seconds_of(Clock clock, const std::function<void()>& work);

/// Work that is repeated until a timing takes at least 50 ms. Its time is that of one of the
/// `units` that each repeat does, `bytes` are those of a unit. Runs it twice to learn how often.
Candidate repeated(const std::string& name, std::int64_t bytes, Clock clock, double units,
                   const std::function<void()>& work, std::size_t baseline);
/// How often work of so many seconds is repeated for that.
std::int64_t repeats_of(double seconds);

/// While it lives a device takes steps one a launch, if it can; null: as many as are fastest.
class WithPlainSteps {
 public:
  WithPlainSteps(const Device& device, const engine::PlainSteps* how);
  ~WithPlainSteps();
  WithPlainSteps(const WithPlainSteps&) = delete;
  WithPlainSteps& operator=(const WithPlainSteps&) = delete;
  bool is_there() const { return is_there_; }

 private:
  const Device device_;
  const bool is_there_;
};

/// Progress of one stage of the work, as [from, to] of the whole; `control` must outlive it.
Control part_of(const Control& control, double from, double to);

/// What a function costs in a child process of its own: fresh memory, and a peak that is its alone.
struct ChildCost {
  double seconds = 0;
  std::int64_t peak_bytes = 0;  ///< Beyond what the child had at its start.
};
/// An exception of the child's comes out here: OutOfMemory and FileSystemError as such, others as
/// LogicError.
ChildCost cost_in_child(const std::function<void()>& work);

/// Bytes that the device's pool hands out at most while `work` runs, beyond what it had before.
std::int64_t device_peak_of(const Device& device, const std::function<void()>& work);

}  // namespace meander::bench
