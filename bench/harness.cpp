// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/harness.hpp"

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <exception>
#include <fstream>

#include "engine/backend.hpp"
#include "meander/error.hpp"

namespace meander::bench {
namespace {

constexpr double least_seconds = 0.05;  // of a timing

/// The largest resident size so far. A child inherits its parent's, so the mark is reset first.
void reset_peak() { std::ofstream("/proc/self/clear_refs") << '5'; }

std::int64_t peak_now() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6)) * 1024;
  }
  throw LogicError("the system does not tell the peak of a process");
}

double now(Clock clock) {
  timespec time{};
  clock_gettime(clock == Clock::wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

ChildCost measure(const std::function<void()>& work) {
  malloc_trim(0);  // what the parent had freed would hide what the work takes
  reset_peak();
  const std::int64_t before = peak_now();
  const double seconds = seconds_of(Clock::wall, work);
  return {seconds, peak_now() - before};
}

/// What a child tells its parent.
struct Outcome {
  enum Kind { done, out_of_memory, file_system, other } kind = done;
  ChildCost cost;
  char text[400] = {};
};

Outcome failed(Outcome::Kind kind, const std::exception& error) {
  Outcome outcome{.kind = kind};
  std::string(error.what()).copy(outcome.text, sizeof outcome.text - 1);
  return outcome;
}

Outcome outcome_of(const std::function<void()>& work) {
  try {
    return {.kind = Outcome::done, .cost = measure(work)};
  } catch (const OutOfMemory& error) {
    return failed(Outcome::out_of_memory, error);
  } catch (const FileSystemError& error) {
    return failed(Outcome::file_system, error);
  } catch (const std::exception& error) {
    return failed(Outcome::other, error);
  }
}

ChildCost cost_or_throw(const Outcome& outcome) {
  switch (outcome.kind) {
    case Outcome::done:
      return outcome.cost;
    case Outcome::out_of_memory:
      throw OutOfMemory(outcome.text);
    case Outcome::file_system:
      throw FileSystemError(outcome.text);
    case Outcome::other:
      break;
  }
  throw LogicError(outcome.text);
}

}  // namespace

Quartiles quartiles(std::vector<double> values) {
  if (values.empty()) throw LogicError("quartiles of nothing");
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
  };
  return {at(0.25), at(0.5), at(0.75)};
}

Quartiles scaled(const Quartiles& q, double factor) {
  return {q.low * factor, q.median * factor, q.high * factor};
}

Quartiles ratio_of(const Row& row, const Row& baseline) {
  std::vector<double> ratios;
  for (std::size_t run = 0; run < row.runs.size(); ++run) {
    ratios.push_back(row.runs[run] / baseline.runs.at(run));
  }
  return quartiles(std::move(ratios));
}

double seconds_of(Clock clock, const std::function<void()>& work) {
  const double begin = now(clock);
  work();
  return now(clock) - begin;
}

std::int64_t repeats_of(double seconds) {
  constexpr double clock_tick = 1e-6;
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::ceil(least_seconds / std::max(seconds, clock_tick))));
}

Candidate repeated(const std::string& name, std::int64_t bytes, Clock clock, double units,
                   const std::function<void()>& work, std::size_t baseline) {
  work();  // touches its memory, and lets an engine make its choice
  const std::int64_t repeats = repeats_of(seconds_of(clock, work));
  return {name, bytes,
          [work, clock, units, repeats] {
            const double seconds = seconds_of(clock, [&] {
              for (std::int64_t i = 0; i < repeats; ++i) work();
            });
            return seconds / static_cast<double>(repeats) / units;
          },
          baseline};
}

WithPlainSteps::WithPlainSteps(const Device& device, const engine::PlainSteps* how)
    : device_(device), is_there_(device.backend().take_plain_steps(how)) {}
WithPlainSteps::~WithPlainSteps() { device_.backend().take_plain_steps(nullptr); }

Control part_of(const Control& control, double from, double to) {
  return {.stop = control.stop, .progress = [&control, from, to](double fraction) {
            if (control.progress) control.progress(from + (to - from) * fraction);
          }};
}

std::vector<Row> compare_in_turn(const std::vector<Candidate>& candidates, int runs,
                                 const Control& control) {
  std::vector<std::vector<double>> seconds(candidates.size());
  for (const Candidate& candidate : candidates) candidate.run();
  for (int run = 0; run < runs; ++run) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      control.step(static_cast<double>(run) / runs);
      seconds[i].push_back(candidates[i].run());
    }
  }
  std::vector<Row> rows;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Quartiles time = quartiles(seconds[i]);
    rows.push_back(
        {.name = candidates[i].name,
         .seconds = time,
         .ratio = {},
         .gigabytes_per_second = static_cast<double>(candidates[i].bytes) / time.median / 1e9,
         .runs = seconds[i]});
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].ratio = ratio_of(rows[i], rows[candidates[i].baseline]);
  }
  return rows;
}

ChildCost cost_in_child(const std::function<void()>& work) {
  int ends[2];
  if (pipe(ends) != 0) throw LogicError("no pipe for a benchmark's child");
  const pid_t child = fork();
  if (child == 0) {
    const Outcome outcome = outcome_of(work);
    _exit(write(ends[1], &outcome, sizeof outcome) == sizeof outcome ? 0 : 1);
  }
  close(ends[1]);
  Outcome outcome;
  const bool complete = child > 0 && read(ends[0], &outcome, sizeof outcome) == sizeof outcome;
  close(ends[0]);
  int status = -1;
  if (child > 0) waitpid(child, &status, 0);
  if (!complete || status != 0) throw LogicError("a benchmark's child died");
  return cost_or_throw(outcome);
}

std::int64_t device_peak_of(const Device& device, const std::function<void()>& work) {
  device.synchronize();
  const MemoryUse before = device.memory();
  // Lets go of blocks kept for reuse: one may serve although it is larger than what is asked for.
  device.set_memory_budget(before.in_use);
  device.set_memory_budget(before.budget);
  device.reset_memory_peak();
  work();
  device.synchronize();
  return static_cast<std::int64_t>(device.memory().peak - before.in_use);
}

}  // namespace meander::bench
