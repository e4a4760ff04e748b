// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/smooth/smooth.hpp"

#include <algorithm>
#include <map>

#include "core/image_state.hpp"
#include "engine/backend.hpp"
#include "meander/compare.hpp"
#include "meander/error.hpp"
#include "meander/statistics.hpp"

namespace meander::bench {
namespace {

SmoothOptions options_of(const SmoothJob& job, Precision precision) {
  return {.sigma = Scale(job.sigma), .method = job.method, .precision = precision};
}

/// A device with the image on it.
struct Place {
  Device device;
  Image image, copy;
  Clock clock;
  std::size_t baseline;  ///< Which candidate is its copy.

  bool has_own_memory() const { return !device.backend().uses_host_memory(); }
};

Place place_on(const Device& device, const Image& image) {
  const bool alone = device.backend().uses_host_memory() && threads() == 1;
  const Image there = device.upload(image);
  return {device, there, device.allocate(there.description()), alone ? Clock::process : Clock::wall,
          0};
}

Candidate copying(const Place& place) {
  return {"copy", 2 * place.image.description().bytes(), [&place] {
            place.device.synchronize();
            return seconds_of(place.clock, [&] {
              place.device.backend().convert(place.image.state().view, place.copy.state().view, {});
              place.device.synchronize();
            });
          }};
}

Candidate smoothing(const Place& place, const SmoothOptions& options, const Control& control) {
  const Control stop{.stop = control.stop, .progress = {}};
  return {"smooth", 0,
          [&place, options, stop] {
            place.device.synchronize();
            return seconds_of(place.clock, [&] {
              smooth(place.image, options, {}, stop);
              place.device.synchronize();
            });
          },
          place.baseline};
}

Candidate with_transfers(const Place& place, const Image& host, const SmoothOptions& options) {
  return {"smooth", 0,
          [&place, &host, options] {
            place.device.synchronize();
            return seconds_of(place.clock,
                              [&] { smooth(place.device.upload(host), options).download(); });
          },
          place.baseline};
}

int smoothed_axes(const SmoothPlan& plan) {
  const auto& axes = plan.components.at(0);
  return static_cast<int>(std::count_if(axes.begin(), axes.end(),
                                        [](const SmoothAxis& axis) { return axis.sigma > 0; }));
}

/// The measured work: candidates and the rows that their times go to.
struct Course {
  std::vector<Candidate> candidates;
  std::vector<SmoothRow> rows;
  std::vector<std::size_t> places;  ///< Of each row's candidate.

  void add(SmoothRow row, Candidate candidate) {
    places.push_back(candidates.size());
    candidates.push_back(std::move(candidate));
    rows.push_back(std::move(row));
  }
};

Course course_of(const SmoothBench& bench, std::vector<Place>& places, const Control& control) {
  Course course;
  for (Place& place : places) {
    place.baseline = course.candidates.size();
    course.candidates.push_back(copying(place));
    course.candidates.back().baseline = place.baseline;
    for (const SmoothJob& job : bench.jobs) {
      const SmoothOptions options = options_of(job, bench.precision);
      const SmoothPlan plan = plan_smooth(bench.image.description(), options);
      SmoothRow row{.device = place.device.name(), .job = job};
      row.chosen = plan.components.at(0)[0].method;
      course.add(row, smoothing(place, options, control));
      if (!place.has_own_memory()) continue;
      row.transfers = true;
      course.add(row, with_transfers(place, bench.image, options));
    }
  }
  return course;
}

double range_of(const Image& image) {
  const Statistics found = statistics(image);
  if (found.nonfinite > 0) {
    throw InvalidArgument("the image holds numbers that are not finite, expected none");
  }
  return found.max > found.min ? found.max - found.min : 1;
}

/// Fills in how far each row's result is from the exact one and from the first device's.
void add_deviations(const SmoothBench& bench, const std::vector<Place>& places,
                    std::vector<SmoothRow>& rows, const Control& control) {
  const double range = range_of(bench.image);
  std::map<double, ExactGaussian> exact;
  std::size_t done = 0;
  for (const SmoothJob& job : bench.jobs) {
    control.step(static_cast<double>(done++) / static_cast<double>(bench.jobs.size()));
    const auto& wanted = exact.try_emplace(job.sigma, bench.image, job.sigma).first->second;
    Image first;
    for (const Place& place : places) {
      const Image found = smooth(place.image, options_of(job, bench.precision), {},
                                 {.stop = control.stop, .progress = {}})
                              .download();
      for (SmoothRow& row : rows) {
        if (row.device != place.device.name() || row.job != job) continue;
        row.exact = wanted.deviation_of(found, range);
        if (first.empty()) continue;
        const Comparison difference = compare(first, found);
        row.first = Deviation{difference.rms / range, difference.max / range};
      }
      if (first.empty()) first = found;
    }
  }
}

}  // namespace

SmoothResult bench_smooth(const SmoothBench& bench, const Control& control) {
  std::vector<Place> places;
  for (const Device& device : bench.devices) places.push_back(place_on(device, bench.image));
  Course course = course_of(bench, places, control);
  add_deviations(bench, places, course.rows, part_of(control, 0, 0.3));
  const std::vector<Row> timed =
      compare_in_turn(course.candidates, bench.runs, part_of(control, 0.3, 1));
  SmoothResult result;
  result.axes = smoothed_axes(
      plan_smooth(bench.image.description(), options_of(bench.jobs.at(0), bench.precision)));
  for (const Place& place : places) {
    result.copies.push_back(
        {place.device.name(), place.clock, timed[place.baseline].gigabytes_per_second});
  }
  const auto numbers = static_cast<double>(bench.image.description().numbers());
  for (std::size_t i = 0; i < course.rows.size(); ++i) {
    SmoothRow& row = course.rows[i];
    const Row& time = timed[course.places[i]];
    row.seconds = time.seconds;
    row.nanoseconds = scaled(time.seconds, 1e9 / numbers / result.axes);
    row.copies = scaled(time.ratio, 1.0 / result.axes);
  }
  result.rows = std::move(course.rows);
  return result;
}

}  // namespace meander::bench
