// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "io.hpp"
#include "session.hpp"

namespace meander::app {
namespace {

struct BenchOptions {
  Shape size{12000, 12000, 1};
  std::int64_t runs = 9;

  template <class Visitor>
  void describe(Visitor& v) {
    v(size, {.name = "size", .unit = "pixels", .min = 1, .max = 1e6, .help = "size of the image"});
    v(runs, {.name = "runs",
             .min = 1,
             .max = 1000,
             .help = "timed runs of each candidate, taken in turn"});
  }
};

BenchOptions options;

Json json_of(const bench::Row& row) {
  return {{"name", row.name},
          {"seconds", row.seconds.median},
          {"gigabytes_per_second", row.gigabytes_per_second},
          {"ratio", row.ratio.median},
          {"ratio_quartiles", {row.ratio.low, row.ratio.high}}};
}

int run(Session& session) {
  validate(options);
  if (session.common().dry_run) {
    session.say(fmt::format("would read a {} u16 image {} times from each format",
                            to_string(options.size), options.runs));
    return done;
  }
  const bench::IoResult found =
      bench::bench_io(options.size, static_cast<int>(options.runs), session.control());
  Json& result = session.report().result();
  result["rows"] = Json::array();
  session.say(fmt::format("{:<28} {:>9} {:>8} {:>8}  {}", "u16 " + to_string(options.size),
                          "seconds", "GB/s", "ratio", "quartiles"));
  for (const bench::Row& row : found.rows) {
    result["rows"].push_back(json_of(row));
    session.say(fmt::format("{:<28} {:9.4f} {:8.2f} {:8.3f}  {:.3f} to {:.3f}", row.name,
                            row.seconds.median, row.gigabytes_per_second, row.ratio.median,
                            row.ratio.low, row.ratio.high));
  }
  const double peak =
      static_cast<double>(found.peak_bytes) / static_cast<double>(found.image_bytes);
  result["peak_ratio"] = peak;
  session.say(fmt::format("peak memory of {}: {:.3f} of the image", found.rows.back().name, peak));
  return done;
}

}  // namespace

Verb bench_verb() {
  return {.name = "bench",
          .summary = "Measures Meander on this machine against plain baselines in the same run",
          .details =
              "io: reading an image from the page cache against read() of the same bytes. Ratios "
              "are medians over "
              "runs taken in turn, each in a fresh process; below 1 is faster than the baseline.",
          .example = "meander bench io --size 12000x12000 --runs 9",
          .arguments = {{.name = "WHAT", .help = "what to measure", .choices = {"io"}}},
          .options = entries_of(options),
          .run = run};
}

}  // namespace meander::app
