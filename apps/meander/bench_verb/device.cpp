// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/device/device.hpp"

#include <fmt/format.h>

#include "bench_verb/bench.hpp"
#include "bench_verb/figures.hpp"

namespace meander::app {
namespace {

using bench::DeviceRow;

Json json_of(const DeviceRow& row) {
  Json json = {{"work", row.work}};
  if (!row.left_out.empty()) {
    json["left_out"] = row.left_out;
    return json;
  }
  json["seconds"] = row.call.median;
  json["seconds_quartiles"] = quartiles_json(row.call);
  if (row.device > 0) json["device_seconds"] = row.device;
  if (row.plain > 0) json["plain_seconds"] = row.plain;
  if (row.over_cpu) {
    json["over_cpu"] = row.over_cpu->median;
    json["over_cpu_quartiles"] = quartiles_json(*row.over_cpu);
  }
  if (row.bytes > 0) {
    json["bytes"] = row.bytes;
    json["part_of_copy"] = row.part_of_copy;
  }
  json["launches"] = row.cost.launches;
  json["waits"] = row.cost.waits;
  json["transfers"] = row.cost.transfers;
  json["transferred_bytes"] = row.cost.transferred_bytes;
  json["allocations"] = row.cost.allocations;
  return json;
}

std::string line_of(const DeviceRow& row, double copy_rate) {
  if (!row.left_out.empty()) return fmt::format("| {} | left out: {} |", row.work, row.left_out);
  const auto or_dash = [](bool is_there, const std::string& text) { return is_there ? text : "–"; };
  return fmt::format(
      "| {} | {:.3f} | {} | {} | {} | {} | {} | {} | {} | {} | {} |", row.work,
      row.call.median * 1e3, or_dash(row.device > 0, fmt::format("{:.3f}", row.device * 1e3)),
      or_dash(row.plain > 0, fmt::format("{:.3f}", row.plain * 1e3)),
      or_dash(row.over_cpu.has_value(),
              fmt::format("{:.3f}", row.over_cpu.value_or(bench::Quartiles{}).median)),
      or_dash(row.bytes > 0, fmt::format("{:.0f}", row.part_of_copy * copy_rate / 1e9)),
      or_dash(row.bytes > 0, fmt::format("{:.2f}", row.part_of_copy)), row.cost.launches,
      row.cost.waits, row.cost.transfers, row.cost.allocations);
}

}  // namespace

int run_bench_device(Session& session, const BenchOptions& options,
                     const DeviceBenchOptions& device) {
  if (options.size) {
    throw InvalidArgument("--size: found with `bench device`, expected --divisor");
  }
  if (session.common().dry_run) {
    session.say(fmt::format("would run a table of work on {}, {} times each",
                            session.invocation().device.device, options.runs));
    return done;
  }
  const bench::DeviceBench all =
      bench::bench_device(session.device(), device.divisor, static_cast<int>(options.runs),
                          device.rows, session.control());
  Json& result = session.report().result();
  result["copy_bytes_per_second"] = all.copy_bytes_per_second;
  result["rows"] = Json::array();
  session.say(fmt::format("{} ({}): copies {:.0f} GB/s, read and written\n", all.device,
                          session.device().info().description, all.copy_bytes_per_second / 1e9));
  session.say(
      "| work | call, ms | device, ms | plain, ms | over cpu | GB/s | of the copy rate | launches "
      "| "
      "waits | transfers | allocations |");
  session.say("|---|---|---|---|---|---|---|---|---|---|---|");
  for (const DeviceRow& row : all.rows) {
    result["rows"].push_back(json_of(row));
    session.say(line_of(row, all.copy_bytes_per_second));
  }
  return done;
}

}  // namespace meander::app
