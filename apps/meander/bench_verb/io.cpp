// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include "bench/io.hpp"
#include "bench_verb/bench.hpp"

namespace meander::app {
namespace {

Json json_of(const bench::Row& row) {
  return {{"name", row.name},
          {"seconds", row.seconds.median},
          {"gigabytes_per_second", row.gigabytes_per_second},
          {"ratio", row.ratio.median},
          {"ratio_quartiles", {row.ratio.low, row.ratio.high}}};
}

Shape size_of(const BenchOptions& options) {
  const auto sizes = options.size.value_or(std::vector{Shape{12000, 12000, 1}});
  if (sizes.size() == 1) return sizes[0];
  throw InvalidArgument(fmt::format("--size: found {} sizes, expected one for io", sizes.size()));
}

}  // namespace

int run_bench_io(Session& session, const BenchOptions& options) {
  const Shape size = size_of(options);
  session.report().set_option("size", to_string(size));
  if (session.common().dry_run) {
    session.say(fmt::format("would read a {} u16 image {} times from each format", to_string(size),
                            options.runs));
    return done;
  }
  const bench::IoResult found =
      bench::bench_io(size, static_cast<int>(options.runs), session.control());
  Json& result = session.report().result();
  result["rows"] = Json::array();
  session.say(fmt::format("{:<28} {:>9} {:>8} {:>8}  {}", "u16 " + to_string(size), "seconds",
                          "GB/s", "ratio", "quartiles"));
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

}  // namespace meander::app
