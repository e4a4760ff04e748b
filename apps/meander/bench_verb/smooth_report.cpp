// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench_verb/smooth_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench_verb/figures.hpp"
#include "meander/verify.hpp"

namespace meander::app {
namespace {

std::string name_of_method(SmoothMethod method) { return OptionText<SmoothMethod>::format(method); }

std::string label_of(const bench::SmoothRow& row) {
  std::string label = name_of_method(row.job.method);
  if (row.chosen != row.job.method) label += " (" + name_of_method(row.chosen) + ")";
  return row.transfers ? label + ", with transfers" : label;
}

Json json_of(const bench::Deviation& deviation) {
  return {{"max", number(deviation.max)}, {"rms", number(deviation.rms)}};
}

const bench::ImpulseResponse& response_of(const std::vector<MeasuredImpulse>& impulses,
                                          const bench::SmoothRow& row) {
  const auto found = std::find_if(impulses.begin(), impulses.end(), [&](const auto& impulse) {
    return impulse.device == row.device && impulse.job == row.job;
  });
  return found->response;
}

Json json_of(const bench::SmoothRow& row, const Shape& size, int axes,
             const bench::ImpulseResponse& response) {
  Json json = {{"device", row.device},
               {"size", to_string(size)},
               {"axes", axes},
               {"sigma", row.job.sigma},
               {"method", name_of_method(row.job.method)},
               {"chosen", name_of_method(row.chosen)},
               {"transfers", row.transfers},
               {"seconds", row.seconds.median},
               {"seconds_quartiles", quartiles_json(row.seconds)},
               {"nanoseconds", row.nanoseconds.median},
               {"nanoseconds_quartiles", quartiles_json(row.nanoseconds)},
               {"copies", row.copies.median},
               {"copies_quartiles", quartiles_json(row.copies)},
               {"difference", json_of(row.exact)},
               {"impulse_error", number(response.error)},
               {"impulse_sigma", number(response.sigma)}};
  if (row.first) json["between_devices"] = json_of(*row.first);
  return json;
}

std::string text_of(const bench::SmoothRow& row, const bench::ImpulseResponse& response) {
  std::string line =
      fmt::format("{:<42} {:>6g} {:10.3f} {:8.3f}  {:>16} {:7.2f} {:9.1e} {:9.1e} {:9.1e} {:9.4f}",
                  row.device + " " + label_of(row), row.job.sigma, row.seconds.median * 1e3,
                  row.nanoseconds.median, between(row.nanoseconds, 3), row.copies.median,
                  row.exact.max, row.exact.rms, response.error, response.sigma);
  if (row.first) line += fmt::format("  {:.1e} {:.1e}", row.first->max, row.first->rms);
  return line;
}

/// Vidal-Migallón et al. 2013, figures 7 and 8: sigma 12 on an i7-3770S and a GeForce GTX 650.
struct PublishedTime {
  Shape size;
  const char* what;
  double seconds;
};
constexpr PublishedTime published[] = {
    {{1024, 1024, 1}, "CPU discrete", 200.205e-3}, {{1024, 1024, 1}, "GPU discrete", 17.200e-3},
    {{1024, 1024, 1}, "CPU YVV", 9.798e-3},        {{1024, 1024, 1}, "GPU YVV", 8.146e-3},
    {{1024, 1024, 32}, "CPU discrete", 21.629},    {{1024, 1024, 32}, "GPU discrete", 1.969},
    {{1024, 1024, 32}, "CPU YVV", 0.615},          {{1024, 1024, 32}, "GPU YVV", 0.082}};

void report_published(Session& session, const MeasuredSize& measured) {
  const auto& rows = measured.found.rows;
  const bool same_scale =
      std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.job.sigma == 12; });
  for (const PublishedTime& entry : published) {
    if (!same_scale || !(entry.size == measured.size)) continue;
    session.report().result()["published"].push_back(
        {{"size", to_string(entry.size)}, {"what", entry.what}, {"seconds", entry.seconds}});
    session.say(fmt::format("{:<42} {:>6} {:10.3f}", fmt::format("published 2013, {}", entry.what),
                            12, entry.seconds * 1e3));
  }
}

/// The scales and methods that were measured, each in the order of its first appearance.
template <class T, class Get>
std::vector<T> distinct(const std::vector<MeasuredImpulse>& impulses, const Get& get) {
  std::vector<T> values;
  for (const MeasuredImpulse& impulse : impulses) {
    const T value = get(impulse);
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

/// Two digits, and the deviation where it is not sigma itself: what every machine computes alike.
std::string cell(const bench::ImpulseResponse& response) {
  return fmt::format("{:.1e}, {:.4g}", response.error, response.sigma);
}

std::string markdown_line(const std::vector<std::string>& cells) {
  return fmt::format("| {} |", fmt::join(cells, " | "));
}

void say_accuracy_table(Session& session, const std::string& device,
                        const std::vector<MeasuredImpulse>& impulses) {
  const auto sigmas = distinct<double>(impulses, [](const auto& i) { return i.job.sigma; });
  const auto methods = distinct<SmoothMethod>(impulses, [](const auto& i) { return i.job.method; });
  std::vector<std::string> head{"method"};
  for (const double sigma : sigmas) head.push_back(fmt::format("σ = {:g}", sigma));
  session.say(markdown_line(head));
  session.say(markdown_line(std::vector<std::string>(head.size(), "---")));
  for (const SmoothMethod method : methods) {
    std::vector<std::string> cells{"`" + name_of_method(method) + "`"};
    for (const double sigma : sigmas) {
      const auto found = std::find_if(impulses.begin(), impulses.end(), [&](const auto& impulse) {
        return impulse.device == device && impulse.job == bench::SmoothJob{method, sigma};
      });
      cells.push_back(found == impulses.end() ? "–" : cell(found->response));
    }
    session.say(markdown_line(cells));
  }
}

}  // namespace

void report_accuracy(Session& session, const std::vector<MeasuredImpulse>& impulses) {
  for (const MeasuredImpulse& impulse : impulses) {
    session.report().result()["accuracy"].push_back(
        {{"device", impulse.device},
         {"sigma", impulse.job.sigma},
         {"method", name_of_method(impulse.job.method)},
         {"impulse_error", number(impulse.response.error)},
         {"impulse_sigma", number(impulse.response.sigma)},
         {"impulse_lowest", number(impulse.response.lowest)}});
  }
  const auto devices = distinct<std::string>(impulses, [](const auto& i) { return i.device; });
  for (const std::string& device : devices) {
    if (devices.size() > 1) session.say("On " + device + ":");
    say_accuracy_table(session, device, impulses);
  }
}

void report_size(Session& session, const MeasuredSize& measured,
                 const std::vector<MeasuredImpulse>& impulses) {
  const std::string size = to_string(measured.size);
  Json& result = session.report().result();
  for (const bench::SmoothCopy& copy : measured.found.copies) {
    result["copies"].push_back({{"device", copy.device},
                                {"size", size},
                                {"clock", clock_name(copy.clock)},
                                {"gigabytes_per_second", copy.gigabytes_per_second}});
    session.say(fmt::format("{} on {}: copies at {:.1f} GB/s read and written; {} time", size,
                            copy.device, copy.gigabytes_per_second, clock_name(copy.clock)));
  }
  session.say(fmt::format("{:<42} {:>6} {:>10} {:>8}  {:>16} {:>7} {:>9} {:>9} {:>9} {:>9}{}",
                          "method", "sigma", "ms", "ns/px/ax", "quartiles", "copies", "max diff",
                          "rms diff", "impulse", "its sigma",
                          measured.found.copies.size() > 1 ? "  max and rms between devices" : ""));
  for (const bench::SmoothRow& row : measured.found.rows) {
    const bench::ImpulseResponse& response = response_of(impulses, row);
    result["rows"].push_back(json_of(row, measured.size, measured.found.axes, response));
    session.say(text_of(row, response));
  }
  report_published(session, measured);
}

void report_flatness(Session& session, const std::vector<MeasuredSize>& sizes) {
  for (const MeasuredSize& measured : sizes) {
    std::map<std::pair<std::string, SmoothMethod>, std::vector<double>> times;
    for (const bench::SmoothRow& row : measured.found.rows) {
      if (row.chosen == SmoothMethod::fir || row.transfers) continue;
      times[{row.device, row.job.method}].push_back(row.nanoseconds.median);
    }
    for (const auto& [which, values] : times) {
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      if (values.size() < 2) continue;
      session.report().result()["flatness"].push_back({{"device", which.first},
                                                       {"size", to_string(measured.size)},
                                                       {"method", name_of_method(which.second)},
                                                       {"slowest_over_fastest", *high / *low}});
      session.say(fmt::format("{} {} {}: slowest sigma over fastest {:.3f}",
                              to_string(measured.size), which.first, name_of_method(which.second),
                              *high / *low));
    }
  }
}

void report_scaling(Session& session, SmoothMethod method, const bench::Scaling& scaling) {
  Json json = scaling_json(scaling);
  json["method"] = name_of_method(method);
  session.report().result()["scaling"] = std::move(json);
  session.say(scaling_text(name_of_method(method), scaling));
}

}  // namespace meander::app
