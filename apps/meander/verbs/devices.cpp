// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <fmt/format.h>

#include <filesystem>

#include "session/session.hpp"
#include "verbs/measure_devices.hpp"

namespace meander::app {
namespace {

struct DevicesOptions {
  bool names = false;
  bool measure = false;

  template <class Visitor>
  void describe(Visitor& v) {
    v(names, {.name = "names", .help = "print only the names, for scripts and completion"});
    v(measure, {.name = "measure",
                .help = "measure in some seconds what cpu and every GPU take, by which --device "
                        "auto chooses, and keep it in the folder of caches"});
  }
};

void add_to_report(Json& result) {
  result["devices"] = Json::array();
  for (const DeviceInfo& info : Device::list()) {
    result["devices"].push_back({{"name", info.name},
                                 {"description", info.description},
                                 {"memory_bytes", info.memory_bytes},
                                 {"gpu", info.is_gpu},
                                 {"float64", info.has_float64}});
  }
  result["absent"] = Json::array();
  for (const AbsentBackend& backend : Device::absent()) {
    result["absent"].push_back({{"name", backend.name}, {"reason", backend.reason}});
  }
  result["auto"] = Device::open("auto").name();
}

Json json_of(const Figures& figures) {
  Json devices = Json::array();
  for (const DeviceFigures& device : figures.devices) {
    Json entry = {{"name", device.name}, {"description", device.description}};
    if (device.is_gpu()) {
      entry.update({{"start_seconds", device.start},
                    {"upload_seconds_a_byte", device.upload},
                    {"download_seconds_a_byte", device.download}});
    }
    for (std::size_t kind = 0; kind < work_kinds; ++kind) {
      const DeviceFigures::Cost& cost = device.costs[kind];
      entry[std::string(name_of(static_cast<WorkKind>(kind)))] = {
          {"seconds_a_unit", cost.unit}, {"seconds_a_launch", cost.launch}};
    }
    devices.push_back(std::move(entry));
  }
  return {{"threads", figures.threads},
          {"driver", figures.driver},
          {"file", figures_file().string()},
          {"devices", std::move(devices)}};
}

/// Nanoseconds of a unit and microseconds of a launch of each kind.
void say_figures(const Session& session, const Figures& figures) {
  session.say(fmt::format("{:<10} {:>8} {:>8} {:>8}  ns a unit + us a launch", "", "start s",
                          "up GB/s", "dn GB/s"));
  for (const DeviceFigures& device : figures.devices) {
    const bool is_gpu = device.is_gpu();
    std::string line = fmt::format("{:<10} {:>8} {:>8} {:>8} ", device.name,
                                   is_gpu ? fmt::format("{:.3f}", device.start) : "",
                                   is_gpu ? fmt::format("{:.1f}", 1e-9 / device.upload) : "",
                                   is_gpu ? fmt::format("{:.1f}", 1e-9 / device.download) : "");
    for (std::size_t kind = 0; kind < work_kinds; ++kind) {
      line += fmt::format(" {} {:.3g} + {:.3g}{}", name_of(static_cast<WorkKind>(kind)),
                          device.costs[kind].unit * 1e9, device.costs[kind].launch * 1e6,
                          kind + 1 < work_kinds ? "," : "");
    }
    session.say(line);
  }
}

/// What was measured is told whether or not it can be kept.
void keep(const Session& session, const Figures& figures) {
  const std::filesystem::path file = figures_file();
  std::string fault = "none of MEANDER_CACHE, XDG_CACHE_HOME and HOME is set";
  try {
    if (!file.empty()) {
      std::error_code ignored;  // writing says what is wrong
      std::filesystem::create_directories(file.parent_path(), ignored);
      io::write_text(file, text_of(figures));
      session.say("kept in " + file.string());
      return;
    }
  } catch (const FileSystemError& error) {
    fault = error.what();
  }
  session.warn({"the figures are not kept: " + fault});
}

int measure(Session& session) {
  if (session.common().dry_run) {
    session.say(
        fmt::format("would measure devices and keep the figures in {}", figures_file().string()));
    return done;
  }
  const Figures figures =
      session.report().timed("compute", [&] { return measured_figures(session.control()); });
  session.report().result()["figures"] = json_of(figures);
  say_figures(session, figures);
  keep(session, figures);
  return done;
}

std::string auto_in_words() {
  if (Device::open("auto").name() == "cpu") return "auto is cpu: there is no GPU";
  std::error_code none;
  const bool is_measured = std::filesystem::exists(figures_file(), none);
  return fmt::format(
      "auto chooses by the work: cpu, or a GPU where that ends sooner, the start of its driver "
      "included; figures {}",
      is_measured ? "of " + figures_file().string() : "built in, --measure measures them");
}

int run(Session& session, const DevicesOptions& options) {
  if (options.measure) return measure(session);
  if (session.common().dry_run) {
    session.say("would look for devices and list them");
    return done;
  }
  add_to_report(session.report().result());
  for (const DeviceInfo& info : Device::list()) {
    if (options.names) {
      session.say(info.name);
    } else {
      session.say(fmt::format("{:<10} {:6.1f} GiB  {}{}", info.name,
                              static_cast<double>(info.memory_bytes) / 0x1p30, info.description,
                              info.has_float64 ? "" : ", no float64"));
    }
  }
  if (options.names) return done;
  for (const AbsentBackend& backend : Device::absent()) {
    session.say(fmt::format("{:<10} absent: {}", backend.name, backend.reason));
  }
  session.say(auto_in_words());
  return done;
}

}  // namespace

Verb devices_verb() {
  const auto options = std::make_shared<DevicesOptions>();
  return {
      .name = "devices",
      .summary = "Lists the devices of this machine and why a backend is absent",
      .details =
          "The names are what --device takes. With --device auto, smooth, flow, react and "
          "segment go to the device that ends first, its driver's start and transfers included; "
          "other verbs stay on cpu, and so does what a GPU fails at. The choice follows from "
          "the work and from figures, built in or measured with --measure; those of another "
          "version or driver are ignored with a line.",
      .example = "meander devices",
      .arguments = {},
      .options = entries_of(*options),
      .run = [options](Session& session) { return run(session, *options); }};
}

}  // namespace meander::app
